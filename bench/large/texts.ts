/**
 * Texts of records in a file, read in the order of the ranks: at random places of the file, and put in that order
 * before, as a sync does. Once the system's memory loses the file after each hundredth of the reads, as it does where it
 * is far smaller than the file, and once it holds all of it. Each round is a file of its own, both ways take turns, and
 * seconds are medians.
 */
import { closeSync, fsyncSync, mkdirSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Overflow, RecordTexts } from '../../src/memory/record-texts.ts'
import { Random } from '../../test/support/random.ts'
import type { BenchOptions } from '../shared/bench.ts'
import { dropFromMemory } from '../shared/drop-from-memory.ts'
import { table } from '../shared/report.ts'
import { median, ratiosOf, roundsOf } from '../shared/rounds.ts'

const plans = {
  tiny: { records: 10_000, rounds: 1 },
  full: { records: 300_000, rounds: 3 },
} as const

/** One state of the system's memory. */
interface TextsRow {
  readonly memory: 'a hundredth' | 'all'
  readonly records: number
  readonly bytes: number
  /** All records at random places. */
  readonly scatteredSeconds: number
  /** All records in their order, with putting them there. */
  readonly arrangedSeconds: number
  /** Median of the rounds. */
  readonly ratio: number
}

/** A file that can be dropped from the system's memory. */
class NamedFile implements Overflow {
  readonly #path: string
  readonly #descriptor: number
  #length = 0

  constructor(path: string) {
    this.#path = path
    this.#descriptor = openSync(path, 'w+')
  }

  append(bytes: Uint8Array): void {
    this.write(bytes, this.#length)
  }

  write(bytes: Uint8Array, position: number): void {
    const written = writeSync(this.#descriptor, bytes, 0, bytes.length, position)
    if (written !== bytes.length) throw new Error(`the disk took ${written} bytes`)
    this.#length = Math.max(this.#length, position + bytes.length)
  }

  read(into: Uint8Array, length: number, position: number): void {
    if (readSync(this.#descriptor, into, 0, length, position) !== length) {
      throw new Error(`nothing stands at ${position}`)
    }
  }

  /** Written pages can only be dropped once they are on the disk. */
  drop(): void {
    fsyncSync(this.#descriptor)
    dropFromMemory(this.#path)
  }

  close(): void {
    closeSync(this.#descriptor)
    rmSync(this.#path)
  }
}

/** Measures both ways in both states. @throws the reason of the signal. */
export async function runTexts(options: BenchOptions): Promise<TextsRow[]> {
  const { records, rounds } = plans[options.size]
  const directory = join(options.directory ?? 'bench/data/large', 'texts')
  mkdirSync(directory, { recursive: true })
  const rows: TextsRow[] = []
  try {
    for (const memory of ['a hundredth', 'all'] as const) {
      options.report(`texts, the system's memory holds ${memory} of the file`)
      let bytes = 0
      const { signal } = options
      const wanted = { records, directory, signal, holdsAll: memory === 'all' }
      const seconds = await roundsOf(['scattered', 'arranged'], rounds, async (manner) => {
        const read = await readIn({ ...wanted, arranges: manner === 'arranged' })
        bytes = read.bytes
        return read.seconds
      })
      rows.push({
        ...{ memory, records, bytes },
        scatteredSeconds: median(seconds.map(({ scattered }) => scattered)),
        arrangedSeconds: median(seconds.map(({ arranged }) => arranged)),
        ratio: ratiosOf(seconds, 'scattered', 'arranged').ratioMedian,
      })
    }
    return rows
  } finally {
    rmSync(directory, { recursive: true })
  }
}

interface Reading {
  readonly records: number
  readonly directory: string
  readonly signal: AbortSignal
  readonly holdsAll: boolean
  readonly arranges: boolean
}

/**
 * Reads all records once, in a drawn order, and says how long that took and how many bytes they were.
 * @throws the signal's reason, between two hundredths.
 */
async function readIn({ records, directory, signal, holdsAll, arranges }: Reading) {
  const random = new Random(1, records)
  const files: NamedFile[] = []
  const newOverflow = () => {
    const file = new NamedFile(join(directory, String(files.length)))
    files.push(file)
    return file
  }
  const texts = new RecordTexts(2, { memoryBytesMax: 0, newOverflow })
  for (let record = 0; record < records; record += 1) {
    const biography = `Person ${record} `.repeat(random.between(20, 80))
    texts.push(biography, `https://people.example/${record}`)
  }
  const order = random.permutation(records)
  const drop = () => {
    if (!holdsAll) files.at(-1)?.drop()
  }
  const target = new Uint8Array(1 << 16)
  let [bytes, seconds] = [0, 0]
  const timed = (work: () => void) => {
    const start = performance.now()
    work()
    seconds += (performance.now() - start) / 1_000
  }
  drop()
  if (arranges) {
    timed(() => {
      texts.arrange(order)
      drop()
    })
  }
  const step = Math.ceil(records / 100)
  for (let from = 0; from < records; from += step) {
    timed(() => {
      for (const record of order.subarray(from, from + step)) {
        bytes += texts.copyTo(record, 1, target, texts.copyTo(record, 0, target, 0))
      }
    })
    drop()
    // Else an interrupt would not be heard.
    await nextTurn()
    signal.throwIfAborted()
  }
  texts.clear()
  return { seconds, bytes }
}

/** A table of what was found. */
export function reportTexts(rows: readonly TextsRow[]): string[] {
  return table(rows, {
    'the memory of the system holds': ({ memory }) => memory,
    records: ({ records }) => records.toLocaleString('en'),
    MB: ({ bytes }) => (bytes / 1e6).toFixed(0),
    'at random places s': ({ scatteredSeconds }) => scatteredSeconds.toFixed(2),
    'put in order s': ({ arrangedSeconds }) => arrangedSeconds.toFixed(2),
    'random places by order (median)': ({ ratio }) => ratio.toFixed(1),
  })
}
