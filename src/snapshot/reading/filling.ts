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
  /** The state of each. */
  readonly states: Int32Array
}

const ends: readonly Filled[] = ['whole', 'truncated', 'damaged']
const free = 0
const taken = 1
/** State of the first of `ends`; the others follow. */
const ended = 2

/** Time without an end after which a filling of another thread is done again: that thread may have died. */
const lostMs = 20_000

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
  const states = new SharedArrayBuffer(fillings.length * Int32Array.BYTES_PER_ELEMENT)
  return { fillings, states: new Int32Array(states) }
}

/**
 * Fills what no other thread has taken, until nothing is left to take.
 * @throws what the file system throws; then that filling is free again.
 */
export function fillFree({ fillings, states }: SharedFillings, rest: () => void): void {
  const lengthAt = (index: number) => fillings[index]!.memory.length
  const longest = [...fillings.keys()].sort((a, b) => lengthAt(b) - lengthAt(a))
  for (const index of longest) {
    if (Atomics.compareExchange(states, index, free, taken) !== free) continue
    let state = free
    try {
      state = stateOf(fill(fillings[index]!, rest))
    } finally {
      set(states, index, state)
    }
  }
}

/** Waits for what other threads have taken, does what is left, and returns how each filling ended. Blocks the thread. */
export function endsOf({ fillings, states }: SharedFillings, rest: () => void): readonly Filled[] {
  return fillings.map((filling, index) => {
    waitFor(states, index)
    if (Atomics.load(states, index) < ended) set(states, index, stateOf(fill(filling, rest)))
    return ends[Atomics.load(states, index) - ended]!
  })
}

/** Waits until no other thread fills memory any more, or has not ended for long. Blocks the thread. */
export function waitForOthers({ states }: SharedFillings): void {
  for (let index = 0; index < states.length; index += 1) waitFor(states, index)
}

function waitFor(states: Int32Array, index: number): void {
  Atomics.wait(states, index, taken, lostMs)
}

function stateOf(how: Filled): number {
  return ended + ends.indexOf(how)
}

function set(states: Int32Array, index: number, state: number): void {
  Atomics.store(states, index, state)
  Atomics.notify(states, index)
}
