/** Usage by key in a database that several nodes settle with: it adds up to the journal, and damage shows. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Books } from '../../../src/ledger/books/books.ts'
import { withAdministration } from '../../../src/ledger/books/open-books.ts'
import {
  ask,
  isPostgresqlInstalled,
  type PostgresqlServer,
  startPostgresql,
} from '../../support/servers/postgresql-server.ts'
import { startedNode } from '../../support/servers/started-node.ts'

const always = { fromDay: '0001-01-01', toDay: '9999-12-31' }

describe.skipIf(!isPostgresqlInstalled())('usage by key in a database', () => {
  let server: PostgresqlServer
  let ledger: string

  const books = <T>(use: (books: Books) => Promise<T>) =>
    withAdministration({ data: '', ledger, clock: Date.now }, use)

  beforeAll(async () => {
    server = await startPostgresql()
    ledger = await server.newDatabase('usage')
  }, 120_000)

  afterAll(() => server?.stop())

  test('adds up over nodes, and the proof finds what was changed', async () => {
    const keys = await books(async (open) => {
      await open.createAccount('alice', 0)
      await open.topUp('alice', 50_000_000, 'paid')
      const order = { account: 'alice', label: null, expiresAtMs: null }
      return [await open.issueKey(order), await open.issueKey(order)]
    })
    const nodes = [await startedNode(ledger), await startedNode(ledger)]
    for (const [index, { text }] of keys.entries()) {
      for (const node of nodes) {
        await expect.poll(() => node.statusOf(text)).toBe(200)
        for (let asked = 0; asked < index; asked += 1) expect(await node.statusOf(text)).toBe(200)
      }
    }
    const own = await nodes[0]!.ask(keys[0]!.text, '/api/v1/account')
    expect(own.json.results[0]).toMatchObject({ account: 'alice', key: { id: keys[0]!.record.id } })
    for (const node of nodes) await node.stop()
    const usage = await books((open) => open.usageOf('alice', always))
    const queriesOf = (keyId: string) =>
      usage.filter((each) => each.keyId === keyId).reduce((sum, { queries }) => sum + queries, 0)
    expect(keys.map(({ record }) => queriesOf(record.id))).toEqual([2, 4])
    const { charges } = await books((open) => open.statementOf('alice'))
    expect(charges.reduce((sum, { queries }) => sum + queries, 0)).toBe(6)
    const contradictions = async () => (await books((open) => open.audit())).contradictions
    expect(await contradictions()).toEqual([])
    await ask(ledger, "update charge set amount = amount + 1 where route = 'search'")
    expect((await contradictions()).join('\n')).toMatch(/account alice: charges is/)
  })
})
