/** What each operation gives for its price, asked from the built service: nothing is sold at two prices, or given for nothing. */
import { afterAll, describe, expect, test } from 'vitest'
import { membersOf, parametersOf } from '../../../src/api/schemas/inputs.ts'
import { type RouteName, routeNames } from '../../../src/operations.ts'
import { type FieldName, fieldNames } from '../../../src/request-parameters.ts'
import { type Reply, toolCall } from '../../support/program.ts'
import { sharedShop } from '../../support/shared.ts'

const shop = sharedShop(['--opening-credit', '1000'])
afterAll(() => shop.expectAddingUp())

/** USD for each item with a field, beside the price of the query: a new field needs a row. The price of detail is 2. */
const usdOfItem: Readonly<Record<FieldName, number>> = {
  sdu: 0,
  name: 0,
  rank: 0,
  country_name: 0,
  topic: 0,
  bio: 2,
  country: 0,
  topics: 2,
  socials: 2,
  authority_score: 0,
  website: 2,
}

/** A request with fields by each operation that takes them; the USD of its queries, and its items with a person. */
interface Sold {
  readonly target: string
  readonly body?: object
  readonly queriesUsd: number
  readonly items: number
  /** Whether the price of the queries is that of profiles. */
  readonly sellsProfiles?: true
}
const handles = ['@SenCapito', 'github:davidtwco', 'nobody-at-all']
const sold: Readonly<Partial<Record<RouteName, Sold>>> = {
  search: { target: '/api/v1/index?query=health&limit=2', queriesUsd: 0.001, items: 2 },
  detail: {
    target: '/api/v1/detail?sdus=351273370525540258',
    queriesUsd: 2,
    items: 1,
    sellsProfiles: true,
  },
  peers: { target: '/api/v1/peers?handles=SenCapito&limit=2', queriesUsd: 0.003, items: 2 },
  match: { target: `/api/v1/match?handles=${handles}`, queriesUsd: 0.0015, items: 2 },
  rank: { target: '/api/v1/rank', body: { sources: handles }, queriesUsd: 0.003, items: 2 },
}

/** The members of each item of the operations without fields, which cost their query or nothing. */
const members: Readonly<Partial<Record<RouteName, readonly string[]>>> = {
  autocomplete: ['kind', 'text', 'sdu', 'name', 'topic', 'handle', 'authorities'],
  topics: ['topic', 'aliases', 'authorities'],
  snapshots: [
    ...['id', 'parent', 'created_at', 'published_at', 'authorities', 'topics', 'recipe', 'digest'],
  ],
  snapshot: [
    ...['id', 'parent', 'created_at', 'published_at', 'authorities', 'topics', 'recipe', 'digest'],
    ...['counts', 'people_changed', 'stability', 'citation'],
  ],
  changes: ['type', 'sdu', 'topic', 'before', 'after'],
  history: ['sdu', 'snapshot_id', 'at', 'topic', 'rank', 'authority_score'],
}

function takesFields(route: RouteName): boolean {
  return [...parametersOf(route), ...membersOf(route)].some(({ name }) => name === 'fields')
}

function askFor({ target, body }: Sold, fields: readonly string[], headers = {}): Promise<Reply> {
  if (body === undefined) {
    return shop.ask(`${target}${fields.length > 0 ? `&fields=${fields}` : ''}`, { headers })
  }
  const chosen = fields.length > 0 ? { ...body, fields } : body
  const json = { 'content-type': 'application/json', ...headers }
  return shop.ask(target, { method: 'POST', headers: json, body: JSON.stringify(chosen) })
}

const costOf = ({ headers }: Reply) => Number(headers.get('x-cost-usd'))

describe('suggestions', () => {
  const typed = '/api/v1/autocomplete?query=@sencapito'

  test('cost nothing, and of a handle give its text alone', async () => {
    const { status, headers, json } = await shop.ask(typed)
    expect([status, headers.get('x-cost-usd')]).toEqual([200, '0.00'])
    const [{ handle }] = json.results
    const nothing = { sdu: null, name: null, topic: null, authorities: null }
    expect(handle).toMatch(/^[a-z]+:sencapito$/)
    expect(json.results).toEqual([{ kind: 'handle', text: handle, handle, ...nothing }])
  })

  test('are refused to an account without the means for a search, as a search is', async () => {
    await shop.command('account', 'create', 'poor', '--opening-credit', '0')
    const ask = await shop.asking((await shop.commandJson('key', 'issue', '--account', 'poor')).key)
    const [paid, free] = [await ask('/api/v1/index?query=health'), await ask(typed)]
    expect([free.status, free.json.type, free.json.results]).toEqual([402, paid.json.type, []])
    const { cost_usd, balance_usd } = paid.json
    expect(free.json).toMatchObject({ cost_usd, balance_usd })
    // A list of topics says nothing of people, and is there for who has no money yet.
    expect((await ask('/api/v1/topics')).status).toBe(200)
  })

  test('are refused to a key whose cap is reached, and not before', async () => {
    const { ask } = await shop.issued('--cap', '0.001')
    expect((await ask(typed)).status).toBe(200)
    expect((await ask('/api/v1/index?query=health')).headers.get('x-key-remaining-usd')).toBe(
      '0.00',
    )
    const refused = await ask(typed)
    expect([refused.status, refused.json]).toMatchObject([
      402,
      { type: 'urn:authority-index:problem:cap-reached', wall: 'key', remaining_usd: 0 },
    ])
  })
})

describe('each operation', () => {
  test('has a row here: what it gives, and for how much', () => {
    expect(Object.keys(usdOfItem)).toEqual([...fieldNames])
    expect(Object.keys(sold)).toEqual(routeNames.filter(takesFields))
    expect(Object.keys(members)).toEqual(routeNames.filter((route) => !takesFields(route)))
  })

  test.each(Object.entries(sold))(
    'costs for each item what its fields cost: %s',
    async (_, row) => {
      const { queriesUsd, items, sellsProfiles } = row
      expect(costOf(await askFor(row, []))).toBeCloseTo(queriesUsd, 9)
      for (const name of fieldNames) {
        const reply = await askFor(row, ['sdu', name])
        expect(reply.status).toBe(200)
        const people = reply.json.results.filter(({ sdu }: { sdu: string | null }) => sdu !== null)
        expect(people).toHaveLength(items)
        const itemsUsd = sellsProfiles ? 0 : items * usdOfItem[name]
        expect([name, costOf(reply)]).toEqual([name, expect.closeTo(queriesUsd + itemsUsd, 9)])
      }
      // One profile an item, however many of its fields.
      const all = await askFor(row, fieldNames)
      expect(costOf(all)).toBeCloseTo(queriesUsd + (sellsProfiles ? 0 : items * 2), 9)
    },
  )

  test('without fields gives nothing of a profile', async () => {
    const [{ id }] = (await shop.ask('/api/v1/snapshots')).json.results
    const targets: Readonly<Record<string, string>> = {
      autocomplete: '/api/v1/autocomplete?query=he',
      topics: '/api/v1/topics',
      snapshots: '/api/v1/snapshots',
      snapshot: `/api/v1/snapshots/${id}`,
      changes: `/api/v1/changes?since=${id}`,
      history: '/api/v1/history?sdus=351273370525540258',
    }
    for (const [route, names] of Object.entries(members)) {
      const { status, json } = await shop.ask(targets[route]!)
      expect([route, status]).toEqual([route, 200])
      for (const item of json.results) expect(Object.keys(item)).toEqual(names)
      const ofProfile = fieldNames.filter((name) => usdOfItem[name] > 0)
      if (!route.startsWith('snapshot')) {
        expect(names.filter((name) => ofProfile.includes(name as FieldName))).toEqual([])
      }
    }
  })
})

describe('profiles by fields', () => {
  const bios = sold.search!

  test('cost the same the second time, and nothing under a repeated Idempotency-Key', async () => {
    const costs = await Promise.all([1, 2, 3].map(async () => costOf(await askFor(bios, ['bio']))))
    expect(costs).toEqual([4.001, 4.001, 4.001])
    for (const row of [bios, sold.rank!, sold.match!]) {
      const headers = { 'idempotency-key': `profiles-${row.target.slice(8, 13)}` }
      const first = await askFor(row, ['bio'], headers)
      const second = await askFor(row, ['bio'], headers)
      expect(costOf(first)).toBeGreaterThan(4)
      expect([costOf(second), second.headers.get('idempotent-replay')]).toEqual([0, 'true'])
      const spent =
        Number(first.headers.get('x-balance-usd')) - Number(second.headers.get('x-balance-usd'))
      expect(spent).toBeCloseTo(0, 9)
    }
  })

  test('are sold as queries of detail', async () => {
    const { ask } = await shop.issued()
    expect((await ask('/api/v1/index?query=health&limit=2&fields=bio')).status).toBe(200)
    await expect
      .poll(async () => {
        const { by_operation: by } = (await ask('/api/v1/account')).json.results[0].usage.key.today
        return by.filter(({ cost_usd }: { cost_usd: number }) => cost_usd > 0)
      })
      .toEqual([
        { operation: 'detail', queries: 2, cost_usd: 4 },
        { operation: 'search', queries: 1, cost_usd: 0.001 },
      ])
  })

  test('need a balance for as many as the request may have, and cost those that there are', async () => {
    const { ask } = await shop.issued('--cap', '5')
    const one = '/api/v1/index?query=@SenCapito&fields=sdu,bio'
    const refused = await ask(one)
    expect([refused.status, refused.json.cost_usd]).toEqual([402, 20.001])
    for (let times = 0; times < 2; times += 1) {
      const answered = await ask(`${one}&limit=2`)
      if (times === 0) expect([answered.status, costOf(answered)]).toEqual([200, 2.001])
      // Kept answers need no less.
      else expect([answered.status, answered.json.cost_usd]).toEqual([402, 4.001])
    }
  })

  test('are free under a repeated Idempotency-Key also where the balance would not do for them', async () => {
    const { key } = await shop.issued('--cap', '20.002')
    const headers = { authorization: `Bearer ${key}`, 'idempotency-key': 'profiles-left' }
    const target = '/api/v1/index?query=health&fields=bio'
    const answers = [await shop.ask(target, { headers }), await shop.ask(target, { headers })]
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers.map(costOf)).toEqual([20.001, 0])
  })

  test('cost the same by the tools', async () => {
    const before = Number((await askFor(sold.match!, [])).headers.get('x-balance-usd'))
    const called = toolCall('match_handle', { handles, fields: ['bio'] })
    expect((await shop.ask('/mcp', called)).status).toBe(200)
    const after = Number((await askFor(sold.match!, [])).headers.get('x-balance-usd'))
    expect(before - after).toBeCloseTo(2 * 0.0015 + 2 * 2, 9)
  })

  test('are one an item also in aligned answers, and null costs none', async () => {
    const target = '/api/v1/match'
    const body = { handles: ['nobody', '@SenCapito', 'nobody'], aligned: true, fields: ['website'] }
    const reply = await askFor({ target, body, queriesUsd: 0, items: 0 }, [])
    expect(reply.json.results.map((each: unknown) => each !== null)).toEqual([false, true, false])
    expect(costOf(reply)).toBeCloseTo(2 * 0.0005 + 2, 9)
  })
})
