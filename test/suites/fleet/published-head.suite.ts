/** A head that is published in object storage: nodes follow it, each with what it does not hold in one tail. */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ActiveSnapshot, activate } from '../../../src/api/active-snapshot.ts'
import type { Snapshot } from '../../../src/snapshot/file.ts'
import { announcedId, loadSnapshot, pathOf } from '../../../src/snapshot/store/directory.ts'
import { ask, newApi } from '../../support/api-client.ts'
import { type Operated, oneThread, operate, until } from '../../support/operated.ts'
import { defaultSnapshots, run } from '../../support/program.ts'
import {
  canRun,
  type ObjectStorage,
  startObjectStorage,
} from '../../support/servers/object-storage.ts'
import {
  hasRedis,
  type RedisCluster,
  startRedisCluster,
} from '../../support/servers/redis-cluster.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'

const uri = 's3://heads/fleet/one?addressing=path'
const headUri = 's3://heads/fleet/one/head?addressing=path'

describe.skipIf(!canRun() || !hasRedis())('a head in object storage', () => {
  let cluster: RedisCluster
  let storage: ObjectStorage
  let whole: ActiveSnapshot

  beforeAll(async () => {
    cluster = await startRedisCluster()
    storage = await startObjectStorage()
    Object.assign(process.env, storage.variables)
    await storage.makeBucket('heads')
    const path = pathOf(defaultSnapshots, announcedId(defaultSnapshots)!)
    whole = activate(loadSnapshot(path) as Snapshot)
  }, 300_000)
  afterAll(async () => {
    storage?.stop()
    await cluster?.stop()
  })

  /** Publishes the default records, split; returns the id of the head. */
  async function publish(snapshots: string, head: number): Promise<string> {
    const source = ['--source', join(defaultSnapshots, 'source'), '--snapshots', snapshots]
    const split = ['--tail', cluster.uri, '--head', String(head), '--publish', uri]
    const { exitCode, stdout, stderr } = await run(['sync', ...source, ...split], storage)
    expect(exitCode, stderr).toBe(0)
    expect(stdout).toContain(`and ${headUri}`)
    return announcedId(join(snapshots, 'head'))!
  }

  /** Starts a node that has nothing but the two addresses. */
  function node(): Promise<Operated> {
    const follow = ['--follow', headUri, '--poll-interval', '1']
    const words = [...follow, '--tail', cluster.uri, ...oneThread]
    return operate(join(temporaryDirectory(), 'snapshots'), words, storage)
  }

  /** Waits until a node serves a head, then asks it for everybody at once, as the whole snapshot answers them. */
  async function expectAll({ address, headers, readiness }: Operated, id: string, head: number) {
    await until(async () => (await readiness()).snapshot_id === id)
    const { catalog } = whole
    const behind = catalog.counts.authorities - head
    expect(await readiness()).toMatchObject({ ready: true, tail: { head, behind } })
    const api = newApi(whole, { durationMs: 0 })
    for (let ordinal = 0; ordinal < catalog.counts.authorities; ordinal += 50) {
      const sdus = Array.from({ length: 50 }, (_, at) => ordinal + at)
        .filter((each) => each < catalog.counts.authorities)
        .map((each) => catalog.sduOf(each))
      const target = `/api/v1/detail?sdus=${sdus.join(',')}`
      const response = await fetch(`${address}${target}`, { headers })
      const { results } = (await response.json()) as { results: unknown }
      expect(results).toEqual(ask(api, target).json.results)
    }
  }

  it('is followed by nodes that answer for everybody, and by each further head', async () => {
    const snapshots = join(temporaryDirectory(), 'snapshots')
    const first = await publish(snapshots, 200)
    const service = await node()
    await expectAll(service, first, 200)
    const second = await publish(snapshots, 300)
    expect(second).not.toBe(first)
    await expectAll(service, second, 300)
  })

  it('comes from whichever publisher is last, in the order of their announcements', async () => {
    const [one, other] = ['one', 'other'].map((name) => join(temporaryDirectory(), name))
    const before = await publish(one!, 200)
    const service = await node()
    await expectAll(service, before, 200)
    const next = await publish(other!, 400)
    await expectAll(service, next, 400)
    expect(await publish(one!, 400)).toBe(next)
    await expectAll(service, next, 400)
  })
})
