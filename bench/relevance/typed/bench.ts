/**
 * What becomes of texts as people type them, kind by kind: who is meant comes first, or among the first
 * ten; nobody is found; only strangers are. Over the default data and a generated population, of which
 * some people, some other names and some aliases were taken out, beside MiniSearch.
 */
import { Random } from '../../../test/support/random.ts'
import { type Bench, type BenchOptions, type BenchSize, numberOf } from '../../shared/bench.ts'
import { readRecords, type SourceRecords } from '../../shared/data/records.ts'
import { table } from '../../shared/report.ts'
import { type Find, miniSearch, ours, snapshotOf, withoutEachWay } from '../engines.ts'
import { service } from '../figures.ts'
import { questionsOf } from '../kinds.ts'
import { part } from '../parted.ts'
import { population } from '../population.ts'
import { type Question, World } from '../question.ts'
import type { Ask } from './draw.ts'
import { identityKinds } from './identities.ts'
import { nameKinds } from './names.ts'
import { nobodyKinds } from './nobody.ts'
import { scriptKinds } from './scripts.ts'
import { topicKinds } from './topics.ts'

/** What became of the questions of one kind, by engine. */
export interface TypedRow {
  readonly kind: string
  readonly isForSomebody: boolean
  readonly questions: number
  readonly outcomes: Readonly<Record<string, Outcomes>>
}

/** How many questions ended how. */
interface Outcomes {
  readonly first: number
  readonly inTen: number
  readonly nobody: number
  readonly stranger: number
}

/** What the service did with one question. */
interface Answered {
  readonly kind: string
  readonly records: string
  readonly text: string
  readonly outcome: keyof Outcomes
  /** The name of the first that was found. */
  readonly found: string | undefined
}

const plans: Readonly<Record<BenchSize, { people: number; queries: number }>> = {
  tiny: { people: 2_000, queries: 12 },
  full: { people: 10_000, queries: 60 },
}
const somebody = {
  ...nameKinds,
  ...identityKinds,
  ...topicKinds,
  ...scriptKinds,
}

/** The bench, as commands run it. */
export const typedBench: Bench = {
  name: 'typed',
  flags: ['people', 'queries', 'seed', 'show', 'ways'],
  run: async (options) => {
    const { rows, answered } = await run(options)
    const shown = options.flags?.show
    const listed = answered.filter(({ outcome, kind }) => shown === outcome || shown === kind)
    const tables = options.flags?.ways === undefined ? report(rows) : reportOfWays(rows)
    return { result: { rows, answered }, lines: [...tables, ...listed.map(lineOf)] }
  },
}

function lineOf({ kind, records, text, outcome, found }: Answered): string {
  return `${outcome}\t${records}\t${kind}\t${text}\t→ ${found ?? '-'}`
}

/** Runs the bench. */
export async function run(options: BenchOptions) {
  const { people, queries } = plans[options.size]
  const seed = numberOf(options, 'seed') ?? 1
  const count = numberOf(options, 'queries') ?? queries
  const sets: readonly (readonly [string, SourceRecords, boolean])[] = [
    ['default', readRecords('snapshots/source'), false],
    [
      'generated',
      withMiddleNames(
        population({ people: numberOf(options, 'people') ?? people, topics: 266, seed }),
      ),
      true,
    ],
  ]
  const rows = new Map<string, TypedRow>()
  const answered: Answered[] = []
  for (const [records, source, ofOccupations] of sets) {
    const parted = part(source, Math.floor(source.authorities.length / 10), new Random(seed, 20))
    const { indexed, ...hidden } = hide(parted.present, ofOccupations)
    const engines = await openEngines(indexed, options.flags?.ways !== undefined)
    const typed = { world: new World(parted, ofOccupations), ...hidden }
    for (const [kind, ask, isForSomebody] of allKinds()) {
      const random = new Random(seed, hashOf(kind))
      const draw = { aim: 'first' as const, ask: (_: World, source: Random) => ask(typed, source) }
      const questions = questionsOf(draw, typed.world, random, count)
      const row = rows.get(kind) ?? { kind, isForSomebody, questions: 0, outcomes: {} }
      const outcomes: Record<string, Outcomes> = { ...row.outcomes }
      for (const [name, find] of engines) {
        const tally = { first: 0, inTen: 0, nobody: 0, stranger: 0, ...outcomes[name] }
        for (const question of questions) {
          const found = find(question.text)
          const outcome = outcomeOf(question, found)
          tally[outcome] += 1
          const first = indexed.authorities[found[0] ?? -1]?.name
          if (name === service)
            answered.push({ kind, records, text: question.text, outcome, found: first })
        }
        outcomes[name] = tally
      }
      rows.set(kind, { ...row, questions: row.questions + questions.length, outcomes })
    }
  }
  return { rows: [...rows.values()].filter(({ questions }) => questions > 0), answered }
}

function* allKinds(): Iterable<readonly [string, Ask, boolean]> {
  for (const [kind, ask] of Object.entries(somebody)) yield [kind, ask, true]
  for (const [kind, ask] of Object.entries(nobodyKinds)) yield [kind, ask, false]
}

/** The questions of a kind do not change when another kind comes before it. */
function hashOf(text: string): number {
  return [...text].reduce((hash, letter) => (hash * 31 + letter.codePointAt(0)!) % 1_000_003, 7)
}

function outcomeOf({ right }: Question, found: readonly number[]): keyof Outcomes {
  if (found.length === 0) return 'nobody'
  if (right.has(found[0]!)) return 'first'
  return found.some((person) => right.has(person)) ? 'inTen' : 'stranger'
}

/** Every third name of two words in plain letters has the first word of the next one between them. */
function withMiddleNames({ authorities, topics }: SourceRecords): SourceRecords {
  const plain = /^[A-Za-z]+ [A-Za-z]+$/
  return {
    topics,
    authorities: authorities.map((person, at) => {
      const next = authorities[at + 1]?.name ?? ''
      if (at % 3 !== 0 || !plain.test(person.name) || !plain.test(next)) return person
      const [first, last] = person.name.split(' ')
      return { ...person, name: `${first} ${next.split(' ')[0]} ${last}` }
    }),
  }
}

/** What is indexed: without every second other name that is near to the name, and every second alias. */
function hide({ authorities, topics }: SourceRecords, ofOccupations: boolean) {
  const hiddenNames: { person: number; name: string }[] = []
  const hiddenAliases: { topic: string; alias: string }[] = []
  // Other names in a generated population are made up, and so are aliases: nothing leads to them.
  if (ofOccupations) return { indexed: { authorities, topics }, hiddenNames, hiddenAliases }
  const indexed = authorities.map((record, person) => {
    const { also_known_as: others = [] } = record
    if (person % 2 === 0 || others.length === 0) return record
    for (const name of others) hiddenNames.push({ person, name })
    return { ...record, also_known_as: [] }
  })
  const kept = topics.filter(({ topic, aliases }, at) => {
    if (at % 2 === 0) return true
    for (const alias of aliases) hiddenAliases.push({ topic, alias })
    return false
  })
  return { indexed: { authorities: indexed, topics: kept }, hiddenNames, hiddenAliases }
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

/** First / in ten / no result / stranger by kind; for texts that should find no person: right / stranger. */
function report(rows: readonly TypedRow[]): string[] {
  return [true, false].flatMap((isForSomebody) => {
    const some: readonly TypedRow[] = rows.filter((row) => row.isForSomebody === isForSomebody)
    const names = Object.keys(some[0]?.outcomes ?? {})
    const all = {
      kind: 'all',
      isForSomebody,
      questions: 0,
      outcomes: {} as Record<string, Outcomes>,
    }
    for (const { questions, outcomes } of some) {
      all.questions += questions
      for (const name of names) {
        const { first, inTen, nobody, stranger } = outcomes[name]!
        const sum = all.outcomes[name] ?? { first: 0, inTen: 0, nobody: 0, stranger: 0 }
        all.outcomes[name] = {
          first: sum.first + first,
          inTen: sum.inTen + inTen,
          nobody: sum.nobody + nobody,
          stranger: sum.stranger + stranger,
        }
      }
    }
    const written = ({ first, inTen, nobody, stranger }: Outcomes) =>
      isForSomebody ? `${first} / ${inTen} / ${nobody} / ${stranger}` : `${nobody} / ${stranger}`
    return [
      isForSomebody ? 'first / in ten / nobody / stranger' : 'right (nobody) / stranger',
      '',
      ...table([...some, all], {
        kind: ({ kind }) => kind,
        queries: ({ questions }) => questions,
        ...Object.fromEntries(
          names.map((name) => [name, ({ outcomes }: TypedRow) => written(outcomes[name]!)]),
        ),
      }),
      '',
    ]
  })
}

/** What each way adds: what is lost when it alone is left out. */
function reportOfWays(rows: readonly TypedRow[]): string[] {
  const sum = (name: string, isForSomebody: boolean, of: (outcomes: Outcomes) => number) =>
    rows
      .filter((row) => row.isForSomebody === isForSomebody)
      .reduce((total, { outcomes }) => total + of(outcomes[name]!), 0)
  return table(Object.keys(rows[0]?.outcomes ?? {}), {
    '': (name) => name,
    first: (name) => sum(name, true, ({ first }) => first),
    'in ten': (name) => sum(name, true, ({ inTen }) => inTen),
    nobody: (name) => sum(name, true, ({ nobody }) => nobody),
    stranger: (name) => sum(name, true, ({ stranger }) => stranger),
    'nobody, right': (name) => sum(name, false, ({ nobody }) => nobody),
    'of nobody, stranger': (name) =>
      sum(name, false, ({ stranger, inTen, first }) => stranger + inTen + first),
  })
}
