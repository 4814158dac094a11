/**
 * Services of the version before and of this one at the same time: on one ledger in PostgreSQL, and behind one place
 * from which they fetch snapshots.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { announcedId } from '../../../src/snapshot/store/directory.ts'
import { MemoryObjects } from '../../support/objects/memory-objects.ts'
import { publisherOf, serveObjects } from '../../support/objects/served-objects.ts'
import { until } from '../../support/operated.ts'
import {
  isPostgresqlInstalled,
  type PostgresqlServer,
  startPostgresql,
} from '../../support/servers/postgresql-server.ts'
import { bothVersions, hasBefore, priceUsd, type Version, type Versions } from './versions.ts'

const both = ['before', 'now'] as const

describe.runIf(hasBefore)('a fleet of both versions', () => {
  let versions: Versions

  beforeAll(() => {
    versions = bothVersions()
  })
  afterEach(() => versions.end())

  /** A directory of the test. */
  function newDirectory(): string {
    const directory = mkdtempSync(join(tmpdir(), 'fleet-'))
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
    return directory
  }

  /** The default snapshot of a version. */
  function snapshotsOf({ root }: Version, directory: string): string {
    const snapshots = join(directory, 'snapshots')
    mkdirSync(snapshots)
    const id = announcedId(join(root, 'snapshots'))!
    for (const name of ['CURRENT', `${id}.msgpack`]) {
      cpSync(join(root, 'snapshots', name), join(snapshots, name))
    }
    return snapshots
  }

  describe.runIf(isPostgresqlInstalled())('on one ledger', () => {
    let server: PostgresqlServer
    let databases = 0

    beforeAll(async () => {
      server = await startPostgresql()
    })
    afterAll(() => server.stop())

    /** A ledger that one of the versions has made, with a key of an account of 60 USD. */
    async function newLedger(maker: Version) {
      databases += 1
      const ledger = await server.newDatabase(`ledger_${databases}`)
      const onLedger = ['--ledger', ledger]
      expect((await maker.run('account', 'create', 'ann', ...onLedger)).exitCode).toBe(0)
      const topUp = ['account', 'top-up', 'ann', '10', '--reference', 'first']
      expect((await maker.run(...topUp, ...onLedger)).exitCode).toBe(0)
      const { key } = await maker.json('key', 'issue', '--account', 'ann', ...onLedger)
      return { onLedger, key: String(key) }
    }

    /** A node of a version over its own snapshot. */
    function nodeOf(version: Version, onLedger: readonly string[], directory = newDirectory()) {
      const snapshots = snapshotsOf(version, directory)
      const data = join(directory, 'data')
      return version.serve('--snapshots', snapshots, '--data', data, ...onLedger)
    }

    async function expectBooks(onLedger: readonly string[], queries: number) {
      for (const name of both) {
        const accounts = await versions[name].json('account', 'list', ...onLedger)
        const ann = accounts.find(({ account }: { account: string }) => account === 'ann')
        expect(ann.balance_usd).toBeCloseTo(60 - queries * priceUsd, 6)
        const { exitCode, stderr } = await versions[name].run('ledger', 'verify', ...onLedger)
        expect([exitCode, stderr]).toEqual([0, ''])
      }
    }

    it.each(both)(
      'sells from it at once, made by the version %s, and charges each query once',
      async (maker) => {
        const { onLedger, key } = await newLedger(versions[maker])
        const nodes = await Promise.all(both.map((name) => nodeOf(versions[name], onLedger)))
        for (let round = 0; round < 20; round += 1) {
          for (const node of nodes) expect(await node.sell(key)).toBe(200)
        }
        for (const node of nodes) expect((await node.stop()).exitCode).toBe(0)
        await expectBooks(onLedger, 40)
      },
    )

    it('honours keys and revocations of either version on both', async () => {
      const { onLedger } = await newLedger(versions.before)
      const nodes = await Promise.all(both.map((name) => nodeOf(versions[name], onLedger)))
      for (const name of both) {
        const { key, key_id: id } = await versions[name].json(
          'key',
          'issue',
          '--account',
          'ann',
          ...onLedger,
        )
        for (const node of nodes) await until(async () => (await node.sell(key)) === 200)
        expect((await versions[name].run('key', 'revoke', id, ...onLedger)).exitCode).toBe(0)
        for (const node of nodes) await until(async () => (await node.sell(key)) === 401)
      }
      for (const node of nodes) await node.stop()
    })

    it.each([
      ['before', 'now'],
      ['now', 'before'],
    ] as const)(
      'charges what a killed node of the version %s has in its outbox, by the version %s',
      async (first, second) => {
        const { onLedger, key } = await newLedger(versions[first])
        const data = join(newDirectory(), 'data')
        const serve = (version: Version) => {
          const snapshots = snapshotsOf(version, newDirectory())
          return version.serve(
            '--snapshots',
            snapshots,
            '--data',
            data,
            '--commit-window',
            '10',
            ...onLedger,
          )
        }
        const killed = await serve(versions[first])
        for (let count = 0; count < 20; count += 1) expect(await killed.sell(key)).toBe(200)
        await killed.stop('SIGKILL')
        const next = await serve(versions[second])
        expect(await next.sell(key)).toBe(200)
        expect((await next.stop()).exitCode).toBe(0)
        expect(next.log()).not.toContain('set aside')
        const { charges } = await versions.now.json('account', 'statement', 'ann', ...onLedger)
        const charged = charges.reduce(
          (sum: number, { queries }: { queries: number }) => sum + queries,
          0,
        )
        expect(charged).toBeGreaterThan(1)
        expect(charged).toBeLessThanOrEqual(21)
        await expectBooks(onLedger, charged)
      },
    )
  })

  it('that fetches from one place serves the last snapshot that each can read', async () => {
    const store = new MemoryObjects()
    const follow = ['--follow', await serveObjects(store), '--poll-interval', '1']
    const start = (name: (typeof both)[number]) => {
      const directory = newDirectory()
      const places = [
        '--snapshots',
        join(directory, 'snapshots'),
        '--data',
        join(directory, 'data'),
      ]
      return versions[name].serve(...places, ...follow)
    }
    const old = snapshotsOf(versions.before, newDirectory())
    const oldId = announcedId(old)!
    await publisherOf(store, old).announce(oldId, () => {})
    const before = await start('before')
    expect(before.snapshotId).toBe(oldId)

    const fresh = snapshotsOf(versions.now, newDirectory())
    const freshId = announcedId(fresh)!
    await publisherOf(store, fresh).announce(freshId, () => {})
    const now = await start('now')
    expect(now.snapshotId).toBe(freshId)
    await until(async () => {
      const { snapshot_id: served, last_refusal: refusal, mirror } = await before.readiness()
      return served === freshId || refusal !== null || JSON.stringify(mirror).includes('version')
    })
    const { ready, snapshot_id: served } = await before.readiness()
    expect([ready, [oldId, freshId].includes(String(served))]).toEqual([true, true])
  })
})
