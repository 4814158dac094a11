/**
 * Parts of files that are read into memory and compared with their checksums. Several threads may share the work: each
 * takes the next part that is free, the longest first, so that one alone does all of it where the others are late.
 */
import { addSteps, type StoredOffsets } from '../columns/steps.ts'
import { fillChecked } from '../texts/pieces.ts'

/** A part of a file, and the memory that it fills. */
export interface Filling {
  /** An open descriptor, good in every thread of the process. */
  readonly file: number
  readonly position: number
  /** Memory that threads share where several of them fill. */
  readonly memory: Uint8Array
  /** CRC-32 of the part. */
  readonly checksum: number
  /** Offsets that are made of the part, if it holds steps. */
  readonly offsets?: StoredOffsets
}

/** The end of a filling: the part is there, the file ends before it, or its checksum is another. */
type Filled = 'whole' | 'truncated' | 'damaged'

/** Fills all, and returns how each ended. @param rest called every few tenths of a millisecond. */
export type FillAll = (fillings: readonly Filling[], rest: () => void) => readonly Filled[]

/** Fillings that threads share: a plain value to hand to another thread. */
export interface SharedFillings {
  readonly fillings: readonly Filling[]
  /** The state of each, and then the number of pieces that were read. */
  readonly states: Int32Array
}

const ends: readonly Filled[] = ['whole', 'truncated', 'damaged']
const free = 0
const taken = 1
/** State of the first of `ends`; the others follow. */
const ended = 2

/** Time without a piece after which a thread counts as lost: it has died, or its disk hangs. */
const lostMs = 60_000

/** Fills all in one thread, in their order. */
export const fillAlone: FillAll = (fillings, rest) => fillings.map((each) => fill(each, rest))

function fill({ file, position, memory, checksum, offsets }: Filling, rest: () => void): Filled {
  const found = fillChecked(file, memory, position, rest)
  if (found === undefined) return 'truncated'
  if (found !== checksum) return 'damaged'
  if (offsets !== undefined) addSteps(offsets, rest)
  return 'whole'
}

/** Fillings to share, of which none is taken. */
export function sharedFillings(fillings: readonly Filling[]): SharedFillings {
  const cells = fillings.length + 1
  const states = new SharedArrayBuffer(cells * Int32Array.BYTES_PER_ELEMENT)
  return { fillings, states: new Int32Array(states) }
}

/**
 * Fills what no other thread has taken, until nothing is left to take.
 * @throws what the file system throws; then that filling is free again.
 */
export function fillFree({ fillings, states }: SharedFillings, rest: () => void): void {
  const lengthAt = (index: number) => fillings[index]!.memory.length
  const longest = [...fillings.keys()].sort((a, b) => lengthAt(b) - lengthAt(a))
  const onPiece = () => {
    Atomics.add(states, fillings.length, 1)
    rest()
  }
  for (const index of longest) {
    if (Atomics.compareExchange(states, index, free, taken) !== free) continue
    let state = free
    try {
      state = stateOf(fill(fillings[index]!, onPiece))
    } finally {
      set(states, index, state)
    }
  }
}

/**
 * Waits for what other threads have taken, does what is left, and returns how each filling ended. Blocks the thread.
 * @throws Error where a thread is lost. Its part is never filled by two threads, since a late one would write over it.
 */
export function endsOf(shared: SharedFillings, rest: () => void): readonly Filled[] {
  const { fillings, states } = shared
  waitForOthers(shared)
  return fillings.map((filling, index) => {
    if (Atomics.load(states, index) < ended) set(states, index, stateOf(fill(filling, rest)))
    return ends[Atomics.load(states, index) - ended]!
  })
}

/** Waits until no other thread fills memory any more. Blocks the thread. @throws Error where a thread is lost. */
export function waitForOthers({ fillings, states }: SharedFillings): void {
  const pieces = fillings.length
  for (let index = 0; index < fillings.length; index += 1) {
    let before = Atomics.load(states, pieces)
    while (Atomics.wait(states, index, taken, lostMs) === 'timed-out') {
      const now = Atomics.load(states, pieces)
      if (now === before) throw new Error('a thread that reads with this one does not go on')
      before = now
    }
  }
}

function stateOf(how: Filled): number {
  return ended + ends.indexOf(how)
}

function set(states: Int32Array, index: number, state: number): void {
  Atomics.store(states, index, state)
  Atomics.notify(states, index)
}
