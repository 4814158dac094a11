/**
 * A standby of the ledger's database that is promoted, on two real servers: what was acknowledged is there
 * where it is synchronous, and where it is not no more is lost than came after it had stopped to follow.
 */
import { describe, expect, test } from 'vitest'
import type { Books } from '../../../src/ledger/books/books.ts'
import { until } from '../../support/operated.ts'
import type { FleetNode } from '../../support/servers/node.ts'
import {
  ask,
  isPostgresqlInstalled,
  type PostgresqlServer,
} from '../../support/servers/postgresql-server.ts'
import { startPair } from '../../support/servers/standby-pair.ts'
import { startedNode } from '../../support/servers/started-node.ts'

const priceMicroUsd = 1_000

class Customer {
  readonly #node: FleetNode
  answered = 0

  constructor(node: FleetNode) {
    this.#node = node
  }

  async statusOf(key: string): Promise<number> {
    const status = await this.#node.statusOf(key)
    if (status === 200) this.answered += 1
    return status
  }

  async ask(key: string, count: number): Promise<void> {
    for (const end = this.answered + count; this.answered < end; ) {
      const isAnswered = (await this.statusOf(key)) === 200
      if (!isAnswered) await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}

async function queriesCharged({ address }: PostgresqlServer): Promise<number> {
  const [row] = await ask<{ charged: string }>(
    address,
    'select sum(charged) as charged from account',
  )
  return Number(row!.charged) / priceMicroUsd
}

async function queriesGivenAway({ address }: PostgresqlServer): Promise<number> {
  const [row] = await ask<{ queries: string }>(
    address,
    'select coalesce(sum(queries), 0) as queries from given_away',
  )
  return Number(row!.queries)
}

const newKey = (open: Books) => open.issueKey({ account: 'alice' })

describe.skipIf(!isPostgresqlInstalled())('a standby that is promoted', () => {
  test('has all that was acknowledged where it is synchronous, and nothing twice', async () => {
    const { primary, standby, ledger, books, promote } = await startPair()
    await ask(primary.address, "alter system set synchronous_standby_names = '*'")
    await ask(primary.address, 'select pg_reload_conf()')
    await until(async () => {
      const query = "select 1 from pg_stat_replication where sync_state = 'sync'"
      return (await ask(primary.address, query)).length === 1
    })
    await books((open) => open.createAccount('alice'))
    const { text: key } = await books(newKey)
    const node = await startedNode(ledger)
    const customer = new Customer(node)
    const asking = customer.ask(key, 200)
    await until(async () => (await queriesCharged(primary)) > 0)
    await books((open) => open.topUp('alice', 7, 'paid'))
    const { text: late } = await books(newKey)
    primary.stopAtOnce()
    await promote()
    await asking
    await customer.ask(late, 10)
    expect((await node.stop()).exitCode).toBe(0)
    expect(await queriesCharged(standby)).toBe(customer.answered)
    expect(await queriesGivenAway(standby)).toBe(0)
    expect((await books((open) => open.topUp('alice', 7, 'paid'))).credited).toBe(false)
    expect((await books((open) => open.audit())).contradictions).toEqual([])
  })

  test('lacks what came after it where it is not, to the advantage of customers', async () => {
    const { primary, standby, ledger, books, promote } = await startPair()
    await books((open) => open.createAccount('alice'))
    const { text: key } = await books(newKey)
    await books((open) => open.topUp('alice', 7, 'early'))
    const node = await startedNode(ledger)
    const customer = new Customer(node)
    await customer.ask(key, 20)
    await until(async () => (await queriesCharged(standby)) === 20)
    standby.stopAtOnce()
    // From here on the standby follows no more: this is what it will lack.
    await books((open) => open.topUp('alice', 9, 'late'))
    const { text: late } = await books(newKey)
    await customer.ask(late, 30)
    await until(async () => (await queriesCharged(primary)) === 50)
    primary.stopAtOnce()
    standby.startAgain()
    await promote()
    // The node goes on by itself, and forgets the key that is not there any more.
    await until(async () => (await customer.statusOf(late)) === 401)
    await customer.ask(key, 40)
    expect((await node.stop()).exitCode).toBe(0)
    const charged = await queriesCharged(standby)
    expect(charged).toBeLessThanOrEqual(customer.answered - 30)
    expect(charged + (await queriesGivenAway(standby))).toBe(customer.answered - 30)
    expect((await books((open) => open.audit())).contradictions).toEqual([])
    expect((await books((open) => open.topUp('alice', 7, 'early'))).credited).toBe(false)
    expect((await books((open) => open.topUp('alice', 9, 'late'))).credited).toBe(true)
  })
})
