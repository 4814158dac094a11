/** `account usage`: what keys were sold, divided as asked, printed or as a table. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { temporaryDirectory } from '../../../support/built.ts'
import { run } from '../../../support/program.ts'
import { match, Shop } from '../../../support/shop.ts'

it('account usage divides by key, operation and day, and adds up to the statement', async () => {
  const shop = await Shop.open(temporaryDirectory())
  onTestFinished(() => void shop.end('SIGKILL'))
  const issued = await shop.issueKey()
  await expect.poll(() => shop.statusWith(issued.key)).toBe(200)
  for (let asked = 0; asked < 3; asked += 1) expect((await shop.ask(match)).status).toBe(200)
  expect((await shop.ask('/api/v1/index?query=rust')).status).toBe(200)
  await shop.end()
  const usage = (...words: string[]) => shop.commandJson('account', 'usage', 'default', ...words)
  const [first] = (await shop.commandJson('key', 'list')) as { key_id: string }[]
  const sold = await usage('--by', 'operation,key')
  const ofFirst = { key: first!.key_id }
  expect(sold).toEqual(
    expect.arrayContaining([
      { ...ofFirst, operation: 'match', queries: 3, cost_usd: 0.0015 },
      { ...ofFirst, operation: 'search', queries: 1, cost_usd: 0.001 },
      { key: issued.key_id, operation: 'match', queries: 1, cost_usd: 0.0005 },
    ]),
  )
  const { charged_usd } = await shop.commandJson('account', 'statement', 'default')
  for (const by of ['key', 'day', 'key,day', 'operation']) {
    const sums = (await usage('--by', by)) as { cost_usd: number }[]
    const total = sums.reduce((sum, { cost_usd }) => sum + cost_usd, 0)
    expect(total).toBeCloseTo(charged_usd, 9)
  }
  expect(await usage('--to', '2020-01-01')).toEqual([])
  const table = join(temporaryDirectory(), 'usage.csv')
  await usage('--by', 'operation', '--table', table)
  expect(readFileSync(table, 'utf8').split(/\r?\n/)).toEqual([
    'operation,queries,cost_usd',
    'match,4,0.002',
    'search,1,0.001',
    '',
  ])
  const wrong = await run(['account', 'usage', 'default', '--table', 'x.doc', '--data', shop.data])
  expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining('.ndjson')])
  await shop.command('ledger', 'verify')
})
