/** A standby that is promoted and lacks what came last: no cap is passed, and each is spent to the end. */
import { describe, expect, test } from 'vitest'
import { flood } from '../../../support/flood.ts'
import { until } from '../../../support/operated.ts'
import { query } from '../../../support/servers/node.ts'
import {
  ask,
  isPostgresqlInstalled,
  type PostgresqlServer,
} from '../../../support/servers/postgresql-server.ts'
import { startPair } from '../../../support/servers/standby-pair.ts'
import { startedNode } from '../../../support/servers/started-node.ts'

const order = { account: 'alice' }
const cap = { amountMicroUsd: 100_000, period: 'total' } as const

describe.skipIf(!isPostgresqlInstalled())('a standby that is promoted', () => {
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
    expect((await books((open) => open.audit())).contradictions).toEqual([])
  })
})
