/** Usage as CSV: the rows of the JSON, and the same sums. */
import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { newAdmin } from '../../support/administered.ts'
import { temporaryDirectory } from '../../support/ledger-fixture.ts'
import { soldOverDays } from '../../support/sold-days.ts'

const divisions = ['route', 'key'] as const

/** An API over a ledger that sold something on three days. */
async function sold() {
  const data = temporaryDirectory()
  const days = [
    { ago: 40, searches: 7, matches: 0 },
    { ago: 1, searches: 3, matches: 2 },
    { ago: 0, searches: 1, matches: 5 },
  ]
  const lastMs = Date.parse('2026-07-28T12:00:00Z')
  await soldOverDays({ data, lastMs, account: 'acme', label: 'web', days })
  return newAdmin(undefined, data)
}

/** Cells as a CSV has them. */
function texts(rows: readonly Readonly<Record<string, unknown>>[]) {
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, String(cell ?? '')])),
  )
}

describe.each(divisions)('usage by %s', (by) => {
  it('is the same as JSON and as CSV', async () => {
    const { ask, reply } = await sold()
    const target = `/accounts/acme/usage?by=${by}`
    const { results } = (await ask('GET', target)).json
    expect(results.length).toBeGreaterThan(2)

    const csv = await reply('GET', `${target}&format=csv`)
    expect(csv.headers).toMatchObject({
      'Content-Type': 'text/csv; charset=utf-8; header=present',
      'Content-Disposition': `attachment; filename="usage-acme-by-${by}.csv"`,
      'Cache-Control': 'no-store',
    })
    expect(parse(String(csv.body), { columns: true })).toEqual(texts(results))
  })
})

describe('a file of usage', () => {
  it('is of the days that are asked for, and has its columns where nothing was sold', async () => {
    const { reply } = await sold()
    const some = await reply('GET', '/accounts/acme/usage?from=2026-07-28&format=csv')
    expect(String(some.body).trim().split('\r\n')).toHaveLength(3)
    const none = await reply('GET', '/accounts/acme/usage?to=2020-01-01&format=csv')
    expect(String(none.body)).toBe('day,route,queries,amount_usd\r\n')
  })
})
