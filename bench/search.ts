/**
 * What a search costs, by kind of query and number of authorities, against three text search
 * engines for JavaScript over the same documents. Cold: what is asked was not asked before as far as
 * there are so many queries of its kind, and the answer cache is not involved. Prints p50 and p99 of
 * single queries in microseconds, and ratios.
 *
 *     npx tsx bench/search.ts          tiny: seconds, to see that it works
 *     npx tsx bench/search.ts --full   10,000, 100,000 and 1,000,000 authorities
 */
import { create, insertMultiple, search as oramaSearch } from '@orama/orama'
import { Index } from 'flexsearch'
import MiniSearch from 'minisearch'
import { Bench } from 'tinybench'
import { prepareAtOnce, type Served } from '../src/api/served.ts'
import type { Search } from '../src/catalog/search/search.ts'
import { textAt } from '../src/memory/text-table.ts'
import type { Snapshot } from '../src/snapshot/file.ts'
import { type BenchDocument, type BenchSize, benchData, documentsOf, loadData } from './data.ts'
import { Random } from './random.ts'
import { isMain, table } from './report.ts'

/** Queries of one kind: half of them to warm up with, half to measure. */
type Queries = Readonly<Record<string, readonly string[]>>

/** One engine, one size, one kind of query; times in microseconds. */
export interface SearchRow {
  readonly engine: string
  readonly authorities: number
  readonly kind: string
  readonly p50Us: number
  readonly p99Us: number
}

const sizes = {
  tiny: { authorities: [300], peersAt: [300], queries: 50, peerQueries: 20 },
  full: {
    authorities: [10_000, 100_000, 1_000_000],
    peersAt: [10_000, 100_000],
    queries: 10_000,
    peerQueries: 200,
  },
} as const

const limit = 10

/** Runs the bench and answers its rows. */
export async function run(size: BenchSize, directory?: string): Promise<SearchRow[]> {
  const plan = sizes[size]
  const rows: SearchRow[] = []
  for (const authorities of plan.authorities) {
    const data = await benchData(authorities, directory)
    const snapshot = loadData(data)
    const served = prepareAtOnce(snapshot)
    const queries = makeQueries(snapshot, served, 2 * plan.queries)
    rows.push(...(await measure('authority-index', authorities, queries, ours(served.search))))
    if ((plan.peersAt as readonly number[]).includes(authorities)) {
      const few = makeQueries(snapshot, served, 2 * plan.peerQueries)
      rows.push(...(await measurePeers(documentsOf(data), authorities, few)))
    }
  }
  return rows
}

function ours(search: Search): (query: string) => unknown {
  return (query) => search.find(query, limit)
}

async function measure(
  engine: string,
  authorities: number,
  queries: Queries,
  ask: (query: string) => unknown,
): Promise<SearchRow[]> {
  const rows: SearchRow[] = []
  process.stderr.write(`${authorities} authorities: ${engine}\n`)
  for (const [kind, texts] of Object.entries(queries)) {
    // The machine code is warm, the queries are not: what warms up is not asked again.
    const half = texts.length / 2
    for (const text of texts.slice(0, half)) await ask(text)
    let next = half
    const bench = new Bench({ time: 0, iterations: half, warmup: false })
    // tinybench asks once more, to find out whether the answer is a promise.
    bench.add(kind, () => ask(texts[next++ % texts.length]!))
    await bench.run()
    const result = bench.tasks[0]!.result
    if (result.state === 'errored') throw result.error
    if (result.state !== 'completed') throw new Error(`${engine}, ${kind}: ${result.state}`)
    const { p50, p99 } = result.latency
    rows.push({ engine, authorities, kind, p50Us: p50 * 1000, p99Us: p99 * 1000 })
  }
  return rows
}

async function measurePeers(
  documents: readonly BenchDocument[],
  authorities: number,
  queries: Queries,
): Promise<SearchRow[]> {
  const rows: SearchRow[] = []
  for (const [engine, open] of Object.entries(peers)) {
    if (authorities > (authoritiesMax[engine] ?? Number.POSITIVE_INFINITY)) continue
    rows.push(...(await measure(engine, authorities, queries, await open(documents))))
  }
  return rows
}

/** Opens an engine over the documents; it answers ten of those that hold all words. */
const peers: Readonly<
  Record<string, (documents: readonly BenchDocument[]) => Promise<(query: string) => unknown>>
> = {
  FlexSearch: async (documents) => {
    const index = new Index()
    for (const { id, name, topics, bio } of documents) index.add(id, `${name} ${topics} ${bio}`)
    return (query) => index.search(query, { limit })
  },
  MiniSearch: async (documents) => {
    const index = new MiniSearch<BenchDocument>({ fields: ['name', 'topics', 'bio'] })
    index.addAll(documents)
    return (query) => index.search(query, { combineWith: 'AND' }).slice(0, limit)
  },
  Orama: async (documents) => {
    const schema = { name: 'string', topics: 'string', bio: 'string' } as const
    const database = create({ schema })
    const texts = documents.map(({ name, topics, bio }) => ({ name, topics, bio }))
    await insertMultiple(database, texts, 1000)
    return (query) => oramaSearch(database, { term: query, limit, threshold: 0 })
  },
}

/** Where an engine is left out: 600 queries at 100,000 take Orama more than six minutes. */
const authoritiesMax: Readonly<Record<string, number>> = { Orama: 10_000 }

/** Draws the queries of every kind from what the snapshot holds. */
export function makeQueries(snapshot: Snapshot, served: Served, count: number): Queries {
  const random = new Random(7, count)
  const words = termSampler(snapshot, 'word', random)
  const names = termSampler(snapshot, 'name', random)
  const draw = (make: () => string) => Array.from({ length: count }, make)
  const { labels, aliases } = topicTexts(snapshot)
  const pick = (texts: readonly string[]) => texts[random.below(texts.length)]!
  const notTopic = (make: () => string) => () => {
    let text = make()
    for (let tries = 0; tries < 20 && served.catalog.findTopic(text) >= 0; tries += 1) text = make()
    return text
  }
  return {
    'topic label': draw(() => pick(labels)),
    'topic alias': draw(() => pick(aliases.length === 0 ? labels : aliases)),
    'one word': draw(notTopic(words)),
    'two words': draw(notTopic(() => `${words()} ${words()}`)),
    'three words': draw(notTopic(() => `${words()} ${words()} ${words()}`)),
    'two or three words': draw(
      notTopic(() => `${words()} ${words()}${random.chance(0.5) ? '' : ` ${words()}`}`),
    ),
    'name, two words': draw(notTopic(() => `${names()} ${names()}`)),
    'word and beginning': draw(notTopic(() => `${words()} ${words().slice(0, 3)}`)),
    'misspelled topic': draw(() => misspell(pick(labels), random)),
    miss: draw(() => `qx${random.next().toString(36)}zq`),
  }
}

/** Draws terms by how many authorities hold them: picks a posting, answers its term. */
function termSampler({ sections }: Snapshot, field: 'word' | 'name', random: Random) {
  const starts = sections[`${field}.starts`]
  const terms = { text: sections['term.text'], ends: sections['term.ends'] }
  return () => {
    const posting = random.below(starts.at(-1)!)
    let low = 0
    let high = starts.length - 1
    while (low + 1 < high) {
      const middle = (low + high) >>> 1
      if (starts[middle]! <= posting) low = middle
      else high = middle
    }
    return textAt(terms, low)
  }
}

function topicTexts({ sections, header }: Snapshot): { labels: string[]; aliases: string[] } {
  const keys = { text: sections['topic-key.text'], ends: sections['topic-key.ends'] }
  const texts = Array.from(keys.ends, (_, entry) => textAt(keys, entry))
  const { topics } = header.counts
  return { labels: texts.slice(0, topics), aliases: texts.slice(topics) }
}

function misspell(text: string, random: Random): string {
  const at = random.between(1, text.length - 1)
  return text.slice(0, at) + text.slice(at + 1)
}

/** The rows as a table, with the ratio of each p99 to ours at the same size. */
export function report(rows: readonly SearchRow[]): string[] {
  const oursAt = (row: SearchRow) =>
    rows.find(
      ({ engine, authorities, kind }) =>
        engine === 'authority-index' && authorities === row.authorities && kind === row.kind,
    )!
  return table(
    ['engine', 'authorities', 'query', 'p50 µs', 'p99 µs', 'p50 ratio', 'p99 ratio'],
    rows.map((row) => [
      row.engine,
      String(row.authorities),
      row.kind,
      row.p50Us.toFixed(1),
      row.p99Us.toFixed(1),
      (row.p50Us / oursAt(row).p50Us).toFixed(1),
      (row.p99Us / oursAt(row).p99Us).toFixed(1),
    ]),
  )
}

if (isMain(import.meta.url)) {
  const rows = await run(process.argv.includes('--full') ? 'full' : 'tiny')
  for (const line of report(rows)) console.log(line)
}
