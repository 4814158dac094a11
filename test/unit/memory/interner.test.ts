/** Interners: numbers of texts, whatever room there was for them. */
import { deepStrictEqual } from 'node:assert/strict'
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

  it('gives many texts at once the numbers that it gives them one after the other', () => {
    const [single, several] = [new Interner(), new Interner()]
    const lookup = new BatchLookup(50)
    const random = new Random(3, 1)
    for (let time = 0; time < 400; time += 1) {
      // Some are new, some twice among them, and the table grows meanwhile.
      const some = Array.from({ length: random.between(0, 50) }, () => texts[random.below(2_000)]!)
      const expected = some.map((text) => single.intern(text))
      const numbers = several.internAll(hashed(some), lookup)
      expect(Array.from(numbers.subarray(0, some.length))).toEqual(expected)
    }
    deepStrictEqual(several.table(), single.table())
  })

  it('tells texts of one hash apart, one after the other and at once', () => {
    const [first = '', second = ''] = ['costarring', 'liquid']
    const { hashes } = hashed([first, second])
    expect(hashes[0]).toBe(hashes[1])
    const interner = new Interner()
    interner.intern(first)
    const lookup = new BatchLookup(2)
    for (const [one, other] of [
      [second, first],
      [first, second],
    ] as const) {
      const numbers = [...interner.internAll(hashed([one, other]), lookup)]
      expect(numbers).toEqual([one, other].map((text) => interner.intern(text)))
    }
    expect([first, second].map((text) => interner.find(text))).toEqual([0, 1])
  })
})
