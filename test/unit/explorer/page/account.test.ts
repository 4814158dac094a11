/** What the page of the account makes of figures: bars, days without usage, warnings. */
import { describe, expect, it } from 'vitest'
import {
  type AccountView,
  capText,
  warningOf,
} from '../../../../src/explorer/page/model/account/account-view.ts'
import {
  barsField,
  barsOf,
  barsText,
  everyDay,
} from '../../../../src/explorer/page/model/account/day-bars.ts'
import { addressOf, ownAccount, visitAt } from '../../../../src/explorer/page/model/address.ts'

const days = [
  { day: '2026-07-01', queries: 10, cost_usd: 0.01 },
  { day: '2026-07-02', queries: 0, cost_usd: 0 },
  { day: '2026-07-03', queries: 1_000_000, cost_usd: 1_000 },
]

describe('bars', () => {
  it('have the height of their share, none for nothing, and are seen for little', () => {
    const { bars, most } = barsOf(days, 'queries')
    expect(most).toBe(1_000_000)
    expect(bars.map(({ height }) => height)).toEqual([2, 0, barsField.height])
    expect(bars.every(({ y, height }) => y + height === barsField.height)).toBe(true)
  })

  it('of days without usage, and of no days, are none', () => {
    expect(barsOf([days[1]!], 'cost_usd')).toMatchObject({ most: 0, bars: [{ height: 0 }] })
    expect(barsOf([], 'cost_usd')).toEqual({ bars: [], most: 0 })
    expect(barsText([], 'cost_usd')).toBe('Cost by day: no days.')
  })

  it('are said in words', () => {
    expect(barsText(days, 'cost_usd')).toBe(
      'Cost by day from 2026-07-01 to 2026-07-03: $1,000.01 in all, most on 2026-07-03: $1,000.00.',
    )
  })
})

describe('every day', () => {
  it('is there once, across the end of a month, with the sum of what is known of it', () => {
    const known = [
      { day: '2026-02-28', queries: 1, cost_usd: 0.1 },
      { day: '2026-02-28', queries: 2, cost_usd: 0.2 },
      { day: '2025-01-01', queries: 9, cost_usd: 9 },
    ]
    expect(everyDay(known, '2026-03-01', 3)).toEqual([
      { day: '2026-02-27', queries: 0, cost_usd: 0 },
      { day: '2026-02-28', queries: 3, cost_usd: 0.3 },
      { day: '2026-03-01', queries: 0, cost_usd: 0 },
    ])
  })
})

describe('a warning', () => {
  const view = (balance: number, left: number | null = null, prices = [0, 0.001, 2]) =>
    warningOf({
      balance_usd: balance,
      key: { remaining_usd: left },
      prices: prices.map((price_usd) => ({ operation: 'x', price_usd, each: 'request' })),
    } as unknown as AccountView)

  it('is given where something, or nothing, can be paid any more', () => {
    expect(view(50)).toBeUndefined()
    expect(view(1)).toContain('below the price of some')
    expect(view(0)).toContain('is used up')
    expect(view(50, 0)).toContain('cap of this key is reached')
    expect(view(0, null, [0])).toBeUndefined()
  })

  it('is not needed to read a cap', () => {
    expect(capText({ cap: null })).toBe('none')
    expect(capText({ cap: { usd: 5, period: 'day' } })).toBe('$5.00 each UTC day')
  })
})

describe('the address of the account', () => {
  it('names days where they are not the usual ones, and takes no nonsense', () => {
    const at = (search: string) => visitAt('/account', search).place
    expect(addressOf({ place: ownAccount, snapshotId: '' })).toBe('/account')
    expect(addressOf({ place: at('?days=92'), snapshotId: '' })).toBe('/account?days=92')
    for (const wrong of ['', '?days=x', '?days=-1', '?days=0'])
      expect(at(wrong)).toEqual(ownAccount)
    expect(at('?days=1000')).toEqual({ view: 'account', days: 92 })
  })
})
