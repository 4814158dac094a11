/** What each operation gives for its price, asked from the built service: nothing is sold at two prices, or given for nothing. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Reply, Shop } from '../support/shop.ts'

let directory: string
let shop: Shop

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'prices-'))
  shop = await Shop.open(join(directory, 'data'))
})
afterAll(async () => {
  await shop.expectAddingUp()
  await shop.end()
  rmSync(directory, { recursive: true, force: true })
})

/** What asks with a key, once the service knows it. */
async function asking(key: string) {
  const ask = (target: string) => shop.ask(target, { headers: { authorization: `Bearer ${key}` } })
  await expect.poll(async () => (await ask('/api/v1/topics?limit=1')).status).not.toBe(401)
  return ask
}

/** The headers in which two free answers differ. */
function limitIn({ status, headers }: Reply) {
  return [status, headers.get('ratelimit-policy'), headers.get('retry-after')]
}

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

  test('give no score', async () => {
    const { json } = await shop.ask('/api/v1/autocomplete?query=he&limit=50')
    expect(new Set(json.results.map(({ kind }: { kind: string }) => kind)).size).toBeGreaterThan(1)
    for (const item of json.results) expect(item).not.toHaveProperty('authority_score')
  })

  test('are refused to an account without the means for a search, as a search is', async () => {
    await shop.command('account', 'create', 'poor', '--opening-credit', '0')
    const ask = await asking((await shop.commandJson('key', 'issue', '--account', 'poor')).key)
    const [paid, free] = [await ask('/api/v1/index?query=health'), await ask(typed)]
    expect([free.status, free.json.type, free.json.results]).toEqual([402, paid.json.type, []])
    const { cost_usd, balance_usd } = paid.json
    expect(free.json).toMatchObject({ cost_usd, balance_usd })
    // A list of topics says nothing of people, and is there for who has no money yet.
    expect((await ask('/api/v1/topics')).status).toBe(200)
  })

  test('are refused to a key whose cap is reached, and not before', async () => {
    const { key } = await shop.issueKey('--cap', '0.001')
    const ask = await asking(key)
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

  test('and every other free answer have a rate of their account without a setting', async () => {
    const free = [typed, '/api/v1/topics', '/api/v1/snapshots']
    for (const target of free) {
      // On a machine that takes seconds for so many requests the rate is kept by themselves.
      let refused: Reply | undefined
      while (refused === undefined) {
        const replies = await Promise.all(Array.from({ length: 300 }, () => shop.ask(target)))
        refused = replies.find(({ status }) => status === 429)
      }
      expect(limitIn(refused)).toEqual([429, '"lookup";q=100;w=1', '1'])
    }
    expect((await shop.ask('/api/v1/match?handle=nobody')).status).toBe(200)
  })
})
