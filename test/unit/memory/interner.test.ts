/** Interners: numbers of texts, whatever room there was for them. */
import { describe, expect, it } from 'vitest'
import { BatchLookup } from '../../../src/memory/batch-lookup.ts'
import { Interner } from '../../../src/memory/interner.ts'
import { allTexts, encodeTexts, hashBytes } from '../../../src/memory/text-table.ts'
import { Random } from '../../support/random.ts'

function hashed(some: readonly string[]) {
  const { text: bytes, starts } = encodeTexts(some)
  const hashes = starts.map((start, index) => hashBytes(bytes, start, starts[index + 1]!))
  return { bytes, starts, hashes, count: some.length }
}

/** Of one byte to a hundred, with letters of several bytes. */
const texts = Array.from({ length: 5_000 }, (_, index) => `${index}${'é'.repeat(index % 48)}`)

describe('an interner', () => {
  it('numbers texts as they come, each once, however often its table grows', () => {
    const interner = new Interner()
    const numbers = texts.map((_, index) => index)
    expect(texts.map((text) => interner.intern(text))).toEqual(numbers)
    expect(texts.map((text) => interner.intern(text))).toEqual(numbers)
    expect(texts.map((text) => interner.find(text))).toEqual(numbers)
    expect(interner.find('none of them')).toBe(-1)
    expect(allTexts(interner.table())).toEqual(texts)
  })

  it('tells texts of one hash apart, one after the other and at once', () => {
    const both = ['costarring', 'liquid']
    const { hashes } = hashed(both)
    expect(hashes[0]).toBe(hashes[1])
    const interner = new Interner()
    expect(both.map((text) => interner.intern(text))).toEqual([0, 1])
    expect(both.map((text) => interner.find(text))).toEqual([0, 1])
    expect([...new BatchLookup(2).find(interner.table(), hashed(both))]).toEqual([0, 1])
  })

  it('finds many texts at once as it finds them one after the other, also those that it has not', () => {
    const interner = new Interner()
    for (const text of texts.slice(0, 1_000)) interner.intern(text)
    const [table, lookup, random] = [interner.table(), new BatchLookup(50), new Random(3, 1)]
    for (let time = 0; time < 100; time += 1) {
      const some = Array.from({ length: random.between(0, 50) }, () => texts[random.below(2_000)]!)
      const numbers = lookup.find(table, hashed(some)).subarray(0, some.length)
      expect([...numbers]).toEqual(some.map((text) => interner.find(text)))
    }
  })
})
