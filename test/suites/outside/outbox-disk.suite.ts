/** An outbox on a disk that fails for a while, and one that is damaged: the node goes on, or starts, by itself. */
import { readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryDirectory } from '../../support/built.ts'
import { until } from '../../support/operated.ts'
import {
  customer,
  expectProven,
  queriesCharged,
  withDatabases,
} from '../../support/servers/ledger-databases.ts'
import { startedNode } from '../../support/servers/node.ts'
import { isPostgresqlInstalled } from '../../support/servers/postgresql-server.ts'
import { type Fault, FaultyDisk, lackOfFaults } from './support/disk.ts'

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
  const newDatabase = withDatabases('outbox')

  async function newLedger() {
    const { ledger } = await newDatabase()
    return { ledger, key: await customer(ledger, 'alice') }
  }

  test.each(faults)(
    'whose disk fails by $calls ($error) for a while: nothing is sold, then everything is charged once',
    async (fault) => {
      const { ledger, key } = await newLedger()
      const disk = FaultyDisk.make()
      const node = await startedNode(ledger, [], temporaryDirectory(), disk.variables)
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
      expect(await queriesCharged(ledger, 'alice')).toBe(answered)
      await expectProven(ledger)
    },
  )

  test.each([
    ['empty', (path: string) => truncateSync(path, 0)],
    ['garbage', fillWithGarbage],
  ])('that is %s is set aside, and the node starts', async (_, damage) => {
    const { ledger, key } = await newLedger()
    const data = temporaryDirectory()
    const first = await startedNode(ledger, [], data)
    await until(async () => (await first.statusOf(key)) === 200)
    await first.stop('SIGKILL')
    damage(join(data, 'outbox.db'))
    const second = await startedNode(ledger, [], data)
    await until(async () => (await second.statusOf(key)) === 200)
    const { exitCode, stderr } = await second.stop()
    expect(exitCode).toBe(0)
    expect(stderr).toMatch(/outbox\.db is .*it is set aside as .*not charged/)
    expect(readdirSync(data).filter((name) => /^outbox-.*\.db$/.test(name))).toHaveLength(1)
    expect(await queriesCharged(ledger, 'alice')).toBeGreaterThanOrEqual(1)
    await expectProven(ledger)
  })
})
