/** Texts that are looked up at once: each is found as it is alone. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BatchLookup, type HashedTexts } from '../../../src/memory/batch-lookup.ts'
import { fillSlots, hashBytes, type Texts } from '../../../src/memory/text-table.ts'
import { codePoint } from '../../support/code-points.ts'

const text = fc.oneof(fc.string({ unit: codePoint, maxLength: 8 }), fc.nat(200).map(String))
const texts = fc.uniqueArray(text, { maxLength: 100 })

function textsOf(list: readonly string[]): Texts {
  const parts = list.map((each) => Buffer.from(each))
  let end = 0
  const ends = Uint32Array.from(parts, (part) => {
    end += part.length
    return end
  })
  return { text: Buffer.concat(parts), ends }
}

function hashed(list: readonly string[]): HashedTexts {
  const { text: bytes, ends } = textsOf(list)
  const hashes = ends.map((end, index) => hashBytes(bytes, ends[index - 1] ?? 0, end))
  return { bytes, ends, hashes, count: list.length }
}

function found(list: readonly string[], wanted: readonly string[]): number[] {
  const all = textsOf(list)
  const table = { ...all, slots: fillSlots(all) }
  const lookup = new BatchLookup(wanted.length)
  return [...lookup.find(table, hashed(wanted))].slice(0, wanted.length)
}

describe('texts that are looked up at once', () => {
  it('are found each by its number, and no others are', () => {
    fc.assert(
      fc.property(texts, fc.array(text, { maxLength: 100 }), (list, others) => {
        const wanted = [...others, ...list]
        expect(found(list, wanted)).toEqual(wanted.map((each) => list.indexOf(each)))
      }),
      { numRuns: 200 },
    )
  })

  it('are told apart where their hashes are the same', () => {
    const [first, second] = ['costarring', 'liquid']
    const { hashes } = hashed([first, second])
    expect(hashes[0]).toBe(hashes[1])
    expect(found([first, second], [second, first])).toEqual([1, 0])
    expect(found([first], [second])).toEqual([-1])
  })
})
