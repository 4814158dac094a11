/**
 * A standby of the ledger's database that is promoted, on two real servers. What one lacks that was not synchronous is
 * for `outside/failover.suite.ts` to say, but for caps.
 */
import { describe, expect, test } from 'vitest'
import { flood } from '../../support/flood.ts'
import { until } from '../../support/operated.ts'
import { customer, expectProven, queriesCharged } from '../../support/servers/ledger-databases.ts'
import { query, startedNode } from '../../support/servers/node.ts'
import {
  ask,
  isPostgresqlInstalled,
  type PostgresqlServer,
} from '../../support/servers/postgresql-server.ts'
import { startPair } from '../../support/servers/standby-pair.ts'

const order = { account: 'alice' }
const cap = { amountMicroUsd: 100_000, period: 'total' } as const

describe.skipIf(!isPostgresqlInstalled())('a standby that is promoted', () => {
  test('has all that was acknowledged where it is synchronous, and nothing twice', async () => {
    const { primary, standby, ledger, books, promote } = await startPair()
    await ask(primary.address, "alter system set synchronous_standby_names = '*'")
    await ask(primary.address, 'select pg_reload_conf()')
    await until(async () => {
      const isSynchronous = "select 1 from pg_stat_replication where sync_state = 'sync'"
      return (await ask(primary.address, isSynchronous)).length === 1
    })
    const key = await customer(ledger, 'alice')
    const node = await startedNode(ledger)
    let answered = 0
    const askFor = async (text: string, count: number) => {
      for (const end = answered + count; answered < end; ) {
        if ((await node.statusOf(text)) === 200) answered += 1
        else await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }
    const asking = askFor(key, 200)
    await until(async () => (await queriesCharged(ledger, 'alice')) > 0)
    await books((open) => open.topUp('alice', 7, 'paid'))
    const { text: late } = await books((open) => open.issueKey(order))
    primary.stopAtOnce()
    await promote()
    await asking
    await askFor(late, 10)
    expect((await node.stop()).exitCode).toBe(0)
    expect(await queriesCharged(standby.address, 'alice')).toBe(answered)
    expect(await ask(standby.address, 'select 1 from given_away')).toEqual([])
    expect((await books((open) => open.topUp('alice', 7, 'paid'))).credited).toBe(false)
    await expectProven(ledger)
  })

  test('holds caps, also where it lacks their last leases', async () => {
    const { primary, standby, ledger, books, promote } = await startPair()
    const spentIn = async ({ address }: PostgresqlServer) => {
      const [row] = await ask<{ spent: string }>(
        address,
        'select coalesce(sum(spent), 0) as spent from key_cap',
      )
      return Number(row!.spent)
    }
    await books((open) => open.createAccount('alice'))
    const early = await books((open) => open.issueKey({ ...order, cap }))
    const nodes = [await startedNode(ledger), await startedNode(ledger)]
    const addresses = nodes.map(({ address }) => address)
    expect((await flood(addresses, early.text, 20, query)).get(200)).toBe(20)
    await until(async () => (await spentIn(standby)) === 20_000)
    standby.stopAtOnce()
    const late = await books((open) => open.issueKey({ ...order, cap }))
    for (const node of nodes) await until(async () => (await node.statusOf(late.text)) === 200)
    expect((await flood(addresses, early.text, 30, query)).get(200)).toBe(30)
    await until(async () => (await spentIn(primary)) === 52_000)
    primary.stopAtOnce()
    standby.startAgain()
    await promote()
    for (const node of nodes) await until(async () => (await node.statusOf(late.text)) === 401)
    const after = await flood(addresses, early.text, 300, query)
    for (const node of nodes) expect((await node.stop()).exitCode).toBe(0)
    // Of the 30 that the standby lacks none is charged; what was sold meanwhile may have been given away.
    expect(after.get(200)).toBeGreaterThanOrEqual(50)
    expect(after.get(200)! + after.get(402)!).toBe(300)
    expect(await spentIn(standby)).toBe(cap.amountMicroUsd)
    await expectProven(ledger)
  })
})
