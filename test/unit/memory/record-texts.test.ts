/** Texts of records, in memory and in a file behind it. */
import { readdirSync } from 'node:fs'
import { expect, it, vi } from 'vitest'
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
  'gives every text back with %i bytes of memory, also one that took the place of another',
  (memoryBytesMax) => {
    const directory = temporaryDirectory()
    const file = new UnnamedFile(directory, 'texts.tmp')
    const close = vi.spyOn(file, 'close')
    const texts = new RecordTexts(2, { memoryBytesMax, newOverflow: () => file })
    // Long records, short ones and empty ones, of which some hold nothing at all.
    const records = someRecords(40).flatMap(([one, other], record): [string, string][] => {
      return [
        [one, other],
        [`${record}`, ''],
        ['', ''],
        ['', other.slice(0, 900)],
      ]
    })
    for (const record of records) texts.push(...record)
    texts.replace(2, 1, 'another')
    records[2] = ['', 'another']
    const target = new Uint8Array(2 << 20)
    for (const record of new Random(7, 1).permutation(records.length)) {
      for (const part of [1, 0]) {
        const end = texts.copyTo(record, part, target, 3)
        const text = records[record]![part]!
        expect(Buffer.from(target.subarray(3, end)).equals(Buffer.from(text))).toBe(true)
        expect(texts.lengthOf(record, part)).toBe(end - 3)
        expect(texts.textOf(record, part)).toBe(text)
      }
    }
    expect(file.length).toBeGreaterThan(chunk)
    expect(readdirSync(directory)).toEqual([])
    texts.clear()
    expect(close).toHaveBeenCalledOnce()
  },
)

it('opens no file where everything stays in memory', () => {
  const newOverflow = () => {
    throw new Error('opened')
  }
  const texts = new RecordTexts(1, { memoryBytesMax: chunk, newOverflow })
  texts.push('a'.repeat(1 << 20))
  expect(texts.copyTo(0, 0, new Uint8Array(1 << 20), 0)).toBe(1 << 20)
  expect(() => texts.push('b'.repeat(2 << 20))).toThrow('opened')
})
