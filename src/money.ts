/**
 * Money: exact text in USD, and the integers in micro-USD that everything else counts in. No
 * amount is ever computed as a fraction, so no sum is ever rounded. Imports nothing, because
 * settings, ledger and answers all speak it.
 */

export const microUsdPerUsd = 1_000_000

/** Periods after which a cap on spending begins anew, by UTC: never, each day, each month. */
export const capPeriods = ['total', 'day', 'month'] as const

export type CapPeriod = (typeof capPeriods)[number]

export const openingMicroUsdDefault = 50 * microUsdPerUsd

export const lowMicroUsdDefault = 5 * microUsdPerUsd

export const topUpMicroUsdMax = 1_000_000 * microUsdPerUsd

/** Maximum balance of one account: 1,000,000,000 USD, 15 digits, which a double holds exactly. */
export const balanceMicroUsdMax = 1_000_000_000 * microUsdPerUsd

/**
 * `12.5` → 12,500,000 micro-USD. Undefined for a text that is not plain digits with at most six decimals,
 * and for anything above `balanceMicroUsdMax`; no sign, no exponent, no separators.
 */
export function parseUsd(text: string): number | undefined {
  const match = /^(\d{1,10})(?:\.(\d{1,6}))?$/.exec(text)
  if (match === null) return undefined
  const amountMicroUsd = Number(match[1]) * microUsdPerUsd + Number((match[2] ?? '').padEnd(6, '0'))
  return amountMicroUsd <= balanceMicroUsdMax ? amountMicroUsd : undefined
}

/** 12,500,000 → `12.50`: two decimals, or as many more as the amount needs; `-0.001` below zero. */
export function formatUsd(amountMicroUsd: number | bigint): string {
  const sign = amountMicroUsd < 0 ? '-' : ''
  const digits = String(amountMicroUsd).replace('-', '').padStart(7, '0')
  const decimals = digits.slice(-6).replace(/0{1,4}$/, '')
  return `${sign}${digits.slice(0, -6)}.${decimals}`
}

/**
 * The amount as a JSON number of USD. Division by 10⁶ is correctly rounded and the amount has at
 * most 15 digits, so the shortest text of the double, which JSON prints, is the exact amount. A sum of
 * accounts may have more; then it is the nearest double.
 */
export function usdNumber(amountMicroUsd: number | bigint): number {
  return Number(amountMicroUsd) / microUsdPerUsd
}
