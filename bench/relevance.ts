/**
 * Whether a search finds who is meant, by kind of text that people type: over the default data and
 * over generated populations, each with some people taken out, beside three search engines for
 * JavaScript over the same texts. What is right follows from the records by plain sets.
 *
 *     npx tsx bench/relevance.ts          tiny: seconds, to see that it works
 *     npx tsx bench/relevance.ts --full   minutes, for figures
 *     npx tsx bench/relevance.ts --full --people 63722 --topics 5000 --queries 500 --seed 2
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type BenchSize, buildSnapshot, loadData } from './data.ts'
import { Random } from './random.ts'
import { type Find, ours, peers } from './relevance/engines.ts'
import {
  type KindRow,
  type Mark,
  markOf,
  report,
  type ScriptRow,
  service,
} from './relevance/figures.ts'
import { kinds, questionsOf } from './relevance/kinds.ts'
import { scriptQuestions } from './relevance/name-kinds.ts'
import { population } from './relevance/population.ts'
import { type Aim, type Question, World } from './relevance/question.ts'
import { part, readRecords, type SourceRecords, writeRecords } from './relevance/records.ts'
import { scripts } from './relevance/scripts.ts'
import { isMain } from './report.ts'
import { writeResult } from './results.ts'

/** What is asked: the default data and a population of so many people for each number of topics. */
export interface RelevanceOptions {
  readonly people: number
  readonly topics: readonly number[]
  /** At most, of each kind and of each script. */
  readonly queries: number
  readonly seed: number
}

/** What came of it. */
export interface RelevanceResult {
  readonly kinds: readonly KindRow[]
  readonly scripts: readonly ScriptRow[]
}

/** What a size asks for unless it is told otherwise. */
export const sizes: Readonly<Record<BenchSize, RelevanceOptions>> = {
  tiny: { people: 600, topics: [60], queries: 40, seed: 1 },
  full: { people: 10_000, topics: [266, 5_000], queries: 200, seed: 1 },
}

const defaultSource = 'snapshots/source'
/** One of so many people is taken out. */
const absentOf = 10

/** Runs the bench. */
export async function run(options: RelevanceOptions): Promise<RelevanceResult> {
  const { people, topics, seed } = options
  const sets: { name: string; records: SourceRecords; ofOccupations: boolean }[] = [
    { name: 'the default data', records: readRecords(defaultSource), ofOccupations: false },
    ...topics.map((count) => ({
      name: `${people} people, ${count} topics`,
      records: population({ people, topics: count, seed }),
      ofOccupations: true,
    })),
  ]
  const results: RelevanceResult[] = []
  for (const { name, records, ofOccupations } of sets) {
    const absent = Math.floor(records.authorities.length / absentOf)
    const parted = part(records, absent, new Random(seed, 20))
    const engines = await openEngines(parted.present)
    const asking = new Asking(name, new World(parted, ofOccupations), engines, options)
    results.push({ kinds: await asking.kinds(), scripts: await asking.scripts() })
  }
  return {
    kinds: results.flatMap((result) => result.kinds),
    scripts: results.flatMap((result) => result.scripts),
  }
}

/** The service over a snapshot of the records, and the other engines over the records. */
async function openEngines(records: SourceRecords): Promise<ReadonlyMap<string, Find>> {
  const directory = mkdtempSync(join(tmpdir(), 'relevance-'))
  try {
    const source = join(directory, 'source')
    const snapshots = join(directory, 'snapshots')
    writeRecords(source, records)
    await buildSnapshot(source, snapshots)
    const snapshot = loadData({ authorities: records.authorities.length, source, snapshots })
    const engines = new Map([[service, ours(snapshot, records)]])
    for (const [name, open] of Object.entries(peers)) engines.set(name, await open(records))
    return engines
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** The questions over one set of records. */
class Asking {
  readonly #records: string
  readonly #world: World
  readonly #engines: ReadonlyMap<string, Find>
  readonly #options: RelevanceOptions

  constructor(
    records: string,
    world: World,
    engines: ReadonlyMap<string, Find>,
    options: RelevanceOptions,
  ) {
    this.#records = records
    this.#world = world
    this.#engines = engines
    this.#options = options
  }

  async kinds(): Promise<KindRow[]> {
    const { seed, queries } = this.#options
    const rows: KindRow[] = []
    for (const [at, [kind, { aim }]] of Object.entries(kinds).entries()) {
      const random = new Random(seed, 100 + at)
      const questions = questionsOf(kinds[kind]!, this.#world, random, queries)
      if (questions.length === 0) continue
      const marks = await this.#marks(aim, questions)
      const scores = valuesOf(marks, ({ score }) => score)
      const { missed } = marks.get(service)!
      const records = this.#records
      rows.push({ records, kind, aim, questions: questions.length, scores, missed })
    }
    return rows
  }

  async scripts(): Promise<ScriptRow[]> {
    const { seed, queries } = this.#options
    const rows: ScriptRow[] = []
    for (const [at, script] of scripts.entries()) {
      const random = new Random(seed, 200 + at)
      const { written, slipped } = scriptQuestions(script, this.#world, random, queries)
      if (slipped.length < 2) continue
      const slips = await this.#marks('first', slipped)
      rows.push({
        records: this.#records,
        script,
        names: written.length,
        written: valuesOf(await this.#marks('first', written), ({ score }) => score),
        slipped: valuesOf(slips, ({ score }) => score),
        strangerFirst: valuesOf(slips, ({ strangerFirst }) => strangerFirst),
      })
    }
    return rows
  }

  async #marks(aim: Aim, questions: readonly Question[]): Promise<ReadonlyMap<string, Mark>> {
    const marks = new Map<string, Mark>()
    for (const [name, find] of this.#engines) marks.set(name, await markOf(find, aim, questions))
    return marks
  }
}

function valuesOf(marks: ReadonlyMap<string, Mark>, value: (mark: Mark) => number) {
  return Object.fromEntries(Array.from(marks, ([name, mark]) => [name, value(mark)]))
}

/** The options of the command line, over those of a size. */
function readOptions(): { size: BenchSize; options: RelevanceOptions } {
  const text = { type: 'string' } as const
  const flags = { people: text, topics: text, queries: text, seed: text } as const
  const { values } = parseArgs({ options: { full: { type: 'boolean' }, ...flags } })
  const size = values.full ? 'full' : 'tiny'
  const given = Object.entries(values).filter(([name]) => name in flags)
  for (const [name, value] of given) {
    if (!/^\d{1,9}(,\d{1,9})*$/.test(String(value))) throw new Error(`--${name} is a number`)
  }
  const numbers = Object.fromEntries(
    given.map(([name, value]) => {
      const list = String(value).split(',').map(Number)
      return [name, name === 'topics' ? list : list[0]]
    }),
  )
  return { size, options: { ...sizes[size], ...numbers } }
}

if (isMain(import.meta.url)) {
  const { size, options } = readOptions()
  const startedAt = new Date()
  const result = await run(options)
  for (const line of report(result.kinds, result.scripts)) console.log(line)
  console.error(`written to ${writeResult({ bench: 'relevance', size, startedAt, result })}`)
}
