/** `GET /api/v1/account`: what a customer sees of its account with its ordinary key. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AuthorityClient } from '../../src/client/authority-client.ts'
import { operations, routeNames } from '../../src/operations.ts'
import { Shop } from '../support/shop.ts'

const path = operations.account.paths[0]
let data: string
let shop: Shop

beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), 'account-'))
  shop = await Shop.open(data, ['--rate-limit', '50', '--lookup-rate-limit', '20'])
})

afterAll(async () => {
  await shop.end('SIGKILL')
  rmSync(data, { recursive: true })
})

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
      { interval: 100, timeout: 10_000 },
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
    expect(item.key).toMatchObject({ cap: null, scopes: null, addresses: null })
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
    const client = new AuthorityClient({ baseUrl: shop.address, apiKey: shop.key })
    const { account, key } = await client.account()
    await client.close()
    expect({ account, key }).toEqual({
      account: json.results[0].account,
      key: json.results[0].key,
    })
  })

  it('is refused without a valid key, and to other methods', async () => {
    const wrong = await shop.ask(path, { headers: { authorization: 'Bearer wrong' } })
    expect([wrong.status, wrong.json.results]).toEqual([401, []])
    const posted = await shop.ask(path, { method: 'POST', body: '{}' })
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET'])
  })

  it('counts against the limit of lookups, and not of queries', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 200 }, async () => (await shop.ask(path)).status),
    )
    expect(statuses).toContain(429)
    expect(statuses.every((status) => [200, 429, 503].includes(status))).toBe(true)
    expect((await shop.ask('/api/v1/match?handle=a')).status).toBe(200)
  })
})
