/** The least of some numbers, against sorting them. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SmallestK } from '../../../../src/engine/postings/smallest-k.ts'

describe('the least', () => {
  it('of some numbers are kept, each once, and no larger one is wanted when there are enough', () => {
    const numbers = fc.array(fc.nat(30), { maxLength: 40 })
    fc.assert(
      fc.property(numbers, fc.integer({ min: 1, max: 12 }), (shown, most) => {
        const least = new SmallestK(most)
        for (const number of shown) {
          const wantsMore = least.take(number)
          expect(wantsMore).toBe(least.numbers.length < most || number < least.numbers.at(-1)!)
        }
        const expected = [...new Set(shown)].sort((a, b) => a - b).slice(0, most)
        expect(least.numbers).toEqual(expected)
      }),
    )
  })
})
