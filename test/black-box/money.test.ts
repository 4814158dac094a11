/** Money is exact in both directions, and nothing that is no amount is read as one. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { balanceMicroUsdMax, formatUsd, parseUsd, usdNumber } from '../../src/money.ts'

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

  test.each([
    '',
    '.5',
    '5.',
    '-1',
    '+1',
    '1e3',
    '1,000',
    ' 1',
    '1 ',
    '0.0000001',
    '1000000000.000001',
    '99999999999',
    'NaN',
    'Infinity',
    '0x10',
    '１',
  ])('refuses %j', (text) => {
    expect(parseUsd(text)).toBeUndefined()
  })

  test.each([
    [0, '0.00'],
    [1, '0.000001'],
    [1_000, '0.001'],
    [500_000, '0.50'],
    [50_000_000, '50.00'],
    [12_345_678, '12.345678'],
    [-1_500, '-0.0015'],
  ])('writes %i micro-USD as %s', (micro, text) => {
    expect(formatUsd(micro)).toBe(text)
  })
})
