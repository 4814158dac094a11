/** Check digits: which slips they tell. Numbers that are right and wrong: `readings.tsv`. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasCheckDigit } from '../../../src/text/check-digits.ts'

const digits = fc.stringMatching(/^\d{15}$/)

/** The number with its check digit: the one of eleven that is right. */
function completed(fifteen: string): string {
  return [...'0123456789X'].map((digit) => fifteen + digit).find(hasCheckDigit)!
}

describe('a check digit', () => {
  it('is one for every number', () => {
    fc.assert(
      fc.property(digits, (fifteen) => {
        const right = [...'0123456789X'].filter((digit) => hasCheckDigit(fifteen + digit))
        expect(right).toHaveLength(1)
      }),
    )
  })

  it('tells a digit that is wrong, and two neighbours that are exchanged', () => {
    fc.assert(
      fc.property(digits, fc.nat(14), fc.integer({ min: 1, max: 9 }), (fifteen, place, change) => {
        const right = completed(fifteen)
        const at = (index: number) => right[index]!
        const other = String((Number(at(place)) + change) % 10)
        const changed = right.slice(0, place) + other + right.slice(place + 1)
        expect(hasCheckDigit(changed)).toBe(false)
        const exchanged = right.slice(0, place) + at(place + 1) + at(place) + right.slice(place + 2)
        if (exchanged !== right) expect(hasCheckDigit(exchanged)).toBe(false)
      }),
    )
  })
})
