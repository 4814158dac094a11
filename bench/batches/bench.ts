/**
 * Handles matched a thousand at a time over HTTP (`POST /api/v1/match`), beside MGET of ready-made
 * answers in Redis over a socket of this machine, and beside a GET for each. By turns; what is compared
 * is the processor time of the server's process for a handle, so that it does not matter what asks.
 */
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { activate } from '../../src/api/active-snapshot.ts'
import { limits } from '../../src/limits.ts'
import { parseHandle } from '../../src/text/handle.ts'
import { Children } from '../../test/support/processes/children.ts'
import { type Cores, divideCores } from '../../test/support/processes/cores.ts'
import { workSeconds } from '../../test/support/processes/proc.ts'
import { startRichService } from '../../test/support/processes/service.ts'
import { Random } from '../../test/support/random.ts'
import { type Bench, type BenchOptions, numberOf } from '../shared/bench.ts'
import { announcedIn, loadAnnounced, textsOf } from '../shared/data/data.ts'
import { type Get, getter, resultsOf } from '../shared/in-process.ts'
import { table } from '../shared/report.ts'
import { type Round, ratiosOf, roundsOf } from '../shared/rounds.ts'
import { startRedis } from '../wire/databases.ts'
import { type Ask, batchAsker, redisAsker, singleAsker } from './askers.ts'

/** Who answers, and how. */
export type Manner = 'batch' | 'redis' | 'single'

/** What a handle takes of the server's processor. */
export interface BatchRow {
  readonly manner: string
  /** Microseconds of processor time, the median of the rounds. */
  readonly cpuUs: number
  readonly itemsPerCpuSecond: number
}

/** A figure with what it is to be. */
export interface BatchFigure {
  readonly name: string
  readonly value: number
  readonly wanted: string
}

/** What came of a run. */
export interface BatchResult {
  readonly rows: readonly BatchRow[]
  readonly figures: readonly BatchFigure[]
  /** What was left out, and what it would take. */
  readonly left: readonly string[]
}

const sizes = {
  tiny: { authorities: 300, batches: 2, rounds: 1, seconds: 0.2 },
  full: { authorities: 1_000_000, batches: 100, rounds: 5, seconds: 3 },
} as const

/** What is said of each manner. */
const manners: Readonly<Record<Manner, string>> = {
  batch: `POST /api/v1/match of ${limits.batchValuesMax.toLocaleString('en')}`,
  redis: `Redis MGET of ${limits.batchValuesMax.toLocaleString('en')}, pipelined`,
  single: 'GET /api/v1/match of one',
}

/** Connections that wait for their answers at once. */
const connections = { batch: 4, redis: 4, single: 32 } as const

/** The bench, as commands run it. */
export const batchesBench: Bench = {
  name: 'batches',
  flags: ['snapshots', 'seconds'],
  run: async (options) => {
    const result = await run(options)
    return { result, lines: report(result) }
  },
}

/** Runs the bench. */
export async function run(options: BenchOptions): Promise<BatchResult> {
  const { size, signal, report: tell } = options
  const { authorities, batches, rounds, seconds } = sizes[size]
  const snapshots = await announcedIn(options, authorities)
  const { get, handles } = drawHandles(snapshots, batches * limits.batchValuesMax)
  const children = new Children(signal)
  try {
    const cores = divideCores()
    tell('the servers start')
    const sides = await startSides(children, { snapshots, handles, get, cores })
    const present = (Object.keys(sides) as Manner[]).filter((manner) => sides[manner] !== undefined)
    const measured = await roundsOf(present, rounds, (manner) => {
      tell(`${manners[manner]}`)
      return cpuPerItem(sides[manner]!, numberOf(options, 'seconds') ?? seconds)
    })
    for (const side of Object.values(sides)) await side?.ask.close()
    const left =
      sides.redis === undefined
        ? ['Redis is left out: apt-get install --no-install-recommends redis-server']
        : []
    return {
      rows: present.map((manner) => rowOf(manner, measured)),
      figures: figuresOf(measured),
      left,
    }
  } finally {
    await children.close()
  }
}

/** A server, and what asks it. */
interface Side {
  readonly pid: number
  readonly ask: Ask
}

/** What the sides are asked for, and where they run. */
interface Scene {
  readonly snapshots: string
  readonly handles: readonly string[]
  readonly get: Get
  readonly cores: Cores | undefined
}

async function startSides(
  children: Children,
  { snapshots, handles, get, cores }: Scene,
): Promise<Record<Manner, Side | undefined>> {
  const service = await startRichService(children, { snapshots, threads: 1, cores: cores?.server })
  const pid = service.child.process.pid!
  const redis = await startRedisSide(children, handles, get, cores)
  return {
    batch: { pid, ask: await batchAsker(service, handles, connections.batch) },
    redis,
    single: { pid, ask: await singleAsker(service, handles, connections.single) },
  }
}

/** Redis with the items of the answer to each handle. */
async function startRedisSide(
  children: Children,
  handles: readonly string[],
  get: Get,
  cores: Cores | undefined,
): Promise<Side | undefined> {
  const directory = await startRedis(children, cores?.server)
  if (directory === undefined) return undefined
  const redis = new Redis({ path: join(directory, 'redis.sock') })
  for (const handle of new Set(handles)) {
    const answer = get(`/api/v1/match?handle=${encodeURIComponent(handle)}`)
    await redis.set(handle, resultsOf(answer).slice('"results":['.length, -2))
  }
  const pid = Number(/process_id:(\d+)/.exec(await redis.info('server'))![1])
  return { pid, ask: redisAsker(redis, handles, connections.redis) }
}

/** Handles that somebody owns, a whole number of batches. */
function drawHandles(snapshots: string, count: number): { get: Get; handles: readonly string[] } {
  const snapshot = loadAnnounced(snapshots)
  const served = activate(snapshot)
  const all = textsOf(snapshot.sections, 'handle')
  const owned = all.filter((key) => {
    const query = parseHandle(key)
    return query.key === key && served.catalog.ownersOf(query).length > 0
  })
  const random = new Random(17, count)
  const order = random.permutation(owned.length)
  const handles = Array.from({ length: count }, (_, index) => owned[order[index % order.length]!]!)
  return { get: getter(served), handles }
}

/** Microseconds of the server's processor for each handle. */
async function cpuPerItem({ pid, ask }: Side, seconds: number): Promise<number> {
  const before = workSeconds(pid)
  const items = await ask.forSeconds(seconds)
  return ((workSeconds(pid) - before) * 1e6) / items
}

function rowOf(manner: Manner, rounds: readonly Round<Manner>[]): BatchRow {
  const sorted = rounds.map((round) => round[manner]).sort((a, b) => a - b)
  const cpuUs = sorted[sorted.length >> 1]!
  return { manner: manners[manner], cpuUs, itemsPerCpuSecond: 1e6 / cpuUs }
}

function figuresOf(rounds: readonly Round<Manner>[]): BatchFigure[] {
  const { cpuUs } = rowOf('batch', rounds)
  const isWithRedis = rounds.every(({ redis }) => redis !== undefined)
  const byRedis = isWithRedis ? ratiosOf(rounds, 'redis', 'batch').ratioMedian : undefined
  return [
    { name: 'processor time of a handle in a POST, µs', value: cpuUs, wanted: 'at most 2' },
    ...(byRedis === undefined
      ? []
      : [{ name: 'items a second a core, by Redis', value: byRedis, wanted: 'at least 1' }]),
    {
      name: 'items a second a core, by single GETs',
      value: ratiosOf(rounds, 'single', 'batch').ratioMedian,
      wanted: 'at least 50',
    },
  ]
}

/** A table of the manners, and one of the figures. */
export function report({ rows, figures, left }: BatchResult): string[] {
  return [
    ...left,
    ...table(rows, {
      'asked by': ({ manner }) => manner,
      'processor time, µs a handle': ({ cpuUs }) => cpuUs.toFixed(2),
      'handles a second a core': ({ itemsPerCpuSecond }) => itemsPerCpuSecond.toFixed(0),
    }),
    '',
    ...table(figures, {
      figure: ({ name }) => name,
      value: ({ value }) => value.toFixed(2),
      wanted: ({ wanted }) => wanted,
    }),
  ]
}
