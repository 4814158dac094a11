/** The periods of caps, in days. */
import { expect, test } from 'vitest'
import { dayName } from '../../../src/ledger/books/account-records.ts'
import {
  nextPeriodMs,
  periodDays,
  periodName,
} from '../../../src/ledger/books/caps/spending-periods.ts'

test.each([
  ['day', '2026-02-28T23:59:59.999Z', '2026-02-28', '2026-03-01'],
  ['day', '2026-03-01T00:00:00.000Z', '2026-03-01', '2026-03-02'],
  ['month', '2026-12-31T23:59:59.999Z', '2026-12-01', '2027-01-01'],
  ['month', '2028-02-29T00:00:00.000Z', '2028-02-01', '2028-03-01'],
] as const)('a %s at %s is from %s until %s', (period, time, from, until) => {
  const { fromDay, untilDay } = periodDays(period, Date.parse(time))
  expect([dayName(fromDay), dayName(untilDay)]).toEqual([from, until])
  expect(nextPeriodMs(period, Date.parse(time))).toBe(Date.parse(until))
  expect(periodName(period, Date.parse(from))).toBe(periodName(period, Date.parse(time)))
})

test('all of time is from the first day until after the last that a time can have', () => {
  const { fromDay, untilDay } = periodDays('total', Date.now())
  expect([fromDay, untilDay * 86_400_000]).toEqual([0, 8.64e15])
  expect(Number.isSafeInteger(untilDay * 86_400_000)).toBe(true)
})
