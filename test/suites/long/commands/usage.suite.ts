/** `admin getUsage`: what keys were sold, by day and operation, as JSON and as a table. */
import { expect, it, onTestFinished } from 'vitest'
import { temporaryDirectory } from '../../../support/built.ts'
import { match, Shop } from '../../../support/shop.ts'

it('tells each key apart, and adds up to the statement', async () => {
  const shop = await Shop.open(temporaryDirectory())
  onTestFinished(() => void shop.end('SIGKILL'))
  const issued = await shop.issueKey()
  await expect.poll(() => shop.statusWith(issued.key)).toBe(200)
  for (let asked = 0; asked < 3; asked += 1) expect((await shop.ask(match)).status).toBe(200)
  expect((await shop.ask('/api/v1/index?query=rust')).status).toBe(200)
  await shop.end()
  const order = ['admin', 'getUsage', 'account=default']
  const usage = async (...words: string[]) => (await shop.commandJson(...order, ...words)).results
  const [first] = (await shop.commandJson('key', 'list')) as { key_id: string }[]
  const sold = await usage('by=key')
  expect(sold).toHaveLength(3)
  expect(sold).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({ key_id: first!.key_id, route: 'match', queries: 3 }),
      expect.objectContaining({ key_id: first!.key_id, route: 'search', amount_usd: 0.001 }),
      expect.objectContaining({ key_id: issued.key_id, route: 'match', amount_usd: 0.0005 }),
    ]),
  )
  const { charged_usd } = await shop.commandJson('admin', 'getStatement', 'account=default')
  for (const sums of [sold, await usage()] as { amount_usd: number }[][]) {
    const total = sums.reduce((sum, { amount_usd }) => sum + amount_usd, 0)
    expect(total).toBeCloseTo(charged_usd, 9)
  }
  expect(await usage('to=2020-01-01')).toEqual([])
  const { stdout } = await shop.command(...order, 'format=csv')
  expect(stdout).toMatch(
    /^day,route,queries,amount_usd\r\n[\d-]+,match,4,0\.002\r\n[\d-]+,search,1,0\.001\n$/,
  )
  await shop.command('ledger', 'verify')
})
