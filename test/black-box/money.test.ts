/** Money is exact in both directions, and nothing that is no amount is read as one. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { balanceMicroUsdMax, formatUsd, parseUsd, usdNumber } from '../../src/money.ts'
import { tableAt } from '../support/table-sections.ts'

const rowsOf = tableAt(new URL('money.tsv', import.meta.url))

const amount = fc.integer({ min: 0, max: balanceMicroUsdMax })

describe('money', () => {
  test('every amount is read back from its text', () => {
    fc.assert(fc.property(amount, (micro) => parseUsd(formatUsd(micro)) === micro))
  })

  test('every amount is read back from the text that JSON gives its number', () => {
    fc.assert(
      fc.property(amount, (micro) => {
        const text = JSON.stringify(usdNumber(micro))
        return parseUsd(text) === micro
      }),
    )
  })

  test.each(rowsOf('no amounts'))('refuses %j', (text) => {
    expect(parseUsd(text)).toBeUndefined()
  })

  test.each(rowsOf('amounts in micro-USD'))('writes %i micro-USD as %s', (micro, text) => {
    expect(formatUsd(Number(micro))).toBe(text)
  })
})
