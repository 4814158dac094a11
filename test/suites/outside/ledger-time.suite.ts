/**
 * Clocks that differ, a server whose settings are not the usual ones, and a database that is far away: keys expire by
 * the ledger's clock, leases live, and waiting sessions can be ended.
 */
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { temporaryDirectory } from '../../support/built.ts'
import { until } from '../../support/operated.ts'
import { fakeTimeLibrary, fakeTimeVariables } from '../../support/processes/fake-time.ts'
import { defaultSnapshots, endOf, start } from '../../support/program.ts'
import {
  books,
  customer,
  expectProven,
  queriesCharged,
  withDatabases,
} from '../../support/servers/ledger-databases.ts'
import { type FleetNode, startedNode } from '../../support/servers/node.ts'
import { isPgbouncerInstalled, startPgbouncer } from '../../support/servers/pooler.ts'
import { ask, isPostgresqlInstalled, nowMsSql } from '../../support/servers/postgresql-server.ts'
import { SlowWay } from '../../support/servers/slow-way.ts'

const hourMs = 3_600_000
const isFull = process.env.OUTSIDE === 'full'

const isLacking = fakeTimeLibrary() === undefined
if (isLacking) console.error('skipped: a wrong clock needs faketime (apt-get install libfaketime)')

/** A node whose clock is off by so many hours; its monotonic one is not. */
function nodeOffBy(hours: number, ledger: string): Promise<FleetNode> {
  const file = join(temporaryDirectory(), 'time')
  writeFileSync(file, `${hours < 0 ? '-' : '+'}${Math.abs(hours)}h\n`)
  return startedNode(ledger, [], temporaryDirectory(), fakeTimeVariables(file))
}

describe.skipIf(!isPostgresqlInstalled())('a ledger in a database', () => {
  const newDatabase = withDatabases('time')

  test.skipIf(isLacking)(
    'has keys expire by its own clock, wherever the clock of a node is',
    async () => {
      const { ledger } = await newDatabase()
      const valid = await customer(ledger, 'alice', hourMs)
      const order = { account: 'alice', lifeMs: hourMs }
      const ending = await books(ledger, (open) => open.issueKey(order))
      const [ahead, behind] = [await nodeOffBy(25, ledger), await nodeOffBy(-25, ledger)]
      for (const node of [ahead, behind]) {
        await until(async () => (await node.statusOf(valid)) !== 503)
        expect(await node.statusOf(valid)).toBe(200)
        expect(await node.statusOf(ending.text)).toBe(200)
      }
      // As if its hour ended in two seconds: the node learns it, and no notice comes at the end itself.
      const ends = `expires_ms = ${nowMsSql} + 2000`
      // One transaction: a look between the two would find the number, and no key of it.
      await ask(
        ledger,
        `update ledger_change set n = n + 1;
         update api_key set ${ends}, changed = (select n from ledger_change)
         where id = '${ending.record.id}'`,
      )
      for (const node of [ahead, behind]) {
        await until(async () => (await node.statusOf(ending.text)) === 401)
        expect(await node.statusOf(valid)).toBe(200)
      }
    },
  )

  test.each([
    ['directly', async () => undefined],
    ['through a pooler', startPgbouncer],
  ])('sells as ever, whatever settings a database has, reached %s', async (how, open) => {
    if (how === 'through a pooler' && !isPgbouncerInstalled()) return
    const { ledger: direct, name, server } = await newDatabase()
    const settings = [
      "datestyle = 'SQL, DMY'",
      "timezone = 'Asia/Kathmandu'",
      "intervalstyle = 'iso_8601'",
      'synchronous_commit = off',
      "default_transaction_isolation = 'serializable'",
      "lock_timeout = '1ms'",
    ]
    for (const setting of settings) await ask(direct, `alter database ${name} set ${setting}`)
    const pooler = await open(server)
    if (pooler !== undefined) onTestFinished(pooler.stop)
    const ledger = pooler?.addressOf(name) ?? direct
    const expiresAtMs = Date.now() + hourMs
    const key = await customer(ledger, 'alice', hourMs)
    // More connections than a pooler has.
    const nodes = await Promise.all([1, 2, 3].map(() => startedNode(ledger)))
    let answered = 0
    const everywhere = async (text: string, status: number) => {
      const statuses = await Promise.all(nodes.map((node) => node.statusOf(text)))
      answered += statuses.filter((each) => each === 200).length
      return statuses.every((each) => each === status)
    }
    for (let times = 0; times < 20; times += 1) await until(() => everywhere(key, 200))
    const [listed] = await books(ledger, (each) => each.listKeys())
    // As the clock of the database has it; a zone or an order of day and month would be hours off.
    expect(Math.abs(listed!.expiresAtMs! - expiresAtMs)).toBeLessThan(60_000)
    const other = await books(ledger, (each) => each.issueKey({ account: 'alice' }))
    await books(ledger, (each) => each.revokeKey(listed!.id))
    await until(() => everywhere(key, 401))
    await until(() => everywhere(other.text, 200))
    const ends = await Promise.all(nodes.map((node) => node.stop()))
    expect(ends.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0])
    expect(await queriesCharged(ledger, 'alice')).toBe(answered)
    const { charges } = await books(ledger, (each) => each.statementOf('alice'))
    expect(charges[0]!.day).toMatch(/^\d{4}-\d{2}-\d{2}$/)
    // Other clients of a pool find its connections unchanged.
    expect(await ask(ledger, 'show statement_timeout')).toEqual([{ statement_timeout: '0' }])
    await expectProven(ledger)
  })

  test('is sold from at round trips of 600 ms, without a break', async () => {
    const { ledger: direct, server } = await newDatabase()
    const key = await customer(direct, 'alice')
    const way = await SlowWay.start(server.port, 300)
    onTestFinished(() => way.close())
    const node = await startedNode(direct.replace(/:\d+\//, `:${way.port}/`))
    await until(async () => (await node.statusOf(key)) === 200)
    const statuses = new Map<number, number>()
    for (const endMs = Date.now() + (isFull ? 120_000 : 15_000); Date.now() < endMs; ) {
      const status = await node.statusOf(key)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    const sold = statuses.get(200) ?? 0
    const refused = [...statuses.values()].reduce((sum, count) => sum + count, 0) - sold
    // It was four of five before; a machine that stands still for seconds may refuse some.
    expect(refused / (sold + refused)).toBeLessThan(0.1)
    expect((await node.stop()).exitCode).toBe(0)
    expect(await queriesCharged(direct, 'alice')).toBeGreaterThanOrEqual(sold)
  })

  test.each(['SIGINT', 'SIGTERM'] as const)(
    'that takes connections and answers nothing is waited for until %s',
    async (signal) => {
      const sockets: Socket[] = []
      const silent = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1')
      await once(silent, 'listening')
      onTestFinished(() => {
        silent.close()
        for (const socket of sockets) socket.destroy()
      })
      const { port } = silent.address() as AddressInfo
      const places = ['--snapshots', defaultSnapshots, '--data', temporaryDirectory()]
      const ledger = `postgres://postgres@127.0.0.1:${port}/postgres`
      const child = start(['serve', '--port', '0', ...places, '--ledger', ledger])
      const ended = endOf(child)
      await until(() => sockets.length > 0)
      child.kill(signal)
      const { exitCode, stderr } = await ended
      expect(exitCode).toBe(1)
      expect(stderr).toContain('ended')
    },
  )
})
