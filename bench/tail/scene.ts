/** What is asked: a snapshot, whole and split into a head with two tails; services over each; targets and their answers. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { activate } from '../../src/api/active-snapshot.ts'
import { directoryStore, readPointer } from '../../src/snapshot/store/directory.ts'
import { headDirectory, publishTail } from '../../src/sync/tail/publish-tail.ts'
import { openRedisTail } from '../../src/tail/redis-tail.ts'
import { until } from '../../test/support/operated.ts'
import type { Children } from '../../test/support/processes/children.ts'
import { freePort } from '../../test/support/processes/free-port.ts'
import { type KeyedService, startRichService } from '../../test/support/processes/service.ts'
import { startRedisCluster } from '../../test/support/servers/redis-cluster.ts'
import { snapshotAt } from '../scale/bench.ts'
import { drawPeople, targetOf } from '../scale/serving.ts'
import type { BenchOptions } from '../shared/bench.ts'
import { loadAnnounced } from '../shared/data/data.ts'
import { getter, resultsOf } from '../shared/in-process.ts'
import type { Expectations } from '../shared/load/open-loop.ts'
import { PlainClient } from './plain-client.ts'
import type { LookUp, Store } from './rows.ts'

/** Redis, as it is asked about itself. */
export interface RedisServers {
  readonly pids: readonly number[]
  readonly ports: readonly number[]
}

/** The files of a kind of look-up. */
interface Asked {
  readonly targetsFile: string
  readonly expectationsFile: string
}

/** All of it. */
export interface Scene {
  readonly authorities: number
  readonly head: number
  readonly services: Readonly<Record<Store, KeyedService>>
  readonly redis: Readonly<Record<Store, RedisServers>>
  /** Plain clients of both kinds of Redis. */
  readonly plain: Readonly<Record<'single' | 'cluster', PlainClient>>
  readonly asked: Readonly<Record<LookUp, Asked>>
  /** Ends what `children` do not. */
  readonly stop: () => Promise<void>
}

/** One in so many people is in the head. */
const headOf = 10
const writeMsMax = 30_000
const silent = { phase: () => {}, update: () => {}, note: () => {}, stop: () => {} }

/** Makes all of it. @param people that are drawn from the records. */
export async function setScene(
  children: Children,
  authorities: number,
  directory: string,
  people: number,
  { report }: BenchOptions,
): Promise<Scene> {
  const made = await snapshotAt(children, authorities, directory, report)
  const head = authorities / headOf
  report(`${authorities} people: a Redis cluster and a single Redis`)
  const cluster = await startRedisCluster()
  try {
    const single = await startRedis(children)
    const uris = { single: `redis://127.0.0.1:${single.ports[0]}`, cluster: cluster.uri }
    const heads = children.directory
    for (const uri of Object.values(uris)) await fill(uri, made.snapshots, heads, head)
    report(`${authorities} people: services`)
    const start = (words: readonly string[], snapshots = join(heads, headDirectory)) =>
      startRichService(children, { snapshots, threads: 1, words })
    const services = {
      whole: await start([], made.snapshots),
      single: await start(['--tail', uris.single]),
      cluster: await start(['--tail', uris.cluster]),
    }
    const none: RedisServers = { pids: [], ports: [] }
    const nodes: RedisServers = {
      pids: cluster.nodes.map(({ process }) => process.pid!),
      ports: cluster.nodes.map(({ port }) => port),
    }
    const ids = [made.snapshots, join(heads, headDirectory)].map(
      (each) => readPointer(each, 'CURRENT')!,
    )
    const drawn = drawPeople(join(made.source, 'authorities.ndjson'), people)
    const asked = writeAsked(children.directory, made.snapshots, ids, drawn, head)
    const redis = { whole: none, single, cluster: nodes }
    const plain = {
      single: await PlainClient.open(single.ports),
      cluster: await PlainClient.open(nodes.ports),
    }
    const stop = () => {
      for (const client of Object.values(plain)) client.close()
      return cluster.stop()
    }
    return { authorities, head, services, redis, plain, asked, stop }
  } catch (error) {
    await cluster.stop()
    throw error
  }
}

async function startRedis(children: Children): Promise<RedisServers> {
  const port = await freePort()
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const { process } = children.start({ name: 'redis-server', command: 'redis-server', args })
  const ping = ['-p', String(port), 'ping']
  await until(async () => spawnSync('redis-cli', ping).stdout.toString().trim() === 'PONG')
  return { pids: [process.pid!], ports: [port] }
}

/** Splits the announced snapshot: fills a tail, and announces the head in a directory. */
async function fill(uri: string, snapshots: string, heads: string, head: number): Promise<void> {
  const tail = await openRedisTail(uri, { commandMsMax: writeMsMax })
  try {
    const order = { tail, snapshots: heads, head, keep: 1, graceMs: 0, force: false }
    const id = readPointer(snapshots, 'CURRENT')!
    const stores = {
      wholes: directoryStore(snapshots),
      heads: directoryStore(join(heads, headDirectory)),
    }
    await publishTail({ ...order, progress: silent }, stores, id)
  } finally {
    await tail.close()
  }
}

/** Targets of each kind, each person once, with what the whole snapshot answers. */
function writeAsked(
  directory: string,
  snapshots: string,
  ids: readonly string[],
  drawn: ReturnType<typeof drawPeople>,
  head: number,
): Scene['asked'] {
  const served = activate(loadAnnounced(snapshots))
  const get = getter(served)
  const people = [...new Map(drawn.map((person) => [person.sdu, person])).values()]
  const isOfHead = ({ sdu }: { sdu: string }) => served.catalog.findSdu(sdu) < head
  const [ofHead, behind] = [people.filter(isOfHead), people.filter((each) => !isOfHead(each))]
  const write = (name: string, targets: readonly string[]): Asked => {
    const targetsFile = join(directory, `${name}.targets`)
    writeFileSync(targetsFile, `${targets.join('\n')}\n`)
    const results = targets.map((target) => resultsOf(get(target)))
    const expectations: Expectations = Object.fromEntries(ids.map((id) => [id, results]))
    const expectationsFile = join(directory, `${name}.json`)
    writeFileSync(expectationsFile, JSON.stringify(expectations))
    return { targetsFile, expectationsFile }
  }
  // A handle that several people have is one of the head for one of them only.
  const isAlone = (target: string) => get(target).split('"sdu"').length === 2
  const matches = (some: typeof people) => some.map((each) => targetOf('match', each))
  return {
    'match, tail': write('match-tail', matches(behind).filter(isAlone)),
    'detail, tail': write(
      'detail-tail',
      behind.map((each) => targetOf('detail', each)),
    ),
    'match, head': write('match-head', matches(ofHead).filter(isAlone)),
  }
}
