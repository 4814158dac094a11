/** `GET /api/v1/account`: what a customer sees of its account with its ordinary key. */
import { describe, expect, it } from 'vitest'
import { AuthorityIndex } from '../../../src/client/client.ts'
import { openBooks } from '../../../src/ledger/books/open-books.ts'
import type { Charge } from '../../../src/ledger/books/port.ts'
import { openWholeSession } from '../../../src/ledger/leases/whole-session.ts'
import { operations, routeNames } from '../../../src/operations.ts'
import { temporaryDirectory } from '../../support/built.ts'
import { sharedShop } from '../../support/shared.ts'
import { Shop } from '../../support/shop.ts'

const path = operations.account.paths[0]
const shop = sharedShop(['--rate-limit', '50', '--lookup-rate-limit', '20'])

/** The item, once the ledger has committed so many queries of today. */
async function viewWith(queries: number) {
  // biome-ignore lint/suspicious/noExplicitAny: each test knows what it asked for.
  let item: any
  await expect
    .poll(
      async () => {
        item = (await shop.ask(path)).json.results[0]
        return item.usage.account.today.queries
      },
      { interval: 100 },
    )
    .toBe(queries)
  return item
}

describe('the view of an account', () => {
  it('adds up: what was credited, what was charged, and what each operation was sold', async () => {
    for (const target of ['/api/v1/match?handle=a,b', '/api/v1/index?query=rust']) {
      expect((await shop.ask(target)).status).toBe(200)
    }
    const item = await viewWith(3)
    const { balance_usd, credited_usd, charged_usd, usage, limits, prices } = item
    expect(item).toMatchObject({ account: 'default', state: 'active' })
    expect(credited_usd - charged_usd).toBeCloseTo(balance_usd, 9)
    expect(charged_usd).toBe(usage.account.month.cost_usd)
    expect(usage.account.today).toEqual(usage.account.month)
    expect(usage.key).toEqual(usage.account)
    expect(item.key).toMatchObject({
      cap: null,
      scopes: null,
      addresses: null,
      remaining_usd: null,
    })
    const sold = usage.account.today.by_operation
    expect(sold.map(({ operation, queries }: (typeof sold)[0]) => [operation, queries])).toEqual([
      ['match', 2],
      ['search', 1],
    ])
    expect(limits).toEqual({ requests_per_second: 50, lookups_per_second: 20 })
    expect(prices.map(({ operation }: (typeof prices)[0]) => operation)).toEqual(routeNames)
  })

  it('is free, and says what is live before the ledger has it', async () => {
    const before = (await shop.ask(path)).json.results[0].balance_usd
    const { headers } = await shop.ask('/api/v1/match?handle=a')
    const after = (await shop.ask(path)).json.results[0].balance_usd
    expect(after).toBeLessThan(before)
    expect(after).toBe(Number(headers.get('x-balance-usd')))
  })

  it('is the same with a slash and by the client, and no cache may keep it', async () => {
    const { headers, json } = await shop.ask(`${path}/`)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    const client = new AuthorityIndex({ baseURL: shop.address, apiKey: shop.key })
    const { account, key } = await client.account()
    expect({ account, key }).toEqual({
      account: json.results[0].account,
      key: json.results[0].key,
    })
  })

  it('is refused without a valid key, and to other methods', async () => {
    const wrong = await shop.ask(path, { headers: { authorization: 'Bearer wrong' } })
    expect([wrong.status, wrong.json.results]).toEqual([401, []])
    expect(wrong.json).toMatchObject({
      detail: 'send your key as: Authorization: Bearer <API_KEY>',
    })
    const posted = await shop.ask(path, { method: 'POST', body: '{}' })
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET'])
  })
})

describe('the view of a key with scopes', () => {
  const money = ['account', 'state', 'created_at', 'balance_usd', 'credited_usd', 'charged_usd']
  const match = '/api/v1/match?handle=a'
  const dear = '/api/v1/detail?sdus=1,2,3'

  async function issued(...words: string[]) {
    const { id, ask } = await shop.issued(...words)
    // The limit of lookups is low here.
    const view = async () => {
      let reply = await ask(path)
      while (reply.status === 429) reply = await ask(path)
      expect(reply.status).toBe(200)
      return { item: reply.json.results[0], headers: reply.headers }
    }
    return { id, ask, view }
  }

  it('has its own part only, and no header tells what the account has', async () => {
    const { id, ask, view } = await issued('--scopes', 'match,detail')
    const { item, headers } = await view()
    expect(Object.keys(item)).toEqual(['key', 'limits', 'usage', 'prices'])
    expect(Object.keys(item.usage)).toEqual(['as_of', 'key'])
    expect(item.key).toMatchObject({ id, scopes: ['detail', 'match'], remaining_usd: null })
    expect(headers.has('x-balance-usd')).toBe(false)
    const answered = await ask(match)
    expect([answered.status, answered.headers.get('x-cost-usd')]).toEqual([200, '0.0005'])
    expect(answered.headers.has('x-balance-usd')).toBe(false)
    const before = (await shop.ask(match)).headers.get('x-balance-usd')
    const { status, json } = await ask(`${dear},${Array.from({ length: 40 }, (_, n) => n + 4)}`)
    expect([status, json.cost_usd]).toEqual([402, 86])
    expect(json).not.toHaveProperty('balance_usd')
    expect(json.detail).not.toContain(before?.slice(0, 5))
  })

  it('with a cap has the rest of it in the place of the balance', async () => {
    const { ask, view } = await issued('--scopes', 'match,detail', '--cap', '0.01')
    const { headers } = await ask(match)
    const left = ['x-balance-usd', 'x-key-remaining-usd'].map((name) => headers.get(name))
    expect(left[0]).toBe(left[1])
    const { item, headers: ofView } = await view()
    expect(ofView.get('x-balance-usd')).toBe(String(item.key.remaining_usd))
    expect(item.key.remaining_usd).toBeLessThan(0.01)
    const { json } = await ask(dear)
    expect(json).toMatchObject({ status: 402, wall: 'key', cap_usd: 0.01 })
    expect(json).not.toHaveProperty('balance_usd')
  })

  it('has the account with the scope `account`', async () => {
    const { ask, view } = await issued('--scopes', 'match,account', '--cap', '1')
    const { item, headers } = await view()
    expect(Object.keys(item)).toEqual(expect.arrayContaining(money))
    expect(item.usage).toHaveProperty('account')
    expect(headers.get('x-balance-usd')).toBe(String(item.balance_usd))
    expect((await ask(match)).headers.get('x-balance-usd')).toMatch(/^4/)
  })

  it('has all of it where the key has a cap and no scopes', async () => {
    const { ask, view } = await issued('--cap', '1')
    expect(Object.keys((await view()).item)).toEqual(expect.arrayContaining(money))
    expect((await ask(match)).headers.get('x-balance-usd')).toMatch(/^4/)
  })
})

const dayMs = 86_400_000

interface SoldDay {
  /** Days before today. */
  readonly ago: number
  readonly searches: number
  readonly matches: number
}

/** Makes a ledger that was sold from on many days, without waiting for them. @returns a key with a cap of 40 USD a month. */
async function soldOverDays(data: string, days: readonly SoldDay[]): Promise<string> {
  const lastMs = Date.now()
  let nowMs = lastMs - 100 * dayMs
  const clock = () => nowMs
  const books = await openBooks({ data, ledger: null, clock, create: true })
  await books.createAccount('acme')
  const cap = { amountMicroUsd: 40_000_000, period: 'month' } as const
  const { text, record } = await books.issueKey({ account: 'acme', cap })
  await books.close()
  const whole = { directory: data, node: 'test', clock, report: () => {} }
  const session = await openWholeSession(whole)
  await session.readChanges()
  for (const [at, { ago, searches, matches }] of days.entries()) {
    nowMs = lastMs - ago * dayMs
    const of = { accountNumber: 1, keyId: record.id, isCapped: true as const }
    const charges: Charge[] = [
      { ...of, route: 'search', queries: searches, amountMicroUsd: searches * 1_000 },
      { ...of, route: 'match', queries: matches, amountMicroUsd: matches * 500 },
    ]
    await session.commit({ number: at + 1, charges })
  }
  await session.close()
  return text
}

describe('usage by day', () => {
  const dayOf = (ago: number) => new Date(Date.now() - ago * dayMs).toISOString().slice(0, 10)

  it('is there where `days` asks for it, each day once, also the days without usage', async () => {
    const { json } = await shop.ask(`${path}?days=3`)
    const { account, key } = json.results[0].usage
    for (const { days, today } of [account, key]) {
      expect(days.map(({ day }: { day: string }) => day)).toEqual([2, 1, 0].map(dayOf))
      const { queries, cost_usd } = today
      expect(days.at(-1)).toEqual({ day: dayOf(0), queries, cost_usd })
      expect(days[0]).toEqual({ day: dayOf(2), queries: 0, cost_usd: 0 })
    }
    const without = (await shop.ask(path)).json.results[0].usage
    expect([without.account.days, without.key.days]).toEqual([undefined, undefined])
  })

  it.each(['', '0', '93', '-1', '1.5', 'x', '07', '5&days=5'])(
    'is a 400 for days=%s',
    async (days) => {
      // A machine in a hurry meets the limit of lookups first.
      const refusal = async () => {
        const { status, json } = await shop.ask(`${path}?days=${days}`)
        return [status, json.type, json.detail?.includes('days')]
      }
      const type = 'urn:authority-index:problem:invalid-parameter'
      await expect.poll(refusal).toEqual([400, type, true])
    },
  )

  it('reaches beyond the month without changing its sums, and says what the cap has left', async () => {
    const directory = temporaryDirectory()
    const days = [91, 32, 26, 1, 0].map((ago) => ({ ago, searches: ago + 1, matches: 2 }))
    const key = await soldOverDays(directory, days)
    const old = await Shop.open(directory)
    const headers = { authorization: `Bearer ${key}` }
    const { json } = await old.ask(`${path}?days=92`, { headers })
    const plain = await old.ask(path, { headers })
    await old.end('SIGKILL')
    const { usage, key: own } = json.results[0]
    const sold = Object.fromEntries(days.map(({ ago, searches }) => [dayOf(ago), searches + 2]))
    for (const owner of ['account', 'key']) {
      const shown = usage[owner].days as { readonly day: string; readonly queries: number }[]
      expect(shown).toHaveLength(92)
      const used = shown.filter(({ queries }) => queries > 0)
      expect(Object.fromEntries(used.map(({ day, queries }) => [day, queries]))).toEqual(sold)
      const { month, today } = plain.json.results[0].usage[owner]
      expect(usage[owner]).toMatchObject({ month, today })
      const ofMonth = shown.filter(({ day }) => day.slice(0, 7) === dayOf(0).slice(0, 7))
      expect(month.queries).toBe(ofMonth.reduce((sum, { queries }) => sum + queries, 0))
    }
    expect(own.cap).toEqual({ usd: 40, period: 'month' })
    expect(own.remaining_usd).toBeCloseTo(40 - usage.key.month.cost_usd, 9)
  })
})

describe('many views at once', () => {
  it('counts against the limit of lookups, and not of queries', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 200 }, async () => (await shop.ask(path)).status),
    )
    expect(statuses).toContain(429)
    expect(statuses.every((status) => [200, 429, 503].includes(status))).toBe(true)
    expect((await shop.ask('/api/v1/match?handle=a')).status).toBe(200)
  })
})
