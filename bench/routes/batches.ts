/**
 * Handles matched a thousand at a time over HTTP (`POST /api/v1/match`), beside MGET of ready-made
 * answers in Redis over a socket of this machine, and beside a GET for each, by turns. The figure is the
 * processor time of the server's process for a handle, so that the client does not matter.
 */
import { join } from 'node:path'
import { Redis } from 'ioredis'
import type { ActiveSnapshot } from '../../src/api/active-snapshot.ts'
import { limits } from '../../src/limits.ts'
import { getRequest } from '../../test/support/processes/answer-reader.ts'
import { Children } from '../../test/support/processes/children.ts'
import { Connection } from '../../test/support/processes/connection.ts'
import { divideCores } from '../../test/support/processes/cores.ts'
import { workSeconds } from '../../test/support/processes/proc.ts'
import { type KeyedService, startRichService } from '../../test/support/processes/service.ts'
import { Random } from '../../test/support/random.ts'
import type { BenchOptions } from '../shared/bench.ts'
import { textsOf } from '../shared/data/data.ts'
import { getter, resultsOf } from '../shared/in-process.ts'
import { table } from '../shared/report.ts'
import { median, medianRatioOf, roundsOf } from '../shared/rounds.ts'
import { startRedis } from '../wire/redis-server.ts'

/** What a handle takes of one server. */
interface BatchRow {
  readonly name: string
  /** Microseconds of processor time a handle, the median of the rounds. */
  readonly cpuUs: number
  /** Of its processor time to that of a POST in the same round, the median. */
  readonly byPost: number
  readonly wanted: string
}

/** What came of a run. */
export interface BatchResult {
  readonly rows: readonly BatchRow[]
  /** What was left out, and what it would take. */
  readonly left: readonly string[]
}

/** Asks one request, the n-th. */
type Ask = (n: number) => Promise<unknown>

/** A server, and how it is asked. */
interface Side {
  readonly name: string
  readonly wanted: string
  readonly pid: number
  /** Handles of one request. */
  readonly handles: number
  /** Each asks for one request after the other. */
  readonly asks: readonly Ask[]
  readonly close: () => void
}

const sizes = {
  tiny: { batches: 2, rounds: 1, seconds: 0.2 },
  full: { batches: 100, rounds: 5, seconds: 3 },
} as const
const batch = limits.batchValuesMax

/** Starts the servers and measures them by turns. Redis is left out where it is not installed. */
export async function measureBatches(
  snapshots: string,
  served: ActiveSnapshot,
  { size, signal, report }: BenchOptions,
): Promise<BatchResult> {
  const { batches, rounds, seconds } = sizes[size]
  const handles = drawHandles(served, batches * batch)
  const children = new Children(signal)
  try {
    report('batches: the servers start')
    const cores = divideCores()?.server
    const service = await startRichService(children, { snapshots, threads: 1, cores })
    const redis = await redisSide(children, served, handles, cores)
    const sides = [await postSide(service, handles), redis, await getSide(service, handles)]
    const present = sides.filter((side) => side !== undefined)
    const names = present.map(({ name }) => name)
    const measured = await roundsOf(names, rounds, (name) =>
      cpuPerHandle(present.find((side) => side.name === name)!, seconds),
    )
    for (const { close } of present) close()
    const rows = present.map(({ name, wanted }) => ({
      name,
      cpuUs: median(measured.map((round) => round[name]!)),
      byPost: medianRatioOf(measured, name, names[0]!),
      wanted,
    }))
    return { rows, left: redis === undefined ? ['Redis: apt-get install redis-server'] : [] }
  } finally {
    await children.close()
  }
}

/** Handles that somebody owns, so many in all: where there are fewer, they are repeated. */
export function drawHandles({ catalog }: ActiveSnapshot, count: number): string[] {
  const owned = textsOf(catalog.sections, 'handle').filter(
    (key) => catalog.ownersOf({ platform: undefined, key }).length > 0,
  )
  const order = new Random(17, count).permutation(owned.length)
  return Array.from({ length: count }, (_, index) => owned[order[index % order.length]!]!)
}

/**
 * Connections, each of which sends a request when its last one is answered. The service closes those that are idle
 * while others are measured; they are opened again.
 */
async function askers(port: number, count: number, request: (n: number) => string) {
  const connections = await Promise.all(Array.from({ length: count }, () => Connection.open(port)))
  const asks = connections.map(
    (_, index): Ask =>
      async (n) => {
        let answer = await connections[index]!.ask(request(n))
        if (answer === undefined) {
          connections[index] = await Connection.open(port)
          answer = await connections[index].ask(request(n))
        }
        if (answer?.status !== 200) throw new Error(`a batch was answered with ${answer?.status}`)
      },
  )
  const close = () => {
    for (const connection of connections) connection.close()
  }
  return { asks, close }
}

const inBatches = (handles: readonly string[]) =>
  Array.from({ length: handles.length / batch }, (_, at) =>
    handles.slice(at * batch, (at + 1) * batch),
  )

async function postSide({ child, port, key }: KeyedService, handles: readonly string[]) {
  const requests = inBatches(handles).map((each) => {
    const body = JSON.stringify({ handles: each })
    const type = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}`
    const head = `POST /api/v1/match HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}`
    return `${head}\r\n${type}\r\n\r\n${body}`
  })
  return {
    name: `POST /api/v1/match of ${batch}`,
    wanted: 'at most 2 µs',
    pid: child.process.pid!,
    handles: batch,
    ...(await askers(port, 4, (n) => requests[n % requests.length]!)),
  }
}

async function getSide({ child, port, key }: KeyedService, handles: readonly string[]) {
  const path = (n: number) => encodeURIComponent(handles[n % handles.length]!)
  const request = (n: number) => getRequest(`/api/v1/match?handle=${path(n)}`, key)
  return {
    name: 'GET /api/v1/match of one',
    wanted: 'at least 50 times a POST',
    pid: child.process.pid!,
    handles: 1,
    ...(await askers(port, 32, request)),
  }
}

/** Redis with the items of the answer to each handle; four MGETs at once on one connection. */
async function redisSide(
  children: Children,
  served: ActiveSnapshot,
  handles: readonly string[],
  cores: string | undefined,
): Promise<Side | undefined> {
  const directory = await startRedis(children, cores)
  if (directory === undefined) return undefined
  const redis = new Redis({ path: join(directory, 'redis.sock') })
  const get = getter(served)
  for (const handle of new Set(handles)) {
    const answer = get(`/api/v1/match?handle=${encodeURIComponent(handle)}`)
    await redis.set(handle, resultsOf(answer).slice('"results":['.length, -2))
  }
  const batches = inBatches(handles)
  const ask: Ask = async (n) => {
    const values = await redis.mgetBuffer(...batches[n % batches.length]!)
    if (values.includes(null)) throw new Error('Redis does not know all handles')
  }
  return {
    name: `Redis MGET of ${batch}`,
    wanted: 'at least a POST',
    pid: Number(/process_id:(\d+)/.exec(await redis.info('server'))![1]),
    handles: batch,
    asks: [ask, ask, ask, ask],
    close: () => redis.disconnect(),
  }
}

/** Microseconds of the server's processor for each handle. */
async function cpuPerHandle({ pid, handles, asks }: Side, seconds: number): Promise<number> {
  const before = workSeconds(pid)
  const endMs = performance.now() + seconds * 1000
  let asked = 0
  const loop = async (ask: Ask) => {
    while (performance.now() < endMs) await ask(asked++)
  }
  await Promise.all(asks.map(loop))
  return ((workSeconds(pid) - before) * 1e6) / (asked * handles)
}

/** A table of the sides. */
export function batchReport({ rows, left }: BatchResult): string[] {
  return [
    ...left.flatMap((line) => [`left out: ${line}`, '']),
    ...table(rows, {
      'a thousand handles': ({ name }) => name,
      'processor time, µs a handle': ({ cpuUs }) => cpuUs.toFixed(2),
      'by a POST': ({ byPost }) => byPost.toFixed(2),
      wanted: ({ wanted }) => wanted,
    }),
  ]
}
