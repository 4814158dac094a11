/** The ledger behind a pooler that keeps a transaction on one connection and nothing else (PgBouncer). */
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Books } from '../../../src/ledger/books/books.ts'
import { withAdministration } from '../../../src/ledger/books/open-books.ts'
import { until } from '../../support/operated.ts'
import { type FleetNode, startedNode } from '../../support/servers/node.ts'
import { isPgbouncerInstalled, startPgbouncer } from '../../support/servers/pooler.ts'
import {
  ask,
  isPostgresqlInstalled,
  startPostgresql,
} from '../../support/servers/postgresql-server.ts'

const canRun = [isPostgresqlInstalled(), isPgbouncerInstalled()].every((each) => each)

describe.skipIf(!canRun)('a ledger behind a pooler', () => {
  test('sells, charges once, and has keys known everywhere, over fewer connections than clients', async () => {
    const server = await startPostgresql()
    onTestFinished(server.stop)
    const pooler = await startPgbouncer(server)
    onTestFinished(pooler.stop)
    const ledger = pooler.addressOf('postgres')
    const books = <T>(use: (open: Books) => Promise<T>): Promise<T> =>
      withAdministration({ data: '', ledger, clock: Date.now }, use)
    await books((open) => open.createAccount('alice'))
    const order = { account: 'alice' }
    const { text: key, record } = await books((open) => open.issueKey(order))
    const nodes = await Promise.all(Array.from({ length: 3 }, () => startedNode(ledger)))
    let answered = 0
    const statusOf = async (node: FleetNode, text: string) => {
      const status = await node.statusOf(text)
      if (status === 200) answered += 1
      return status
    }
    const asked = nodes.map(async (node) => {
      for (let times = 0; times < 100; times += 1) expect(await statusOf(node, key)).toBe(200)
    })
    await Promise.all(asked)
    const { text: other } = await books((open) => open.issueKey(order))
    await books((open) => open.revokeKey(record.id))
    const everywhere = async (text: string, status: number) => {
      const statuses = await Promise.all(nodes.map((node) => statusOf(node, text)))
      return statuses.every((each) => each === status)
    }
    await until(() => everywhere(key, 401))
    await until(() => everywhere(other, 200))
    const ends = await Promise.all(nodes.map((node) => node.stop()))
    expect(ends.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0])
    const { chargedMicroUsd } = await books((open) => open.accountNamed('alice'))
    expect(chargedMicroUsd).toBe(answered * 1_000)
    expect((await books((open) => open.audit())).contradictions).toEqual([])
    // Other clients of the pool find its connections unchanged.
    expect(await ask(ledger, 'show statement_timeout')).toEqual([{ statement_timeout: '0' }])
  })
})
