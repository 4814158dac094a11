/** Pieces of terms: how many; what they find is for `test/unit/engine/interpret/search.test.ts` and the model to say. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeTexts } from '../../../src/memory/text-table.ts'
import { letterBits, mayBeNear, piecesOf } from '../../../src/snapshot/deletion-signatures.ts'
import { lettersOf } from '../../../src/text/edits.ts'
import { distance } from '../../support/oracle-search.ts'

describe('the pieces of terms', () => {
  it('are as many as short letters, eight of a longer term, none where it is very short or long', () => {
    expect(piecesOf(encodeTexts(['ab', 'x'.repeat(65)])).terms.length).toBe(0)
    expect(piecesOf(encodeTexts(['abc', 'abcde', 'abcdefg'])).terms.length).toBe(3 + 5 + 8)
    expect(piecesOf(encodeTexts(['김민준'])).terms.length).toBe(3 + 8)
  })
})

describe('words whose letters cannot be so many edits apart', () => {
  it('are told, and none that are so near', () => {
    const word = fc.string({ unit: fc.constantFrom(...'abcdяж王'), maxLength: 8 })
    fc.assert(
      fc.property(word, word, (one, other) => {
        const [a, b] = [lettersOf(one), lettersOf(other)]
        const edits = distance([...one], [...other])
        const bits = [letterBits(a), letterBits(b)] as const
        expect(mayBeNear(...bits, edits)).toBe(true)
      }),
      { numRuns: 1000 },
    )
    const bitsOf = (text: string) => letterBits(lettersOf(text))
    expect(mayBeNear(bitsOf('abcd'), bitsOf('abef'), 2)).toBe(true)
    expect(mayBeNear(bitsOf('abcd'), bitsOf('abef'), 1)).toBe(false)
    expect(mayBeNear(bitsOf('abcd'), bitsOf('ab'), 1)).toBe(false)
  })
})
