/**
 * A tail in Redis or Valkey, in one server or a cluster. Keys carry the id of the snapshot and no hash tag, so that the
 * blocks of each snapshot spread over all nodes of a cluster. Blocks of one node are read in one round trip. `ioredis` is
 * loaded when a tail is named, and not before.
 */
import type { Cluster, ClusterOptions, Redis, RedisOptions } from 'ioredis'
import { Refusal, thrownMessage } from '../problems.ts'
import { slotOf } from './slot.ts'
import { type TailHost, tailAddressOf } from './tail-address.ts'
import { type BlockKey, blockKeysOf, type TailFacts, type TailStore } from './tail-store.ts'

/** Keys that are sent with one command of a server, or wait for their answers at once. */
const keysAtOnce = 1_000
/**
 * Duration after which a cluster is asked again for the places of its slots, ms. It is asked at once when a call fails.
 * Each answer holds the thread up for 2 ms: ioredis walks through all slots.
 */
const slotsAgainMs = 30_000
/** Blocks outlive the mark of their snapshot by so long, ms: who saw the mark may still read them. */
const blocksOutliveMs = 60_000
const prefix = 'authority-index:'
const packageName = 'ioredis'

/** Options of a connection. */
interface RedisTailOptions {
  /** Duration after which a command counts as failed, ms. */
  readonly commandMsMax: number
  /** Called with each complaint about the connection. */
  readonly onComplaint?: (line: string) => void
}

/**
 * Connects to a tail.
 * @throws Refusal `wrong-usage` without `ioredis`, or for more than one server without a cluster; `tail-unreachable`.
 */
export async function openRedisTail(uri: string, options: RedisTailOptions): Promise<RedisTail> {
  const library = await loadedLibrary()
  const { hosts, options: own } = tailAddressOf(uri)
  const common: RedisOptions = {
    ...own,
    commandTimeout: options.commandMsMax,
    connectTimeout: options.commandMsMax,
    maxRetriesPerRequest: 0,
    retryStrategy: (times) => Math.min(1_000, 50 * times),
  }
  const report = (error: unknown) => options.onComplaint?.(`the tail: ${thrownMessage(error)}`)
  const newProbe = (place: TailHost) => {
    const probe = new library.Redis({
      ...common,
      ...place,
      lazyConnect: true,
      retryStrategy: null,
    })
    return probe.on('error', report)
  }
  const isCluster = await isOfCluster(hosts.map((place) => () => newProbe(place)))
  if (!isCluster && hosts.length > 1) {
    const problem = 'more than one address, and no cluster there'
    throw new Refusal(
      'wrong-usage',
      `--tail has ${problem}: name one server, or nodes of a cluster`,
    )
  }
  if (!isCluster) {
    const server = new library.Redis({ ...common, ...hosts[0], enableOfflineQueue: true })
    server.on('error', report)
    return new RedisTail(server)
  }
  const clustered: ClusterOptions = {
    redisOptions: common,
    enableAutoPipelining: true,
    slotsRefreshTimeout: Math.min(1_000, options.commandMsMax),
    clusterRetryStrategy: (times) => Math.min(1_000, 50 * times),
    retryDelayOnFailover: 50,
    retryDelayOnClusterDown: 50,
    retryDelayOnTryAgain: 20,
  }
  const cluster = new library.Cluster([...hosts], clustered)
  cluster.on('error', report)
  return new RedisTail(cluster)
}

async function loadedLibrary(): Promise<Pick<typeof import('ioredis'), 'Redis' | 'Cluster'>> {
  try {
    // By a name in a variable, so that no bundle takes it in.
    return await import(packageName)
  } catch {
    const hint = 'a tail in Redis needs the package ioredis: npm install ioredis'
    throw new Refusal('wrong-usage', hint)
  }
}

/** Whether the first server that answers is a node of a cluster. @throws Refusal `tail-unreachable` if none does. */
async function isOfCluster(probes: readonly (() => Redis)[]): Promise<boolean> {
  let reason: unknown
  for (const newProbe of probes) {
    const server = newProbe()
    try {
      await server.connect()
      await server.ping()
      // One that has no cluster, or does not say so, is asked as a server.
      return await server.cluster('SLOTS').then(Boolean, () => false)
    } catch (error) {
      reason = error
    } finally {
      server.disconnect()
    }
  }
  throw unreached(reason)
}

function failed(error: unknown): never {
  throw unreached(error)
}

/** The refusal of a call that failed. */
function unreached(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  return new Refusal('tail-unreachable', `the tail is not reached: ${thrownMessage(error)}`)
}

class RedisTail implements TailStore {
  readonly #client: Redis | Cluster
  readonly #slotsAgain: NodeJS.Timeout | undefined

  constructor(client: Redis | Cluster) {
    this.#client = client
    // The interval of ioredis begins anew when a look ends after the connection was closed, and keeps the process alive.
    const lookAgain = () => this.#askForSlots()
    this.#slotsAgain = client.isCluster ? setInterval(lookAgain, slotsAgainMs) : undefined
  }

  /** @throws Refusal `tail-unreachable`, as all that follow do. */
  async facts(snapshot: string): Promise<TailFacts | undefined> {
    const text = await this.#client.get(markOf(snapshot)).catch(failed)
    return text === null ? undefined : JSON.parse(text)
  }

  /**
   * A master and its replicas: the keys that one pipeline of ioredis takes. '' for all blocks of one server, and before
   * the places of slots are known.
   */
  nodeOf(key: BlockKey): string {
    if (!this.#client.isCluster) return ''
    return (this.#client as Cluster).slots[slotOf(nameOf(key))]?.join() ?? ''
  }

  /** Of a server one MGET. A node of a cluster takes no MGET over several slots: it is sent many GETs in one write. */
  async blocks(keys: readonly BlockKey[]): Promise<readonly (Uint8Array | null)[]> {
    const client = this.#client
    const names = keys.map(nameOf)
    if (!client.isCluster) return (client as Redis).mgetBuffer(names)
    const pipeline = client.pipeline()
    for (const name of names) pipeline.getBuffer(name)
    const found = ((await pipeline.exec()) ?? []) as [Error | null, Buffer | null][]
    return Promise.all(names.map((name, index) => this.#found(name, found[index]!)))
  }

  /** A pipeline follows a slot that moves only if all of its keys move together; a command by itself follows always. */
  #found(name: string, [error, bytes]: readonly [Error | null, Buffer | null]) {
    if (error === null) return bytes
    if (/^(MOVED|ASK|TRYAGAIN) /.test(error.message)) return this.#client.getBuffer(name)
    // Another node may have taken the place of this one.
    this.#askForSlots()
    throw error
  }

  #askForSlots(): void {
    ;(this.#client as Cluster).refreshSlotsCache()
  }

  async write(blocks: readonly (readonly [key: BlockKey, bytes: Uint8Array])[]): Promise<void> {
    await this.#each(blocks, ([key, bytes]) => this.#client.set(nameOf(key), Buffer.from(bytes)))
  }

  /** @throws Refusal `tail-unreachable` if a block is not there: a server may have thrown it out. */
  async complete(snapshot: string, facts: TailFacts): Promise<void> {
    let [found, all] = [0, 0]
    await this.#each(blockKeysOf(snapshot, facts), async (key) => {
      all += 1
      const isThere = await this.#client.exists(nameOf(key))
      found += isThere
    })
    if (found < all) {
      const problem = `holds ${found} of ${all} blocks of snapshot ${snapshot}`
      throw new Refusal(
        'tail-unreachable',
        `the tail ${problem}: has it room, and the policy noeviction?`,
      )
    }
    await this.#client.set(markOf(snapshot), JSON.stringify(facts)).catch(failed)
  }

  async expire(snapshot: string, facts: TailFacts, afterMs: number): Promise<void> {
    const client = this.#client
    const outliveMs = afterMs + blocksOutliveMs
    if (afterMs === 0) await client.unlink(markOf(snapshot)).catch(failed)
    else await client.pexpire(markOf(snapshot), afterMs, 'NX').catch(failed)
    await this.#each(blockKeysOf(snapshot, facts), (key) =>
      afterMs === 0 ? client.unlink(nameOf(key)) : client.pexpire(nameOf(key), outliveMs, 'NX'),
    )
  }

  async complaints(): Promise<readonly string[]> {
    const client = this.#client
    // An answer means that the masters are known.
    await client.ping().catch(failed)
    const nodes = client.isCluster ? (client as Cluster).nodes('master') : [client as Redis]
    const policies = await Promise.all(nodes.map(policyOf))
    return [...new Set(policies.filter((policy) => policy !== 'noeviction'))].map((policy) =>
      policy === undefined
        ? 'the eviction policy of the tail cannot be read: it has to be noeviction'
        : `the eviction policy of the tail is ${policy}: blocks that it throws out are 503 until the next sync; use noeviction`,
    )
  }

  async close(): Promise<void> {
    clearInterval(this.#slotsAgain)
    this.#client.disconnect()
  }

  /** Does something with each, many at once. @throws Refusal `tail-unreachable`. */
  async #each<T>(all: Iterable<T>, work: (each: T) => Promise<unknown>): Promise<void> {
    let under: Promise<unknown>[] = []
    for (const each of all) {
      under.push(work(each))
      if (under.length < keysAtOnce) continue
      await Promise.all(under).catch(failed)
      under = []
    }
    await Promise.all(under).catch(failed)
  }
}

/** The eviction policy of a server; undefined where it may not be read. */
async function policyOf(server: Redis): Promise<string | undefined> {
  try {
    const [, policy] = (await server.config('GET', 'maxmemory-policy')) as string[]
    return policy
  } catch {
    return undefined
  }
}

function nameOf({ snapshot, kind, number }: BlockKey): string {
  return `${prefix}${snapshot}:${kind}:${number}`
}

function markOf(snapshot: string): string {
  return `${prefix}${snapshot}`
}
