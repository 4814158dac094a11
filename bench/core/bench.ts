/**
 * The five operations in the process, by the number of people, beside MiniSearch and `Map` over the same records
 * (the built library). Nothing is asked twice as far as there is so much to ask.
 */
import MiniSearch from 'minisearch'
import * as tinybench from 'tinybench'
import { activate } from '../../src/api/active-snapshot.ts'
import type { openIndex as OpenIndex } from '../../src/library/open-index.ts'
import { Random } from '../../test/support/random.ts'
import { type Bench, type BenchOptions, numberOf } from '../shared/bench.ts'
import { benchData, loadAnnounced, sdusOf, textsOf } from '../shared/data/data.ts'
import { makeQueries } from '../shared/data/queries.ts'
import { type Document, documentFields, documentsOf, readRecords } from '../shared/data/records.ts'
import { table } from '../shared/report.ts'

/** One operation of one engine at one size; times in microseconds. */
interface CoreRow {
  readonly people: number
  readonly operation: string
  readonly engine: string
  readonly meanUs: number
  readonly p50Us: number
  readonly p99Us: number
}

const sizes = {
  tiny: { people: [300], calls: 20, peerPeopleMax: 300, peerCalls: 10 },
  full: {
    people: [10_000, 100_000, 1_000_000],
    calls: 4_000,
    // MiniSearch holds its index on the heap, which has some GB.
    peerPeopleMax: 100_000,
    peerCalls: 100,
  },
} as const

const limit = 10
const sourcesOfARank = 50
const built = new URL('../../dist/open-index.js', import.meta.url).href

export const coreBench: Bench = {
  name: 'core',
  flags: ['people'],
  run: async (options) => {
    const rows = await run(options)
    return { lines: report(rows) }
  },
}

async function run(options: BenchOptions): Promise<CoreRow[]> {
  const only = numberOf(options, 'people')
  const rows: CoreRow[] = []
  for (const people of only === undefined ? sizes[options.size].people : [only]) {
    options.report(`${people} people`)
    rows.push(...(await rowsAt(people, options)))
  }
  return rows
}

/** What is asked of an engine: one argument for each call; half of the calls warm up. */
interface Task<T> {
  readonly operation: string
  readonly engine: string
  readonly given: readonly T[]
  readonly ask: (given: T) => unknown
}

async function rowsAt(people: number, { size, directory }: BenchOptions): Promise<CoreRow[]> {
  const { calls, peerPeopleMax, peerCalls } = sizes[size]
  const data = await benchData(people, directory)
  const { openIndex } = (await import(built)) as { openIndex: typeof OpenIndex }
  const index = await openIndex(data.snapshots)
  const snapshot = loadAnnounced(data.snapshots)
  const texts = makeQueries(snapshot, activate(snapshot), 2 * calls)
  const random = new Random(23, people)
  const drawn = (all: readonly string[]) =>
    Array.from({ length: 2 * calls }, () => random.pick(all))
  const handles = drawn(textsOf(snapshot.sections, 'handle'))
  const sdus = drawn(sdusOf(snapshot))
  const lists = handles.map((_, at) =>
    Array.from({ length: sourcesOfARank }, (_each, step) => handles[(at + step) % handles.length]!),
  )
  const ours = { engine: 'authority-index' }
  const tasks: Task<string>[] = [
    ...Object.entries(texts).map(([kind, given]) => ({
      ...{ ...ours, operation: `search: ${kind}`, given },
      ask: (text: string) => index.search(text, { limit }),
    })),
    { ...ours, operation: 'match', given: handles, ask: (handle) => index.match(handle) },
    { ...ours, operation: 'detail', given: sdus, ask: (sdu) => index.detail(sdu) },
    {
      ...ours,
      operation: 'peers',
      given: handles,
      ask: (handle) => index.peers(handle, { limit }),
    },
  ]
  const map = new Map(sdus.map((sdu, at) => [handles[at]!, { sdu }]))
  const profiles = new Map(sdus.map((sdu) => [sdu, { sdu }]))
  tasks.push(
    { engine: 'Map', operation: 'match', given: handles, ask: (handle) => map.get(handle) },
    { engine: 'Map', operation: 'detail', given: sdus, ask: (sdu) => profiles.get(sdu) },
  )
  if (people <= peerPeopleMax) {
    const find = miniSearch(documentsOf(readRecords(data.source)))
    for (const [kind, given] of Object.entries(texts)) {
      const some = given.slice(0, 2 * peerCalls)
      tasks.push({ engine: 'MiniSearch', operation: `search: ${kind}`, given: some, ask: find })
    }
  }
  const rank: Task<readonly string[]> = {
    ...{ ...ours, operation: `rank: ${sourcesOfARank} sources`, given: lists },
    ask: (sources) => index.rank(sources),
  }
  const rows = [await measured(people, rank)]
  for (const task of tasks) rows.push(await measured(people, task))
  await index.close()
  return rows
}

async function measured<T>(people: number, task: Task<T>): Promise<CoreRow> {
  const { operation, engine, given, ask } = task
  const half = given.length >>> 1
  for (const each of given.slice(0, half)) ask(each)
  let next = half
  const bench = new tinybench.Bench({ time: 0, iterations: half, warmup: false })
  // tinybench asks once more, to find out whether the answer is a promise.
  bench.add(operation, () => ask(given[next++ % given.length]!))
  await bench.run()
  const { result } = bench.tasks[0]!
  if (result.state === 'errored') throw result.error
  if (result.state !== 'completed') throw new Error(`${operation}: ${result.state}`)
  const { mean, p50, p99 } = result.latency
  return { people, operation, engine, meanUs: mean * 1000, p50Us: p50 * 1000, p99Us: p99 * 1000 }
}

/** MiniSearch over the documents; it finds ten of those that hold all words. */
function miniSearch(documents: readonly Document[]): (text: string) => unknown {
  const index = new MiniSearch<Document>({ fields: [...documentFields] })
  index.addAll(documents)
  return (text) => index.search(text, { combineWith: 'AND' }).slice(0, limit)
}

function report(rows: readonly CoreRow[]): string[] {
  const oursTo = ({ people, operation }: CoreRow) =>
    rows.find(
      (row) =>
        row.engine === 'authority-index' && row.people === people && row.operation === operation,
    )!
  return table(rows, {
    people: ({ people }) => people,
    operation: ({ operation }) => operation,
    engine: ({ engine }) => engine,
    'mean µs': ({ meanUs }) => meanUs.toFixed(1),
    'p50 µs': ({ p50Us }) => p50Us.toFixed(1),
    'p99 µs': ({ p99Us }) => p99Us.toFixed(1),
    'p50 ratio': (row) => (row.p50Us / oursTo(row).p50Us).toFixed(2),
    'p99 ratio': (row) => (row.p99Us / oursTo(row).p99Us).toFixed(2),
  })
}
