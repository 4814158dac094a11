/** Text tables: they find exactly what was put in. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  encodeTexts,
  entryBits,
  fillSlots,
  findText,
  firstSlot,
  hashAscii,
  hashBytes,
  hasSlotOf,
  mixHash,
  noBytesHash,
  Scratch,
  slotCount,
  type TextTable,
  textAt,
} from '../../../src/memory/text-table.ts'
import { codePoint } from '../../support/code-points.ts'

const text = fc.oneof(fc.string({ unit: codePoint, maxLength: 12 }), fc.nat(500).map(String))
const texts = fc.uniqueArray(text, { maxLength: 300 })

function tableOf(list: readonly string[]): TextTable {
  const all = encodeTexts(list)
  return { ...all, slots: fillSlots(all) }
}

describe('a text table', () => {
  it('has a slot for the hash of every ASCII text in it, taken together from two pieces', () => {
    const plain = fc.stringMatching(/^[ -~]{0,12}$/)
    fc.assert(
      fc.property(texts, plain, plain, (list, begun, rest) => {
        const hash = mixHash(hashAscii(hashAscii(noBytesHash, begun), rest))
        expect(hash).toBe(hashBytes(Buffer.from(begun + rest), 0, begun.length + rest.length))
        expect(hasSlotOf(tableOf([...new Set([...list, begun + rest])]), hash)).toBe(true)
      }),
    )
    expect(hashAscii(noBytesHash, 'né')).toBe(-1)
  })

  it('finds exactly the texts that were put in, each by its number', () => {
    fc.assert(
      fc.property(texts, fc.array(text, { maxLength: 100 }), (list, others) => {
        const table = tableOf(list)
        const scratch = new Scratch()
        for (const each of [...list, ...others]) {
          expect(findText(table, each, scratch)).toBe(list.indexOf(each))
        }
        expect(list.map((_, entry) => textAt(table, entry))).toEqual(list)
      }),
      { numRuns: 50 },
    )
  })

  it('has three empty slots of seven, and room for an entry in each', () => {
    for (const entries of [0, 1, 2, 3, 4, 5, 1000, 1023, 1024, 1_000_000]) {
      const slots = slotCount(entries)
      expect(slots).toBeGreaterThanOrEqual(Math.max(2, entries * 1.75))
      expect(slots).toBeLessThan(entries * 1.75 + 3)
      expect(entries).toBeLessThan(2 ** entryBits(entries))
    }
  })

  it('is probed from a slot that it has, whatever the hash', () => {
    for (const slots of [2, 7, 1750, 1_750_000, 2 ** 30 - 1]) {
      expect(firstSlot(0, slots)).toBe(0)
      expect(firstSlot(0xffff_ffff, slots)).toBe(slots - 1)
    }
  })

  it('finds a text that is longer than any before', () => {
    const long = 'é'.repeat(5_000)
    expect(findText(tableOf(['a', long]), long, new Scratch())).toBe(1)
  })
})
