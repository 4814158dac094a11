/**
 * Databases that come back with less than they had, on real servers. Nodes go on by themselves, and no account is
 * charged for what was not its.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Charge } from '../../../src/ledger/books/port.ts'
import { withReader } from '../../../src/ledger/sql/sqlite/connection.ts'
import { temporaryDirectory } from '../../support/built.ts'
import { until } from '../../support/operated.ts'
import { metricOf } from '../../support/prometheus.ts'
import { customer, expectProven, queriesCharged } from '../../support/servers/ledger-databases.ts'
import { type FleetNode, startedNode } from '../../support/servers/node.ts'
import {
  ask,
  isPostgresqlInstalled,
  type PostgresqlServer,
} from '../../support/servers/postgresql-server.ts'
import type { SlowWay } from '../../support/servers/slow-way.ts'
import { startPair, startReachable } from '../../support/servers/standby-pair.ts'

const priceMicroUsd = 1_000
/** A key is asked for again and again until a node knows it. */
const unlimited = ['--failed-key-limit', '0']

/** Asks until so many were answered; returns how many that were. */
async function answered(node: FleetNode, key: string, count: number): Promise<number> {
  for (let done = 0; done < count; ) if ((await node.statusOf(key)) === 200) done += 1
  return count
}

function queriesIn(usd: number): number {
  return Math.round((usd * 1_000_000) / priceMicroUsd)
}

/** The names of the accounts of a standby; none while it has no tables yet. */
async function namesOn(address: string): Promise<readonly unknown[]> {
  const rows = await ask(address, 'select name from account').catch(() => [])
  return rows.flatMap((row) => Object.values(row as object))
}

/** What a node has sold and keeps on its disk until the database has it: by a look into the outbox. */
function windowsIn(data: string): Promise<{ number: number; charges: Charge[] }[]> {
  return withReader(join(data, 'outbox.db'), Date.now, async ({ query }) => {
    const rows = await query<{ n: number; charges: string }>('select n, charges from batch')
    return rows.map(({ n, charges }) => ({ number: n, charges: JSON.parse(charges) }))
  })
}

/**
 * All that the node sold before must have been charged.
 * @returns whether all of so many queries, which were sold since, are kept.
 */
async function keptSince(data: string): Promise<(queries: number) => Promise<boolean>> {
  const last = Math.max(0, ...(await windowsIn(data)).map(({ number }) => number))
  return async (queries) => {
    const later = (await windowsIn(data)).filter(({ number }) => number > last)
    const sales = later.flatMap(({ charges }) => charges)
    return sales.reduce((sum, sale) => sum + sale.queries, 0) === queries
  }
}

/** Looks at `/readyz` until it is stopped; then says how often it had ceased to be ready. */
function watchReadiness(node: FleetNode) {
  let isOver = false
  let ends = 0
  const watching = (async () => {
    let wasReady = true
    while (!isOver) {
      const { ok: isReady } = await fetch(`${node.address}/readyz`)
      if (wasReady && !isReady) ends += 1
      wasReady = isReady
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  })()
  return async () => {
    isOver = true
    await watching
    return ends
  }
}

async function replace(server: PostgresqlServer, way: SlowWay, name: string, by: string) {
  way.leadTo(undefined)
  const open = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`
  await until(async () => (await ask(server.address, open)).length === 0)
  await ask(server.address, `alter database ${name} rename to gone`)
  await ask(server.address, `alter database ${by} rename to ${name}`)
  way.leadTo(server.port)
}

describe.skipIf(!isPostgresqlInstalled())('a database that comes back with less', () => {
  test('as a standby that lacks accounts: nodes drop them and serve the others', async () => {
    const { primary, standby, way, ledger } = await startPair()
    const alice = await customer(ledger, 'alice')
    await until(async () => (await namesOn(standby.address)).includes('alice'))
    standby.stopAtOnce()
    // From here on the standby follows no more.
    const names = ['asking', 'idle', 'killed'] as const
    const lost = new Map<string, string>()
    for (const name of names) lost.set(name, await customer(ledger, name))
    const data = temporaryDirectory()
    const [node, doomed] = [
      await startedNode(ledger, unlimited),
      await startedNode(ledger, unlimited, data),
    ]
    let toAlice = await answered(node, alice, 5)
    await answered(node, lost.get('asking')!, 5)
    await answered(doomed, lost.get('killed')!, 5)
    await until(async () => (await queriesCharged(primary.address, 'killed')) === 5)
    const isKept = await keptSince(data)
    primary.stopAtOnce()
    way.leadTo(undefined)
    // Sold from leases, and not reported.
    await answered(node, lost.get('asking')!, 3)
    await answered(doomed, lost.get('killed')!, 3)
    await until(() => isKept(3))
    await doomed.stop('SIGKILL')
    standby.startAgain()
    await ask(standby.address, 'select pg_promote()')
    const ceased = watchReadiness(node)
    way.leadTo(standby.port)
    await until(async () => (await node.statusOf(lost.get('asking')!)) === 401)
    toAlice += await answered(node, alice, 20)
    await until(async () => (await node.statusOf(lost.get('idle')!)) === 401)
    // The key is refused when accounts are read again, and what was sold is given away with the next settlement.
    await until(async () => Boolean(await metricOf(node, 'given_away_usd_total')))
    // What was sold from the session that is gone is given away, and three of the lost account; all else is charged.
    const givenAway = async () => queriesIn((await metricOf(node, 'given_away_usd_total')) ?? 0)
    const charged = () => queriesCharged(standby.address, 'alice')
    await until(async () => (await charged()) + (await givenAway()) >= 23)
    toAlice += await answered(node, alice, 20)
    await until(async () => (await charged()) >= 20)
    expect(await ceased()).toBeLessThanOrEqual(1)
    const again = await startedNode(ledger, unlimited, data)
    toAlice += await answered(again, alice, 5)
    const [end, endOfAgain] = [await node.stop(), await again.stop()]
    expect([end.exitCode, endOfAgain.exitCode]).toEqual([0, 0])
    expect(end.stderr).toContain('the database has lost accounts that were known here')
    expect(endOfAgain.stderr).toContain('the database has lost accounts that were known here')
    expect(await charged()).toBeLessThanOrEqual(toAlice)
    expect(await charged()).toBeGreaterThanOrEqual(25)
    await expectProven(standby.address)
  })

  test('as an older backup: nodes go on with the accounts that are in it', async () => {
    const { server, way, addressOf } = await startReachable()
    const direct = await server.newDatabase('ledger')
    const ledger = addressOf('ledger')
    const alice = await customer(direct, 'alice')
    await ask(server.address, 'create database backup template ledger')
    const eve = await customer(direct, 'eve')
    const node = await startedNode(ledger, unlimited)
    await answered(node, alice, 5)
    await answered(node, eve, 5)
    await replace(server, way, 'ledger', 'backup')
    await until(async () => (await node.statusOf(eve)) === 401)
    // What was sold from the old lease is given away; from the first charge on a new lease pays.
    await until(async () => {
      await answered(node, alice, 1)
      return (await queriesCharged(direct, 'alice')) > 0
    })
    // Settlements keep the order of sales: when this one is charged, all of alice's before it are.
    const bob = await customer(direct, 'bob')
    await answered(node, bob, 1)
    await until(async () => (await queriesCharged(direct, 'bob')) === 1)
    const charged = await queriesCharged(direct, 'alice')
    await answered(node, alice, 10)
    expect((await node.stop()).exitCode).toBe(0)
    expect(await queriesCharged(direct, 'alice')).toBe(charged + 10)
    await expectProven(direct)
  })

  test('as another database: outboxes are set aside, and nothing of them is charged there', async () => {
    const { server, way, addressOf } = await startReachable()
    const direct = await server.newDatabase('ledger')
    const ledger = addressOf('ledger')
    const alice = await customer(direct, 'alice')
    const bob = await customer(await server.newDatabase('stranger'), 'bob')
    const places = [temporaryDirectory(), temporaryDirectory()] as const
    const [node, doomed] = [
      await startedNode(ledger, unlimited, places[0]),
      await startedNode(ledger, unlimited, places[1]),
    ]
    await Promise.all([answered(node, alice, 3), answered(doomed, alice, 3)])
    await until(async () => (await queriesCharged(direct, 'alice')) === 6)
    const areKept = await Promise.all(places.map(keptSince))
    way.leadTo(undefined)
    await Promise.all([answered(node, alice, 3), answered(doomed, alice, 3)])
    for (const isKept of areKept) await until(() => isKept(3))
    await doomed.stop('SIGKILL')
    await replace(server, way, 'ledger', 'stranger')
    await answered(node, bob, 10)
    expect(await node.statusOf(alice)).toBe(401)
    const again = await startedNode(ledger, unlimited, places[1])
    await answered(again, bob, 5)
    const ends = [await node.stop(), await again.stop()]
    expect(ends.map(({ exitCode }) => exitCode)).toEqual([0, 0])
    for (const [index, place] of places.entries()) {
      const aside = readdirSync(place).filter((name) => /^outbox-.*\.db$/.test(name))
      expect(aside).toHaveLength(1)
      expect(ends[index]!.stderr).toMatch(/it is set aside as .*outbox-.*\.db, and not charged/)
    }
    expect(await queriesCharged(direct, 'bob')).toBe(15)
    expect(await ask(direct, 'select 1 from given_away')).toEqual([])
    await expectProven(direct)
  })
})
