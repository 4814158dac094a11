/** An outbox on a disk that fails for a while, and one that is damaged: the node goes on, or starts, by itself. */
import { readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { withAdministration } from '../../../src/ledger/books/open-books.ts'
import { temporaryDirectory } from '../../support/built.ts'
import { until } from '../../support/operated.ts'
import { FleetNode } from '../../support/servers/node.ts'
import {
  isPostgresqlInstalled,
  type PostgresqlServer,
  startPostgresql,
} from '../../support/servers/postgresql-server.ts'
import { type Fault, FaultyDisk, lackOfFaults } from './support/disk.ts'

const priceMicroUsd = 1_000

let server: PostgresqlServer
let databases = 0

async function newLedger() {
  databases += 1
  const ledger = await server.newDatabase(`outbox_${databases}`)
  const key = await withAdministration({ data: '', ledger, clock: Date.now }, async (open) => {
    await open.createAccount('alice')
    return (await open.issueKey({ account: 'alice', label: null, expiresAtMs: null })).text
  })
  return { ledger, key }
}

async function queriesCharged(ledger: string): Promise<number> {
  return withAdministration({ data: '', ledger, clock: Date.now }, async (open) => {
    expect((await open.audit()).contradictions).toEqual([])
    return (await open.accountNamed('alice')).chargedMicroUsd / priceMicroUsd
  })
}

async function started(ledger: string, data: string, variables = {}): Promise<FleetNode> {
  const node = await FleetNode.start(ledger, data, [], variables)
  onTestFinished(async () => void (await node.stop('SIGKILL')))
  return node
}

/** Lines that hold a brace are JSON, the whole of them. */
function expectWholeLines(stderr: string): void {
  for (const line of stderr.split('\n').filter((each) => each.includes('{'))) {
    expect(() => JSON.parse(line), line).not.toThrow()
  }
}

const lack = lackOfFaults()
if (lack !== undefined) console.error(`skipped: ${lack}`)
const canRun = [isPostgresqlInstalled(), lack === undefined].every((each) => each)

const file = 'outbox.db-wal'
const faults: Fault[] = [
  { calls: 'write', error: 'EIO', file },
  { calls: 'write', error: 'ENOSPC', file },
  { calls: 'sync', error: 'EIO', file },
  { calls: 'doubt', error: 'EIO', file },
]

/** A file of SQLite is the newer one of what is in it and in its `-wal`. */
function fillWithGarbage(path: string): void {
  rmSync(`${path}-wal`)
  writeFileSync(path, 'garbage'.repeat(9_000))
}

describe.skipIf(!canRun)('an outbox', () => {
  beforeAll(async () => {
    server = await startPostgresql()
  }, 300_000)
  afterAll(() => server?.stop())

  test.each(faults)(
    'whose disk fails by $calls ($error) for a while: nothing is sold, then everything is charged once',
    async (fault) => {
      const { ledger, key } = await newLedger()
      const disk = FaultyDisk.make()
      const node = await started(ledger, temporaryDirectory(), disk.variables)
      let answered = 0
      const status = async () => {
        const given = await node.statusOf(key)
        if (given === 200) answered += 1
        return given
      }
      await until(async () => (await status()) === 200)
      disk.fail(fault)
      await until(async () => (await status()) === 503)
      disk.heal()
      await until(async () => (await status()) === 200)
      const { exitCode, stderr } = await node.stop()
      expect(exitCode).toBe(0)
      expect(stderr).toMatch(/the outbox at .* cannot be used/)
      expectWholeLines(stderr)
      expect(await queriesCharged(ledger)).toBe(answered)
    },
  )

  test.each([
    ['empty', (path: string) => truncateSync(path, 0)],
    ['garbage', fillWithGarbage],
  ])('that is %s is set aside, and the node starts', async (_, damage) => {
    const { ledger, key } = await newLedger()
    const data = temporaryDirectory()
    const first = await started(ledger, data)
    await until(async () => (await first.statusOf(key)) === 200)
    await first.stop('SIGKILL')
    damage(join(data, 'outbox.db'))
    const second = await started(ledger, data)
    await until(async () => (await second.statusOf(key)) === 200)
    const { exitCode, stderr } = await second.stop()
    expect(exitCode).toBe(0)
    expect(stderr).toMatch(/outbox\.db is .*it is set aside as .*could be read/)
    expect(readdirSync(data).filter((name) => /^outbox-.*\.db$/.test(name))).toHaveLength(1)
    expect(await queriesCharged(ledger)).toBeGreaterThanOrEqual(1)
  })
})
