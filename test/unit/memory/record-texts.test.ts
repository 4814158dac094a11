/** Texts of records, in memory and in a file behind it. */
import { readdirSync } from 'node:fs'
import { expect, it, vi } from 'vitest'
import { RecordTexts } from '../../../src/memory/record-texts.ts'
import { UnnamedFile } from '../../../src/process/unnamed-file.ts'
import { temporaryDirectory } from '../../support/built.ts'
import { Random } from '../../support/random.ts'

const chunk = 4 << 20

/** A chunk holds five to ten of them. */
function someTexts(count: number): string[] {
  const random = new Random(5, count)
  return Array.from({ length: count }, (_, record) => `é${record}`.repeat(random.below(200_000)))
}

it.each([0, chunk, 3 * chunk])(
  'gives every text back with %i bytes of memory, also one that took the place of another',
  (memoryBytesMax) => {
    const directory = temporaryDirectory()
    const file = new UnnamedFile(directory, 'texts.tmp')
    const close = vi.spyOn(file, 'close')
    const texts = new RecordTexts({ memoryBytesMax, newOverflow: () => file })
    // Long texts, short ones and empty ones.
    const records = someTexts(40).flatMap((text, record) => [
      text,
      `${record}`,
      '',
      text.slice(0, 900),
    ])
    for (const record of records) texts.push(record)
    for (const another of ['another', 'a third']) {
      texts.replace(2, another)
      records[2] = another
    }
    for (const record of new Random(7, 1).permutation(records.length)) {
      expect(Buffer.from(texts.bytesOf(record)).equals(Buffer.from(records[record]!))).toBe(true)
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
  const texts = new RecordTexts({ memoryBytesMax: chunk, newOverflow })
  texts.push('a'.repeat(1 << 20))
  expect(texts.bytesOf(0)).toHaveLength(1 << 20)
  expect(() => texts.push('b'.repeat(2 << 20))).toThrow('opened')
})
