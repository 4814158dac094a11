/**
 * Whether a search finds who is meant, and nobody where nobody is: judged texts, and texts drawn from records by kind,
 * beside MiniSearch over the same records. Of what is drawn, one half is for tuning; of the other only totals are
 * printed.
 */
import { Random } from '../../test/support/random.ts'
import { type Bench, type BenchOptions, type BenchSize, numberOf } from '../shared/bench.ts'
import type { SourceRecords } from '../shared/data/records.ts'
import { type Answered, ask, isGood, type Row, report, reportOfWays } from './endings.ts'
import { type Find, miniSearch, ours, service, snapshotOf, withoutEachWay } from './engines.ts'
import { halfOf, halves, hashOf } from './halves.ts'
import { judgedOf } from './judged/questions.ts'
import { identityKinds } from './plain/identities.ts'
import { nameKinds, scriptKinds } from './plain/names.ts'
import { nobodyKinds } from './plain/nobody.ts'
import { topicKinds } from './plain/topics.ts'
import { type Kinds, type Question, questionsOf, worldOf } from './question.ts'
import { drawnRecords, wholeRecords } from './records.ts'
import { identityKinds as typedIdentities } from './typed/identities.ts'
import { nameKinds as typedNames } from './typed/names.ts'
import { nobodyKinds as typedNobody } from './typed/nobody.ts'
import { scriptKinds as typedScripts } from './typed/scripts.ts'
import { topicKinds as typedTopics } from './typed/topics.ts'
import { noVariantKinds, variantKinds } from './variants/kinds.ts'

/** The sets of texts that were written by hand; the older one was tuned on before it could be halved. */
const judgedSets = {
  judged: { file: 'judged/queries.tsv', isHalved: false },
  related: { file: 'related/queries.tsv', isHalved: true },
}

/** The kinds of each set that is drawn. */
export const drawnSets: Readonly<Record<string, Kinds>> = {
  plain: { ...nameKinds, ...identityKinds, ...topicKinds, ...nobodyKinds },
  scripts: scriptKinds,
  typed: {
    ...typedNames,
    ...typedIdentities,
    ...typedTopics,
    ...typedScripts,
    ...typedNobody,
  },
  variants: { ...variantKinds, ...noVariantKinds },
}

/** How much is asked. */
interface Plan {
  readonly people: number
  readonly topics: readonly number[]
  /** At most, of each kind, each set of records and each half. */
  readonly queries: number
}

const plans: Readonly<Record<BenchSize, Plan>> = {
  tiny: { people: 1_000, topics: [60], queries: 8 },
  full: { people: 10_000, topics: [266, 5_000], queries: 30 },
}

/** What came of it. */
export interface RelevanceResult {
  readonly rows: readonly Row[]
  readonly answered: readonly (Answered & { readonly name: string | undefined })[]
}

/** The bench, as commands run it. */
export const relevanceBench: Bench = {
  name: 'relevance',
  flags: ['sets', 'people', 'topics', 'queries', 'seed', 'show', 'ways'],
  run: async (options) => {
    const result = await run(options)
    const tables = options.flags?.ways === undefined ? report : reportOfWays
    const lines = [...tables(result.rows), ...shown(result, options.flags?.show)]
    return { result, lines }
  },
}

/** What is listed: all that is wrong, what ended so, or a kind; never of the half that is held out. */
function shown({ answered }: RelevanceResult, what = ''): string[] {
  return answered
    .filter(({ half }) => half === 'tuning')
    .filter(
      (each) => what === each.ending || what === each.kind || (what === 'wrong' && !isGood(each)),
    )
    .map(({ set, records, kind, text, ending, name = '-' }) =>
      [ending, set, records, kind, text, `→ ${name}`].join('\t'),
    )
}

/** Runs the bench. */
export async function run(options: BenchOptions): Promise<RelevanceResult> {
  const { flags, report: say } = options
  const sets = flags?.sets?.split(',') ?? [...Object.keys(judgedSets), ...Object.keys(drawnSets)]
  const { people, topics, queries } = plans[options.size]
  const topicCount = numberOf(options, 'topics')
  const seed = numberOf(options, 'seed') ?? 1
  const rows: Row[] = []
  const answered: RelevanceResult['answered'][number][] = []
  const take = ({ authorities }: SourceRecords, asked: ReturnType<typeof ask>) => {
    rows.push(...asked.rows)
    for (const each of asked.answered) {
      answered.push({ ...each, name: authorities[each.found ?? -1]?.name })
    }
  }
  const judged = Object.entries(judgedSets).filter(([set]) => sets.includes(set))
  for (const [records, source] of judged.length > 0 ? wholeRecords() : []) {
    const engines = await openEngines(source, flags?.ways !== undefined)
    for (const [set, { file, isHalved }] of judged) {
      say(`${set}: ${records}`)
      for (const [kind, all] of judgedOf(file, records, source)) {
        for (const half of halves) {
          const isAsked = ({ text }: Question) => half === (isHalved ? halfOf(text) : 'tuning')
          take(source, ask({ set, records, kind, half }, all.filter(isAsked), engines))
        }
      }
    }
  }
  const drawn = Object.entries(drawnSets).filter(([set]) => sets.includes(set))
  if (drawn.length === 0) return { rows, answered }
  const all = drawnRecords({
    people: numberOf(options, 'people') ?? people,
    topics: topicCount === undefined ? topics : [topicCount],
    seed,
  })
  const count = numberOf(options, 'queries') ?? queries
  for (const [records, source] of all) {
    const engines = await openEngines(source.indexed, flags?.ways !== undefined)
    const worlds = worldOf(source)
    for (const half of halves) {
      const world = worlds(half)
      for (const [set, kinds] of drawn) {
        say(`${set}: ${records}, ${half}`)
        for (const [kind, draw] of Object.entries(kinds)) {
          const random = new Random(seed, hashOf(`${kind} ${half}`))
          const questions = questionsOf(draw, world, random, count)
          take(source.indexed, ask({ set, records, kind, half }, questions, engines))
        }
      }
    }
  }
  return { rows, answered }
}

/** @param isOfWays opens the service without each of its ways in place of MiniSearch. */
async function openEngines(
  records: SourceRecords,
  isOfWays: boolean,
): Promise<ReadonlyMap<string, Find>> {
  const snapshot = await snapshotOf(records)
  const others = isOfWays
    ? withoutEachWay(snapshot, records)
    : new Map([['MiniSearch', miniSearch(records)]])
  return new Map([[service, ours(snapshot, records)], ...others])
}
