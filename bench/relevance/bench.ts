/**
 * Whether a search finds who is meant, by kind of text that people type: over the default data and
 * over generated populations, each with some people taken out, beside MiniSearch over the same texts.
 * What is right follows from the records by plain sets.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Random } from '../../test/support/random.ts'
import { type Bench, type BenchOptions, type BenchSize, numberOf } from '../shared/bench.ts'
import { buildSnapshot, loadAnnounced } from '../shared/data/data.ts'
import { readRecords, type SourceRecords, writeRecords } from '../shared/data/records.ts'
import { type Find, miniSearch, ours } from './engines.ts'
import { type KindRow, type Mark, markOf, report, type ScriptRow, service } from './figures.ts'
import { kinds, questionsOf } from './kinds.ts'
import { scriptQuestions } from './name-kinds.ts'
import { part } from './parted.ts'
import { population } from './population.ts'
import { type Aim, type Question, World } from './question.ts'
import { scripts } from './scripts.ts'

/** What is asked: the default data, and a population of so many people for each number of topics. */
interface Plan {
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

/** The default number of questions of a size. */
const plans: Readonly<Record<BenchSize, Plan>> = {
  tiny: { people: 600, topics: [60], queries: 40, seed: 1 },
  full: { people: 10_000, topics: [266, 5_000], queries: 200, seed: 1 },
}

const defaultSource = 'snapshots/source'
/** One of so many people is taken out. */
const absentOf = 10

/** The bench, as commands run it. */
export const relevanceBench: Bench = {
  name: 'relevance',
  flags: ['people', 'topics', 'queries', 'seed'],
  run: async (options) => {
    const result = await run(options)
    return { result, lines: report(result.kinds, result.scripts) }
  },
}

/** Runs the bench. */
export async function run(options: BenchOptions): Promise<RelevanceResult> {
  const plan = planOf(options)
  const { people, topics, seed } = plan
  const sets: { name: string; records: SourceRecords; ofOccupations: boolean }[] = [
    { name: 'The default data', records: readRecords(defaultSource), ofOccupations: false },
    ...topics.map((count) => ({
      name: `${people.toLocaleString('en')} people, ${count.toLocaleString('en')} topics`,
      records: population({ people, topics: count, seed }),
      ofOccupations: true,
    })),
  ]
  const results: RelevanceResult[] = []
  for (const { name, records, ofOccupations } of sets) {
    const absent = Math.floor(records.authorities.length / absentOf)
    const parted = part(records, absent, new Random(seed, 20))
    const engines = await openEngines(parted.present)
    const asking = new Asking(name, new World(parted, ofOccupations), engines, plan)
    results.push({ kinds: asking.kinds(), scripts: asking.scripts() })
  }
  return {
    kinds: results.flatMap((result) => result.kinds),
    scripts: results.flatMap((result) => result.scripts),
  }
}

function planOf(options: BenchOptions): Plan {
  const { people, topics, queries, seed } = plans[options.size]
  const topicCount = numberOf(options, 'topics')
  return {
    people: numberOf(options, 'people') ?? people,
    topics: topicCount === undefined ? topics : [topicCount],
    queries: numberOf(options, 'queries') ?? queries,
    seed: numberOf(options, 'seed') ?? seed,
  }
}

/** The service over a snapshot of the records, and MiniSearch over the records. */
async function openEngines(records: SourceRecords): Promise<ReadonlyMap<string, Find>> {
  const directory = mkdtempSync(join(tmpdir(), 'relevance-'))
  try {
    const source = join(directory, 'source')
    const snapshots = join(directory, 'snapshots')
    writeRecords(source, records)
    await buildSnapshot(source, snapshots)
    return new Map([
      [service, ours(loadAnnounced(snapshots), records)],
      ['MiniSearch', miniSearch(records)],
    ])
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** The questions over one set of records. */
class Asking {
  readonly #records: string
  readonly #world: World
  readonly #engines: ReadonlyMap<string, Find>
  readonly #plan: Plan

  constructor(records: string, world: World, engines: ReadonlyMap<string, Find>, plan: Plan) {
    this.#records = records
    this.#world = world
    this.#engines = engines
    this.#plan = plan
  }

  kinds(): KindRow[] {
    const { seed, queries } = this.#plan
    const rows: KindRow[] = []
    for (const [at, [kind, { aim }]] of Object.entries(kinds).entries()) {
      const random = new Random(seed, 100 + at)
      const questions = questionsOf(kinds[kind]!, this.#world, random, queries)
      if (questions.length === 0) continue
      const marks = this.#marks(aim, questions)
      const scores = valuesOf(marks, ({ score }) => score)
      const { missed } = marks.get(service)!
      const records = this.#records
      rows.push({ records, kind, aim, questions: questions.length, scores, missed })
    }
    return rows
  }

  scripts(): ScriptRow[] {
    const { seed, queries } = this.#plan
    const rows: ScriptRow[] = []
    for (const [at, script] of scripts.entries()) {
      const random = new Random(seed, 200 + at)
      const { written, slipped } = scriptQuestions(script, this.#world, random, queries)
      if (slipped.length < 2) continue
      const slips = this.#marks('first', slipped)
      rows.push({
        records: this.#records,
        script,
        names: written.length,
        written: valuesOf(this.#marks('first', written), ({ score }) => score),
        slipped: valuesOf(slips, ({ score }) => score),
        strangerFirst: valuesOf(slips, ({ strangerFirst }) => strangerFirst),
      })
    }
    return rows
  }

  #marks(aim: Aim, questions: readonly Question[]): ReadonlyMap<string, Mark> {
    const marks = new Map<string, Mark>()
    for (const [name, find] of this.#engines) marks.set(name, markOf(find, aim, questions))
    return marks
  }
}

function valuesOf(marks: ReadonlyMap<string, Mark>, value: (mark: Mark) => number) {
  return Object.fromEntries(Array.from(marks, ([name, mark]) => [name, value(mark)]))
}
