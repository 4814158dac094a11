/**
 * The scores of batches of 1,000 handles beside a `Map`, LMDB and Redis, and the processor time of the dearest
 * single requests by what they are charged (the built service, on Linux).
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import * as tinybench from 'tinybench'
import { activate } from '../../src/api/active-snapshot.ts'
import { Queries } from '../../src/library/queries.ts'
import { askVictim, startVictim } from '../../test/support/abuse/victim.ts'
import { Children } from '../../test/support/processes/children.ts'
import { Random } from '../../test/support/random.ts'
import { type Bench, type BenchOptions, numberOf, type Outcome } from '../shared/bench.ts'
import { benchData, loadAnnounced, textsOf } from '../shared/data/data.ts'
import { table } from '../shared/report.ts'
import { lmdbOf } from './lmdb.ts'
import { type SingleToll, singleTollOf } from './processor.ts'
import { redisOf, type Store } from './redis.ts'
import { boundsMs, plainName, queryUsd, singleRequests } from './requests.ts'

/** What answers a batch; microseconds a handle, at the median. */
interface BatchRow {
  readonly name: string
  readonly microseconds: number
  readonly byMap: number
  readonly bytes: number
}

const sizes = {
  tiny: { people: 1_000, batches: 3, rounds: { requests: 5, rounds: 1 } },
  full: { people: 1_000_000, batches: 200, rounds: { requests: 100, rounds: 5 } },
} as const
const batchSize = 1_000
const strangerShare = 0.1

export const batchBench: Bench = {
  name: 'batch',
  flags: ['people', 'only'],
  run: async (options) => {
    const { only } = options.flags ?? {}
    const people = numberOf(options, 'people') ?? sizes[options.size].people
    const { snapshots } = await benchData(people, options.directory)
    const scores = only === 'requests' ? [] : await scoreRows(snapshots, options)
    const requests = only === 'scores' ? [] : await singleTolls(snapshots, options)
    return outcomeOf(scores, requests, options)
  },
}

async function scoreRows(
  snapshots: string,
  { size, signal, report }: BenchOptions,
): Promise<BatchRow[]> {
  const snapshot = loadAnnounced(snapshots)
  const active = activate(snapshot)
  const index = new Queries(() => active)
  const all = textsOf(snapshot.sections, 'handle')
  const found = index.scores(all)
  const handles = all.filter((_, place) => !Number.isNaN(found[place]!))
  const scores = index.scores(handles)
  const batches = drawn(handles, sizes[size].batches)
  report(`${handles.length} handles with an owner`)
  const redis = await redisOf(handles, scores, signal)
  if (redis === undefined) report('without Redis: apt-get install redis-server')
  const lmdb = lmdbOf(handles, scores)
  const topic: string = index.topics({ limit: 1 }).results[0].topic
  const [out, ranks] = [new Float64Array(batchSize), new Uint32Array(batchSize)]
  const bytes = sectionsRead.reduce((sum, name) => sum + snapshot.sections[name].byteLength, 0)
  const stores: Readonly<Record<string, Store>> = {
    Map: mapOf(handles, scores),
    'get(handle)': { bytes, ask: (texts) => texts.map((text) => index.get(text)) },
    'scores(list)': { bytes, ask: (texts) => index.scores(texts, { out }) },
    'scores(lines)': { bytes, ask: (_, lines) => index.scores(lines, { out }) },
    'ranks(list, topic)': { bytes, ask: (texts) => index.ranks(texts, topic, { out: ranks }) },
    LMDB: lmdb,
    ...(redis && { 'Redis MGET': redis }),
  }
  try {
    const rows = await timesOf(stores, batches)
    return rows.map((row) => ({ ...row, bytes: stores[row.name]!.bytes / handles.length }))
  } finally {
    await lmdb.close()
    await redis?.close()
  }
}

/** A batch as JSON and as lines. Handles are new texts each time, as a pipeline reads them. */
interface Batch {
  readonly json: string
  readonly lines: Uint8Array
}

async function timesOf(stores: Readonly<Record<string, Store>>, batches: readonly Batch[]) {
  const bench = new tinybench.Bench({ time: 0, iterations: batches.length })
  for (const [name, { ask }] of Object.entries(stores)) {
    let next = 0
    let texts: readonly string[] = []
    let lines: Uint8Array = new Uint8Array()
    const beforeEach = () => {
      const batch = batches[next++ % batches.length]!
      texts = JSON.parse(batch.json)
      lines = batch.lines
    }
    bench.add(name, () => ask(texts, lines), { beforeEach })
  }
  await bench.run()
  const rows = bench.tasks.map(({ name, result }) => {
    if (result.state !== 'completed') throw new Error(`${name}: ${result.state}`)
    return { name, microseconds: (result.latency.p50 * 1000) / batchSize }
  })
  return rows.map((row) => ({ ...row, byMap: row.microseconds / rows[0]!.microseconds }))
}

function drawn(handles: readonly string[], count: number): Batch[] {
  const random = new Random(7, 0)
  const handle = () =>
    random.fraction() < strangerShare
      ? `nobody${random.below(1_000_000)}`
      : handles[random.below(handles.length)]!
  return Array.from({ length: count }, () => {
    const texts = Array.from({ length: batchSize }, handle)
    return { json: JSON.stringify(texts), lines: Buffer.from(`${texts.join('\n')}\n`) }
  })
}

const sectionsRead = [
  'handle.text',
  'handle.starts',
  'handle.slots',
  'handle.node-starts',
  'handle.nodes',
  'authority.scores',
] as const

function mapOf(handles: readonly string[], scores: Float64Array): Store {
  const before = heapBytes()
  // Texts of its own, as they would be read from a file.
  const texts: string[] = JSON.parse(JSON.stringify(handles))
  const map = new Map(texts.map((text, place) => [text, scores[place]!]))
  texts.length = 0
  const bytes = heapBytes() - before
  // The sum keeps the work from being left out.
  const ask = (sent: readonly string[]) => sent.reduce((sum, text) => sum + (map.get(text) ?? 0), 0)
  return { bytes, ask }
}

function heapBytes(): number {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  collect()
  return process.memoryUsage().heapUsed
}

/** No limit of another kind answers first, and a batch of a thousand different ones costs more than there is. */
const dearWords = [
  ...['--failed-key-limit', '0', '--lookup-rate-limit', '0'],
  ...['peers', 'history', 'changes'].flatMap((route) => ['--price', `${route}=0.000001`]),
  ...['rank', 'detail'].flatMap((route) => ['--price', `${route}=0.055`]),
]

async function singleTolls(
  snapshots: string,
  { size, signal, report }: BenchOptions,
): Promise<SingleToll[]> {
  const children = new Children(signal)
  const data = join(children.directory, 'data')
  mkdirSync(data)
  try {
    const surroundings = { snapshots, words: dearWords }
    const victim = await startVictim(children, data, surroundings)
    const { key } = victim
    const get = async (target: string) => (await askVictim(victim, target)).text()
    const tolls: SingleToll[] = []
    for (const request of await singleRequests({ key, snapshots, get })) {
      report(request.name)
      tolls.push(await singleTollOf(victim, request, sizes[size].rounds))
    }
    return tolls
  } finally {
    await children.close()
  }
}

/** Both tables. What a request costs is no problem of a tiny run, which measures cold code. */
function outcomeOf(
  scores: readonly BatchRow[],
  tolls: readonly SingleToll[],
  { size }: BenchOptions,
): Outcome {
  const wrongs = (toll: SingleToll) => wrongsOf(toll, size === 'full')
  const plainMs = tolls.find(({ name }) => name === plainName)?.ms ?? Number.NaN
  const scoreLines = table(scores, {
    'what answers': ({ name }) => name,
    'µs a handle': ({ microseconds }) => microseconds.toFixed(3),
    'by Map': ({ byMap }) => byMap.toFixed(2),
    'bytes a handle': ({ bytes }) => Math.round(bytes),
  })
  const requestLines = table(tolls, {
    request: ({ name }) => name,
    'processor time, ms': ({ ms }) => ms.toFixed(3),
    '× plain match': ({ ms }) => (ms / plainMs).toFixed(1),
    'ms for a USD': ({ ms, queries }) =>
      queries === 0 ? '' : (ms / queries / queryUsd).toFixed(0),
    'bound, ms': ({ kind, queries }) => boundsMs[kind] * Math.max(1, queries),
    '': (toll) => (wrongs(toll).length === 0 ? '' : 'above, or answered otherwise'),
  })
  return {
    lines: [
      ...(scores.length === 0 ? [] : [...scoreLines, '']),
      ...(tolls.length === 0 ? [] : requestLines),
    ],
    problems: tolls.flatMap(wrongs),
  }
}

function wrongsOf(
  { name, kind, queries, ms, otherStatuses }: SingleToll,
  isTimed: boolean,
): string[] {
  const maxMs = boundsMs[kind] * Math.max(1, queries)
  return [
    ...(isTimed && ms > maxMs ? [`${name} costs ${ms.toFixed(2)} ms, more than ${maxMs}`] : []),
    ...(otherStatuses.length > 0 ? [`${name} was answered ${otherStatuses.join(', ')}`] : []),
  ]
}
