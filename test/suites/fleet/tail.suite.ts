/** A tail in a Redis cluster of six processes: no wrong answer and no mixed one, whatever happens to the cluster. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ActiveSnapshot, activate } from '../../../src/api/active-snapshot.ts'
import { nameOfSdu } from '../../../src/indexer/head/names-behind.ts'
import type { Snapshot } from '../../../src/snapshot/file.ts'
import { announcedId, loadSnapshot, pathOf } from '../../../src/snapshot/store/directory.ts'
import { blockOfName, peoplePerBlock } from '../../../src/tail/blocks.ts'
import { slotOf } from '../../../src/tail/slot.ts'
import { type BlockKind, type TailFacts, tailNameOf } from '../../../src/tail/tail-store.ts'
import { ask, newApi } from '../../support/api-client.ts'
import { temporaryDirectory } from '../../support/built.ts'
import { type Operated, oneThread, operate, readinessOf, until } from '../../support/operated.ts'
import { defaultSnapshots, run } from '../../support/program.ts'
import { Random } from '../../support/random.ts'
import {
  hasRedis,
  portOf,
  type RedisCluster,
  type RedisNode,
  startRedisCluster,
} from '../../support/servers/redis-cluster.ts'

const head = 200
const openingCreditUsd = 100
/** Answers that are awaited under each fault, at least. */
const answersMin = 150

/** A look-up under load, and its answer. */
interface Asked {
  readonly ordinal: number
  readonly byHandle: boolean
  readonly status: number
}

/** Counts of the answers under load. */
interface Load {
  right: number
  /** Of people of the head, among those that are right. */
  ofHead: number
  unavailable: number
  readonly wrong: string[]
  readonly stop: () => Promise<void>
}

describe.skipIf(!hasRedis())('a tail in a Redis cluster', () => {
  let cluster: RedisCluster
  let directory: string
  let snapshots: string
  let served: ActiveSnapshot

  beforeAll(async () => {
    cluster = await startRedisCluster()
    directory = mkdtempSync(join(tmpdir(), 'tail-'))
    snapshots = join(directory, 'snapshots')
    const ended = await split(snapshots)
    expect(ended.stderr).not.toContain('eviction')
    const path = pathOf(defaultSnapshots, announcedId(defaultSnapshots)!)
    served = activate(loadSnapshot(path) as Snapshot)
  }, 120_000)
  afterAll(async () => {
    await cluster?.stop()
    rmSync(directory, { recursive: true, force: true })
  })

  async function split(directory: string, ...more: readonly string[]) {
    const source = join(defaultSnapshots, 'source')
    const words = ['--source', source, '--snapshots', directory, '--tail', cluster.uri]
    const size = ['--head', String(head)]
    const ended = await run(['sync', ...words, ...size, ...more])
    expect(ended.exitCode, ended.stderr).toBe(0)
    return ended
  }

  const start = (...words: readonly string[]) => {
    const all = ['--tail', cluster.uri, ...oneThread, '--price-rank', '0', ...words]
    return operate(join(snapshots, 'head'), all)
  }

  /** Look-ups of everybody by turns, compared with those of the whole snapshot. */
  function load({ address, headers }: Operated, onAnswer: (asked: Asked) => void = () => {}): Load {
    const api = newApi(served, { durationMs: 0 })
    const { catalog } = served
    const seen: Load = { right: 0, ofHead: 0, unavailable: 0, wrong: [], stop: async () => {} }
    let stopped = false
    const askOn = async (line: number) => {
      const random = new Random(34, line)
      while (!stopped) {
        const ordinal = random.below(catalog.counts.authorities)
        const { socials } = JSON.parse(catalog.profiles.textAt(ordinal))
        const [handle] = Object.values(socials as Record<string, { handle: string }>).map(
          (social) => [social].flat()[0]!.handle,
        )
        const byHandle = handle !== undefined && random.below(2) === 0
        const target = byHandle
          ? `/api/v1/match?handle=${encodeURIComponent(handle)}`
          : `/api/v1/detail?sdus=${catalog.sduOf(ordinal)}`
        const response = await fetch(`${address}${target}`, { headers })
        const { results } = (await response.json()) as { results: unknown }
        onAnswer({ ordinal, byHandle, status: response.status })
        const isTry = response.status === 503 && response.headers.has('retry-after')
        if (isTry) seen.unavailable += 1
        else if (JSON.stringify(results) === JSON.stringify(ask(api, target).json.results)) {
          seen.right += 1
          seen.ofHead += Number(ordinal < head)
        } else seen.wrong.push(`${target}: ${response.status} ${JSON.stringify(results)}`)
      }
    }
    const asking = Promise.all(Array.from({ length: 4 }, (_, line) => askOn(line)))
    asking.catch(() => {})
    const stop = async () => {
      stopped = true
      await asking
    }
    return Object.assign(seen, { stop })
  }

  const more = (seen: Load, count = answersMin) => {
    const before = seen.right
    return until(() => seen.right >= before + count || seen.wrong.length > 0)
  }

  async function mastersOf(): Promise<RedisNode[]> {
    const roles = await Promise.all(
      cluster.nodes.map((node) => cluster.ask(...portOf(node), 'role').catch(() => '')),
    )
    return cluster.nodes.filter((_, index) => roles[index]!.startsWith('master'))
  }

  it('answers right while its slots move to other nodes', async () => {
    const service = await start()
    const seen = load(service)
    await more(seen)
    const [from, to] = await mastersOf()
    const ids = await Promise.all(
      [from!, to!].map((node) => cluster.ask(...portOf(node), 'cluster', 'myid')),
    )
    const [source, target] = ids.map((id) => id.trim())
    const place = `127.0.0.1:${from!.port}`
    const order = ['--cluster-from', source!, '--cluster-to', target!, '--cluster-slots', '500']
    await cluster.ask('--cluster', 'reshard', place, ...order, '--cluster-yes')
    await more(seen)
    await seen.stop()
    expect(seen.wrong).toEqual([])
    expect(seen.right).toBeGreaterThan(2 * answersMin)
    const behind = served.catalog.counts.authorities - head
    const facts = { ready: true, thread_deaths: 0, tail: { head, behind } }
    await readinessOf(service).toMatchObject(facts)
  }, 240_000)

  /** Whether a node has a block of the head's tail. */
  async function blocksOn(node: RedisNode) {
    const [, own] = /^.* myself,.* connected (.*)$/m.exec(
      await cluster.ask(...portOf(node), 'cluster', 'nodes'),
    )!
    const ranges = own!.split(' ').map((range) => range.split('-').map(Number))
    const mark = `authority-index:${tailNameOf(announcedId(join(snapshots, 'head'))!)}`
    return (kind: BlockKind, number: number) => {
      const slot = slotOf(`${mark}:${kind}:${number}`)
      return ranges.some(([first, last = first]) => slot >= first! && slot <= last!)
    }
  }

  it('answers people of the other nodes while one is slow in bursts, and 503 free of charge for the rest', async () => {
    const priceUsd = 0.001
    const prices = ['match', 'detail'].flatMap((route) => [`--price-${route}`, String(priceUsd)])
    const service = await start(...prices, '--opening-credit', String(openingCreditUsd))
    const [slow] = await mastersOf()
    const isOnSlow = await blocksOn(slow!)
    const mark = `authority-index:${tailNameOf(announcedId(join(snapshots, 'head'))!)}`
    const facts: TailFacts = JSON.parse(await cluster.ask('-c', ...portOf(slow!), 'get', mark))
    const elsewhere = { answered: 0, refused: 0 }
    let isSlow = false
    const seen = load(service, ({ ordinal, byHandle, status }) => {
      if (!isSlow || byHandle || ordinal < head) return
      const name = blockOfName(nameOfSdu(served.catalog.sduOf(ordinal)), facts.blocks.names)
      const person = Math.floor((ordinal - head) / peoplePerBlock)
      if (isOnSlow('names', name) || isOnSlow('people', person)) return
      if (status === 200) elsewhere.answered += 1
      else elsewhere.refused += 1
    })
    await more(seen)
    const refused = seen.unavailable
    while (seen.unavailable < refused + 20 || elsewhere.answered < 50) {
      isSlow = true
      // Shorter than a node has to be silent until its replica takes its place; the ping waits until it is over.
      await cluster.ask(...portOf(slow!), 'client', 'pause', '700', 'all')
      await cluster.ask(...portOf(slow!), 'ping')
      isSlow = false
      await more(seen, 20)
    }
    await seen.stop()
    expect(seen.wrong).toEqual([])
    // A call may take too long on a busy machine.
    expect(elsewhere.refused).toBeLessThan(elsewhere.answered / 10)
    const { headers } = await fetch(
      `${service.address}/api/v1/detail?sdus=${served.catalog.sduOf(0)}`,
      {
        headers: service.headers,
      },
    )
    const spent = openingCreditUsd - Number(headers.get('x-balance-usd'))
    expect(spent).toBeCloseTo((seen.right + 1) * priceUsd, 6)
  }, 240_000)

  it('answers the head and 503 for the rest while a node hangs, and all when it goes on', async () => {
    const service = await start()
    const seen = load(service)
    await more(seen)
    // With the replica stopped, too, no other node takes its slots.
    const masters = await mastersOf()
    const stopped = cluster.nodes
    for (const { process } of stopped) process.kill('SIGSTOP')
    try {
      const [refused, ofHead] = [seen.unavailable, seen.ofHead]
      await until(() => seen.unavailable > refused + 20 && seen.ofHead > ofHead + 20)
    } finally {
      for (const { process } of stopped) process.kill('SIGCONT')
    }
    expect(masters.length).toBe(3)
    const { unavailable } = seen
    await more(seen, 3 * answersMin)
    await seen.stop()
    expect(seen.wrong).toEqual([])
    expect(unavailable).toBeGreaterThan(20)
  }, 240_000)

  it('answers right again when a replica has taken the place of a lost node', async () => {
    const service = await start()
    const seen = load(service)
    await more(seen)
    const [lost] = await mastersOf()
    lost!.process.kill('SIGKILL')
    await until(async () => (await mastersOf()).length === 3)
    await more(seen, 3 * answersMin)
    const { unavailable } = seen
    await more(seen, answersMin)
    await seen.stop()
    expect(seen.wrong).toEqual([])
    expect(unavailable).toBeGreaterThan(0)
  }, 240_000)

  /** Names of the keys of a snapshot's tail, the mark among them. */
  async function keysOf(id: string): Promise<string[]> {
    const pattern = ['--scan', '--pattern', `authority-index:${tailNameOf(id)}*`]
    const masters = await mastersOf()
    const found = await Promise.all(masters.map((node) => cluster.ask(...portOf(node), ...pattern)))
    return found.flatMap((names) => names.split('\n').filter((name) => name !== ''))
  }

  it('gets lost blocks back from a sync with --force, and from no other', async () => {
    const id = announcedId(join(snapshots, 'head'))!
    const before = (await keysOf(id)).sort()
    const [lost] = before.filter((name) => name.includes(':people:'))
    const [master] = await mastersOf()
    await cluster.ask('-c', ...portOf(master!), 'unlink', lost!)
    await split(snapshots)
    expect((await keysOf(id)).sort()).toEqual(before.filter((name) => name !== lost))
    await split(snapshots, '--force')
    expect((await keysOf(id)).sort()).toEqual(before)
  }, 120_000)

  it('has nothing of the snapshot before once a person was forgotten', async () => {
    const own = join(directory, 'forgotten')
    // Another size is another head: the other tests go on with theirs.
    const size = ['--head', String(head + 100)]
    await split(own, ...size)
    const { catalog } = served
    const ordinal = catalog.counts.authorities - 1
    const { socials } = JSON.parse(catalog.profiles.textAt(ordinal))
    const [social] = Object.values(socials as Record<string, { handle: string }>)
    const { handle } = [social].flat()[0]!
    const heads = join(own, 'head')
    const old = announcedId(heads)!
    const service = await operate(heads, ['--tail', cluster.uri, ...oneThread])
    const match = `${service.address}/api/v1/match?handle=${encodeURIComponent(handle)}`
    const found = async () => {
      const response = await fetch(match, { headers: service.headers })
      const { results } = (await response.json()) as { results: readonly { sdu: string }[] }
      return { status: response.status, results }
    }
    expect((await found()).results).toHaveLength(1)
    expect((await keysOf(old)).length).toBeGreaterThan(100)

    const places = ['--source', join(defaultSnapshots, 'source'), '--snapshots', own]
    const words = [...places, '--tail', cluster.uri, ...size, '--reason', 'asked']
    const forgotten = await run(['forget', catalog.sduOf(ordinal), ...words])
    expect(forgotten.exitCode, forgotten.stderr).toBe(0)
    expect(await keysOf(old)).toEqual([])
    const next = announcedId(heads)!
    expect(next).not.toBe(old)
    await until(async () => (await service.readiness()).snapshot_id === next)
    expect(await found()).toEqual({ status: 200, results: [] })
  }, 120_000)

  it('is not served before its tail is complete, and says why', async () => {
    const { id } = { id: announcedId(join(snapshots, 'head'))! }
    const other = `redis://127.0.0.1:1`
    const words = ['serve', '--port', '0', '--snapshots', join(snapshots, 'head'), '--tail', other]
    const ended = await run([...words, '--data', join(temporaryDirectory(), 'data')])
    expect(ended.exitCode).toBe(1)
    expect(ended.stderr).toContain(id)
    expect(ended.stderr).toContain('the tail is not reached')
  }, 60_000)
})
