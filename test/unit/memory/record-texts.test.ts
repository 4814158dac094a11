/** Texts of records, in memory and in a file behind it. */
import { readdirSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import { RecordTexts } from '../../../src/memory/record-texts.ts'
import { UnnamedFile } from '../../../src/process/unnamed-file.ts'
import { temporaryDirectory } from '../../support/built.ts'
import { Random } from '../../support/random.ts'

const chunk = 4 << 20

/** Records of two texts: a chunk holds three or four of them. */
function someRecords(count: number): (readonly [string, string])[] {
  const random = new Random(5, count)
  return Array.from({ length: count }, (_, record) => {
    return [`é${record}`.repeat(random.below(100_000)), `${record}:`.repeat(random.below(100_000))]
  })
}

it.each([0, chunk, 3 * chunk])(
  'gives every text back with %i bytes of memory',
  (memoryBytesMax) => {
    const directory = temporaryDirectory()
    const files: UnnamedFile[] = []
    const newOverflow = () => {
      files.push(new UnnamedFile(directory, 'texts.tmp'))
      return files.at(-1)!
    }
    const texts = new RecordTexts(2, { memoryBytesMax, newOverflow })
    onTestFinished(() => texts.clear())
    const records = someRecords(40)
    for (const record of records) texts.push(...record)
    const target = new Uint8Array(2 << 20)
    for (const record of new Random(7, 1).permutation(records.length)) {
      for (const part of [1, 0]) {
        const end = texts.copyTo(record, part, target, 3)
        const text = records[record]![part]!
        expect(Buffer.from(target.subarray(3, end)).equals(Buffer.from(text))).toBe(true)
        expect(texts.lengthOf(record, part)).toBe(end - 3)
      }
    }
    expect(files).toHaveLength(1)
    expect(files[0]!.length).toBeGreaterThan(chunk)
    expect(readdirSync(directory)).toEqual([])
  },
)

/** A file, and what was asked of it. */
interface Watched {
  readonly file: UnnamedFile
  readonly reads: number[]
  isClosed: boolean
}

/** Files for what is too much for memory. */
class WatchedFiles {
  readonly files: Watched[] = []
  readonly directory = temporaryDirectory()

  /** @param isFull whether nothing can be written at a position. */
  readonly next = (isFull = false) => {
    const file = new UnnamedFile(this.directory, 'texts.tmp')
    const seen: Watched = { file, reads: [], isClosed: false }
    this.files.push(seen)
    return {
      append: (bytes: Uint8Array) => file.append(bytes),
      write(bytes: Uint8Array, position: number) {
        if (isFull) throw new Error('full')
        file.write(bytes, position)
      },
      read(into: Uint8Array, length: number, position: number) {
        seen.reads.push(position)
        file.read(into, length, position)
      },
      close() {
        seen.isClosed = true
        file.close()
      },
    }
  }

  get areClosed(): boolean[] {
    return this.files.map(({ isClosed }) => isClosed)
  }
}

it('reads them in another order from a file that is in that order', () => {
  const watched = new WatchedFiles()
  const newOverflow = () => watched.next()
  const texts = new RecordTexts(2, { memoryBytesMax: 3 * chunk, newOverflow })
  onTestFinished(() => texts.clear())
  // Long records, short ones and empty ones, of which some hold nothing at all.
  const records = someRecords(260).flatMap(([one, other], record) => {
    return [
      [one, other],
      [`${record}`, ''],
      ['', ''],
      ['', other.slice(0, 900)],
    ] as const
  })
  for (const record of records) texts.push(...record)
  texts.replace(2, 1, 'another')
  const textOf = (record: number, part: number) =>
    record === 2 && part === 1 ? 'another' : records[record]![part]!
  const order = Uint32Array.from(new Random(7, 1).permutation(records.length))
  texts.arrange(order)
  expect(watched.areClosed).toEqual([true, false])
  for (const record of order) {
    expect([texts.textOf(record, 0), texts.textOf(record, 1)]).toEqual([
      textOf(record, 0),
      textOf(record, 1),
    ])
  }
  const [before, { reads, file }] = watched.files as [Watched, Watched]
  expect(reads.length).toBeGreaterThan(1)
  expect(reads.length).toBeLessThan(10)
  expect(reads).toEqual(reads.toSorted((a, b) => a - b))
  expect(file.length).toBeLessThanOrEqual(before.file.length)
  expect(readdirSync(watched.directory)).toEqual([])
})

it('stays in order in memory, where there is no file', () => {
  const texts = new RecordTexts(1)
  for (const text of ['a', 'b', 'c']) texts.push(text)
  texts.arrange(Uint32Array.of(2, 0, 1))
  expect([0, 1, 2].map((record) => texts.textOf(record, 0))).toEqual(['a', 'b', 'c'])
})

it('closes the new file where the disk is full', () => {
  const watched = new WatchedFiles()
  const newOverflow = () => watched.next(watched.files.length > 0)
  const texts = new RecordTexts(2, { memoryBytesMax: chunk, newOverflow })
  for (const record of someRecords(40)) texts.push(...record)
  expect(() => texts.arrange(Uint32Array.from({ length: 40 }, (_, at) => 39 - at))).toThrow('full')
  expect(watched.areClosed).toEqual([false, true])
  texts.clear()
  expect(watched.areClosed).toEqual([true, true])
})

it('opens no file where everything stays in memory', () => {
  const newOverflow = () => {
    throw new Error('opened')
  }
  const texts = new RecordTexts(1, { memoryBytesMax: chunk, newOverflow })
  texts.push('a'.repeat(1 << 20))
  expect(texts.copyTo(0, 0, new Uint8Array(1 << 20), 0)).toBe(1 << 20)
  expect(() => texts.push('b'.repeat(2 << 20))).toThrow('opened')
})
