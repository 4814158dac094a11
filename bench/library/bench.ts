/**
 * The scores of handles by columns of the library, beside stores that were filled with the same figures:
 * a `Map`, and where they are installed SQLite and Redis. All take turns. Handles
 * are new texts each time, as a pipeline reads them, nobody has one in ten, and no batch is asked twice in a row.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { activate } from '../../src/api/active-snapshot.ts'
import { Queries } from '../../src/library/queries.ts'
import type { Sections } from '../../src/snapshot/sections.ts'
import { Random } from '../../test/support/random.ts'
import { type Bench, type BenchOptions, numberOf } from '../shared/bench.ts'
import { announcedIn, loadAnnounced, textsOf } from '../shared/data/data.ts'
import { table } from '../shared/report.ts'
import { median, medianRatioOf, roundsOf } from '../shared/rounds.ts'
import { redisOf } from './redis.ts'
import type { Batch, Store } from './store.ts'

/** What answers a batch. */
interface LibraryRow {
  readonly name: string
  /** Of a handle: the median of the rounds. */
  readonly microseconds: number
  /** By the Map, the median of the ratios of the rounds. */
  readonly byMap: number
  /** What it takes in memory, or on the disk, for each handle. */
  readonly bytes: number
}

/** What came of a run. */
interface LibraryResult {
  readonly handles: number
  /** What is not installed, and how to install it. */
  readonly left: readonly string[]
  readonly rows: readonly LibraryRow[]
}

const sizes = {
  tiny: { people: 300, rounds: 3, batches: 3 },
  full: { people: 1_000_000, rounds: 15, batches: 100 },
} as const
const batchSize = 1_000
const strangerShare = 0.1
/** What brings the rows that are not there on every machine. */
const installs: Readonly<Record<string, string>> = {
  SQLite: 'npm install --no-save better-sqlite3@12, or Node.js 22',
  'Redis MGET': 'apt-get install redis-server',
}

/** The bench, as commands run it. */
export const libraryBench: Bench = {
  name: 'library',
  flags: ['people', 'snapshots'],
  run: async (options) => {
    const result = await run(options)
    return { result, lines: report(result) }
  },
}

/** Runs the bench. */
async function run(options: BenchOptions): Promise<LibraryResult> {
  const plan = sizes[options.size]
  const people = numberOf(options, 'people') ?? plan.people
  const snapshot = loadAnnounced(await announcedIn(options, people))
  const active = activate(snapshot)
  const index = new Queries(() => active)
  const all = textsOf(snapshot.sections, 'handle')
  const found = index.scores(all)
  const handles = all.filter((_, place) => !Number.isNaN(found[place]!))
  const scores = index.scores(handles)
  const stores = {
    Map: mapOf(handles, scores),
    'scores(list)': ofLibrary(snapshot.sections, handles.length, index, ({ texts }) => texts),
    'scores(lines)': ofLibrary(
      snapshot.sections,
      handles.length,
      index,
      ({ batch }) => batch.lines,
    ),
    'ranks(list, topic)': {
      ...ofLibrary(snapshot.sections, handles.length, index, ({ texts }) => texts),
      scoresOf: ranksIn(index),
    },
    ...(await sqliteOf(handles, scores)),
    ...(await redisOf(handles, scores, options.signal)),
  } satisfies Record<string, Store> as Record<string, Store>
  const batches = drawn(handles, plan.batches)
  const names = Object.keys(stores)
  const rounds = await roundsOf(names, plan.rounds, (name) => timeOf(stores[name]!, batches))
  const rows = names.map((name) => ({
    name,
    microseconds: median(rounds.map((round) => round[name]!)),
    byMap: medianRatioOf(rounds, name, 'Map'),
    bytes: stores[name]!.bytes / handles.length,
  }))
  for (const { close } of Object.values(stores)) await close?.()
  const left = Object.keys(installs).filter((name) => !names.includes(name))
  return { handles: handles.length, rows, left: left.map((name) => `${name}: ${installs[name]}`) }
}

/** Microseconds a handle. */
async function timeOf(store: Store, batches: readonly Batch[]): Promise<number> {
  let nanoseconds = 0n
  let sum = 0
  for (const batch of batches) {
    // Texts that nothing has looked at: their hashes are not known.
    const texts: string[] = JSON.parse(batch.json)
    const begin = process.hrtime.bigint()
    const found = store.scoresOf(texts, batch)
    sum += typeof found === 'number' ? found : await found
    nanoseconds += process.hrtime.bigint() - begin
  }
  if (Number.isNaN(sum)) throw new Error('a sum of scores is none')
  return Number(nanoseconds) / 1000 / (batches.length * batchSize)
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

/** What `scores` reads. */
const sectionsRead = [
  'handle.text',
  'handle.ends',
  'handle.slots',
  'handle.node-starts',
  'handle.nodes',
  'authority.scores',
] as const

function ofLibrary(
  sections: Sections,
  handles: number,
  index: Queries,
  take: (given: { texts: readonly string[]; batch: Batch }) => readonly string[] | Uint8Array,
): Store {
  const out = new Float64Array(Math.max(batchSize, handles))
  return {
    bytes: sectionsRead.reduce((sum, name) => sum + sections[name].byteLength, 0),
    scoresOf: (texts, batch) => {
      index.scores(take({ texts, batch }), { out })
      let sum = 0
      for (let place = 0; place < batchSize; place += 1) sum += out[place]! || 0
      return sum
    },
  }
}

/** Ranks in the largest topic. */
function ranksIn(index: Queries): (texts: readonly string[]) => number {
  const topic: string = index.topics({ limit: 1 }).results[0].topic
  const out = new Uint32Array(batchSize)
  return (texts) => {
    index.ranks(texts, topic, { out })
    return out.reduce((sum, rank) => sum + rank, 0)
  }
}

function mapOf(handles: readonly string[], scores: Float64Array): Store {
  const before = heapBytes()
  // Texts of its own, as they would be read from a file.
  const texts: string[] = JSON.parse(JSON.stringify(handles))
  const map = new Map(texts.map((text, place) => [text, scores[place]!]))
  texts.length = 0
  const bytes = heapBytes() - before
  const scoresOf = (sent: readonly string[]) => {
    let sum = 0
    for (const text of sent) sum += map.get(text) ?? 0
    return sum
  }
  return { bytes, scoresOf }
}

/** What is common to both libraries of SQLite. */
interface SqliteDatabase {
  exec(sql: string): void
  prepare(sql: string): {
    run(...values: readonly unknown[]): unknown
    get(...values: readonly unknown[]): Readonly<Record<string, number>> | undefined
  }
}

/** An empty database in memory, by better-sqlite3 or what Node.js has from version 22 on; undefined without both. */
async function openSqlite(): Promise<SqliteDatabase | undefined> {
  const [better, own] = ['better-sqlite3', 'node:sqlite']
  const orNone = (name: string) => import(name).catch(() => undefined)
  const Database = (await orNone(better!))?.default ?? (await orNone(own!))?.DatabaseSync
  return Database && new Database(':memory:')
}

/** SQLite, as far as it is installed. */
async function sqliteOf(
  handles: readonly string[],
  scores: Float64Array,
): Promise<Record<string, Store>> {
  const database = await openSqlite()
  if (database === undefined) return {}
  database.exec('CREATE TABLE scores (handle TEXT PRIMARY KEY, score REAL) WITHOUT ROWID; BEGIN')
  const insert = database.prepare('INSERT OR IGNORE INTO scores VALUES (?, ?)')
  for (const [place, handle] of handles.entries()) insert.run(handle, scores[place]!)
  database.exec('COMMIT')
  const select = database.prepare('SELECT score FROM scores WHERE handle = ?')
  const pragma = (name: string) => database.prepare(`PRAGMA ${name}`).get()?.[name] ?? 0
  return {
    SQLite: {
      bytes: pragma('page_count') * pragma('page_size'),
      scoresOf: (texts) => texts.reduce((sum, text) => sum + (select.get(text)?.score ?? 0), 0),
    },
  }
}

function heapBytes(): number {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  collect()
  return process.memoryUsage().heapUsed
}

/** What the bench prints. */
function report({ handles, rows, left }: LibraryResult): string[] {
  return [
    `${handles.toLocaleString('en')} handles with an owner, batches of ${batchSize.toLocaleString('en')}`,
    '',
    ...table(rows, {
      'what answers': ({ name }) => name,
      'µs a handle': ({ microseconds }) => microseconds.toFixed(3),
      'by Map': ({ byMap }) => byMap.toFixed(2),
      'bytes a handle': ({ bytes }) => Math.round(bytes),
    }),
    ...left.flatMap((each) => ['', `left out: ${each}`]),
  ]
}
