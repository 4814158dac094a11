/** `X-Tag` on the built service: the bill of an account by tag, and what is no tag. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { limits } from '../../src/limits.ts'
import { match, Shop } from '../support/shop.ts'

let directory: string
let shop: Shop

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tags-'))
  shop = await Shop.open(join(directory, 'data'), ['--threads', '2'])
})
afterAll(async () => {
  await shop.end('SIGKILL')
  rmSync(directory, { recursive: true, force: true })
})

/** The status of a match with a header `X-Tag` for each value, byte by byte. */
function statusWith(...tags: string[]): Promise<number> {
  const headers = { authorization: `Bearer ${shop.key}`, 'x-tag': tags }
  return new Promise((resolve, reject) => {
    const sent = request(`${shop.address}${match}`, { headers, agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    sent.on('error', reject).end()
  })
}

const tagged = (tag: string) => ({ headers: { 'x-tag': tag } })

/** Queries by tag and operation, as the command says them. */
async function byTag() {
  const rows = await shop.commandJson('account', 'usage', 'default', '--by', 'tag,operation')
  return rows.map((row: Record<string, unknown>) => [row.tag, row.operation, row.queries])
}

test('divides the bill by tag, of GET, POST and tools, from the first request on', async () => {
  expect((await shop.ask('/api/v1/match?handle=a,b', tagged('web'))).status).toBe(200)
  expect((await shop.ask('/api/v1/index?query=rust', tagged('web'))).status).toBe(200)
  expect((await shop.ask(match)).status).toBe(200)
  expect((await shop.ask(match, tagged(''))).status).toBe(200)
  const body = JSON.stringify({ handles: ['a', 'b', 'c'] })
  const json = { 'content-type': 'application/json', 'x-tag': 'batch' }
  expect((await shop.ask('/api/v1/match', { method: 'POST', body, headers: json })).status).toBe(
    200,
  )
  const call = {
    ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
    params: { name: 'match_handle', arguments: { handles: ['@a'] } },
  }
  const headers = {
    ...{ 'content-type': 'application/json', 'x-tag': 'agent' },
    ...{ accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' },
  }
  const answered = await shop.ask('/mcp', { method: 'POST', body: JSON.stringify(call), headers })
  expect([answered.status, answered.text]).toEqual([
    200,
    expect.stringContaining('No authority owns @a'),
  ])
  await expect.poll(byTag).toEqual([
    ['(none)', 'match', 2],
    ['agent', 'match', 1],
    ['batch', 'match', 3],
    ['web', 'match', 2],
    ['web', 'search', 1],
  ])
  await shop.expectAddingUp()
})

test('shows to the customer, and as a table whose sums are those of the statement', async () => {
  const { usage } = (await shop.ask('/api/v1/account')).json.results[0]
  expect(usage.account.month.by_tag).toEqual([
    { tag: null, queries: 2, cost_usd: 0.001 },
    { tag: 'agent', queries: 1, cost_usd: 0.0005 },
    { tag: 'batch', queries: 3, cost_usd: 0.0015 },
    { tag: 'web', queries: 3, cost_usd: 0.002 },
  ])
  const file = join(directory, 'tags.csv')
  await shop.command('account', 'usage', 'default', '--by', 'tag', '--table', file)
  const rows = readFileSync(file, 'utf8').trim().split(/\r?\n/).slice(1)
  const sum = rows.reduce((total, row) => total + Number(row.split(',').at(-1)), 0)
  const { charged_usd } = await shop.commandJson('account', 'statement', 'default')
  expect(sum).toBeCloseTo(charged_usd, 9)
})

test('refuses what is no tag, says so, and charges nothing', async () => {
  const before = (await shop.ask('/api/v1/account')).json.results[0].balance_usd
  for (const tags of [
    ['a,b'],
    ['a b'],
    ['=1+1'],
    ['--tag'],
    ['x'.repeat(65)],
    ['x'.repeat(10_000)],
    ['Z\u00fcrich'],
    ['a', 'b'],
    ['a', 'a'],
  ]) {
    expect([tags.join(' ').slice(0, 20), await statusWith(...tags)]).toEqual([
      tags.join(' ').slice(0, 20),
      400,
    ])
  }
  const { json } = await shop.ask(match, tagged('a b'))
  expect(json.detail).toMatch(/^X-Tag is not one tag: 1 to 64 of .*; nothing was charged$/)
  expect((await shop.ask('/api/v1/account')).json.results[0].balance_usd).toBe(before)
})

test('takes a hundred tags of an account, refuses the next on every thread, and goes on after a kill', async () => {
  const known = 3
  for (let n = known; n < limits.tagsMax; n += 1) expect(await statusWith(`t${n}`)).toBe(200)
  // Each connection may come to another thread.
  for (let n = 0; n < 8; n += 1) expect(await statusWith(`more-${n}`)).toBe(400)
  expect(await statusWith('t7')).toBe(200)
  expect(await statusWith()).toBe(200)
  await expect.poll(async () => (await byTag()).length).toBeGreaterThan(limits.tagsMax)
  await shop.end('SIGKILL')
  shop = await Shop.open(shop.data, ['--threads', '2'])
  Object.assign(shop, { key: (await shop.issueKey()).key })
  await expect.poll(() => statusWith('web')).toBe(200)
  expect(await statusWith('more-9')).toBe(400)
  const { json } = await shop.ask(match, tagged('more-9'))
  expect(json.detail).toContain('one more than the 100 tags that an account has')
  await shop.expectAddingUp()
})

test('cannot be divided by tag and by key at once', async () => {
  await expect(shop.command('account', 'usage', 'default', '--by', 'tag,key')).rejects.toThrow(
    /--by tag goes with day and operation/,
  )
})
