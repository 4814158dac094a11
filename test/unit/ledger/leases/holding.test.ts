/** How much is leased: never more than there is, never too little to sell anything of. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  grantOf,
  idleMicroUsd,
  leaseTargetOf,
  rateAfter,
} from '../../../../src/ledger/leases/holding.ts'

const want = {
  amountMicroUsd: 1_000_000,
  neededMicroUsd: 0,
  requestMicroUsd: 1_000,
  recalls: false,
}

describe('a grant', () => {
  it('is never more than is free, nor more than was asked for unless that was needed', () => {
    const amounts = fc.integer({ min: 0, max: 10 ** 12 })
    fc.assert(
      fc.property(amounts, amounts, amounts, (free, amountMicroUsd, neededMicroUsd) => {
        const granted = grantOf(free, { ...want, amountMicroUsd, neededMicroUsd })
        expect(granted).toBeGreaterThanOrEqual(0)
        expect(granted).toBeLessThanOrEqual(free)
        expect(granted).toBeLessThanOrEqual(Math.max(amountMicroUsd, neededMicroUsd))
        expect(Number.isSafeInteger(granted)).toBe(true)
      }),
    )
  })

  it('is what is needed or nothing', () => {
    expect(grantOf(900, { ...want, neededMicroUsd: 1_000 })).toBe(0)
    expect(grantOf(1_000, { ...want, neededMicroUsd: 1_000 })).toBe(1_000)
    expect(grantOf(3_000, { ...want, neededMicroUsd: 2_500 })).toBe(2_500)
  })

  it.each([
    [50_000_000, 1_000_000],
    [800_000, 100_000],
    [20_000, 5_000],
    [6_000, 2_000],
    [1_500, 1_500],
  ])('of %i micro-USD that are free is %i', (free, granted) => {
    expect(grantOf(free, want)).toBe(granted)
  })
})

describe('a lease', () => {
  it('holds what is sold in two seconds, and never less than one that is not sold from', () => {
    expect(leaseTargetOf(0)).toBe(idleMicroUsd)
    expect(leaseTargetOf(5_000_000)).toBe(10_000_000)
  })

  it('has a rate that comes to what is sold, by half each second', () => {
    expect(rateAfter(0, 1_000, 1)).toBe(500)
    expect(rateAfter(1_000, 0, 2)).toBe(250)
    expect(rateAfter(1_000, 1_000, 1)).toBe(1_000)
  })
})
