/**
 * What becomes of nine hundred judged texts of twenty-eight kinds, written before the ways that answer them:
 * over the default data and a set of well-known people, beside MiniSearch, FlexSearch and Orama.
 */
import type { Bench, BenchOptions } from '../../shared/bench.ts'
import { readRecords, type SourceRecords } from '../../shared/data/records.ts'
import { table } from '../../shared/report.ts'
import { type Find, ours, snapshotOf, withoutEachWay } from '../engines.ts'
import { service } from '../figures.ts'
import { peers } from './peers.ts'
import { judgedOf, knownPeople } from './questions.ts'

/** How a text ended: who is right came first, or among the first ten; no result; only strangers. */
type Ending = 'first' | 'inTen' | 'nobody' | 'stranger'

/** How one text ended with one engine. */
export interface JudgedAnswer {
  readonly engine: string
  readonly records: string
  readonly kind: string
  readonly text: string
  readonly isForSomebody: boolean
  readonly ending: Ending
  /** The name of the first that was found. */
  readonly found: string | undefined
}

/** The bench, as commands run it. */
export const judgedBench: Bench = {
  name: 'judged',
  flags: ['show', 'ways'],
  run: async (options) => {
    const answers = await run(options)
    const shown = options.flags?.show?.split(',') ?? []
    const listed = answers.filter(
      ({ engine, kind, ending, isForSomebody }) =>
        engine === service &&
        (shown.includes(kind) ||
          shown.includes(ending) ||
          (shown.includes('wrong') && !isGood(ending, isForSomebody))),
    )
    return { result: answers, lines: [...reportOf(answers), ...listed.map(lineOf)] }
  },
}

function isGood(ending: Ending, isForSomebody: boolean): boolean {
  return isForSomebody ? ending === 'first' || ending === 'inTen' : ending === 'nobody'
}

function lineOf({ ending, records, kind, text, found }: JudgedAnswer): string {
  return `${ending}\t${records}\t${kind}\t${text}\t→ ${found ?? '-'}`
}

/** Asks every engine every text. */
export async function run({ flags, report }: BenchOptions): Promise<readonly JudgedAnswer[]> {
  const answers: JudgedAnswer[] = []
  const sets = { default: readRecords('snapshots/source'), known: knownPeople() }
  for (const [records, source] of Object.entries(sets)) {
    report(`${records}: ${source.authorities.length} people`)
    const judged = judgedOf(records, source)
    for (const [engine, find] of await openEngines(source, flags?.ways !== undefined)) {
      for (const { kind, text, right } of judged) {
        const found = find(text)
        const ending = endingOf(found, right)
        const first = source.authorities[found[0] ?? -1]?.name
        const isForSomebody = right.size > 0
        answers.push({ engine, records, kind, text, isForSomebody, ending, found: first })
      }
    }
  }
  return answers
}

function endingOf(found: readonly number[], right: ReadonlySet<number>): Ending {
  if (found.length === 0) return 'nobody'
  if (right.has(found[0]!)) return 'first'
  return found.some((person) => right.has(person)) ? 'inTen' : 'stranger'
}

/** @param isOfWays opens the service without each of its ways in place of the peers. */
async function openEngines(
  records: SourceRecords,
  isOfWays: boolean,
): Promise<ReadonlyMap<string, Find>> {
  const snapshot = await snapshotOf(records)
  const others = isOfWays ? withoutEachWay(snapshot, records) : await peers(records)
  return new Map([[service, ours(snapshot, records)], ...others])
}

/** First / in ten / no result / stranger by kind; of texts that should find no person: right / stranger. */
function reportOf(answers: readonly JudgedAnswer[]): string[] {
  const engines = [...new Set(answers.map(({ engine }) => engine))]
  return [true, false].flatMap((isForSomebody) => {
    const some = answers.filter((answer) => answer.isForSomebody === isForSomebody)
    const kinds = [...new Set(some.map(({ kind }) => kind)), 'all']
    const ofKind = (kind: string, engine: string) =>
      some.filter((each) => (kind === 'all' || each.kind === kind) && each.engine === engine)
    const written = (kind: string, engine: string) => {
      const count = (ending: Ending) =>
        ofKind(kind, engine).filter((each) => each.ending === ending).length
      return isForSomebody
        ? `${count('first')} / ${count('inTen')} / ${count('nobody')} / ${count('stranger')}`
        : `${count('nobody')} / ${count('stranger')}`
    }
    return [
      isForSomebody ? 'first / in ten / nobody / stranger' : 'right (nobody) / stranger',
      '',
      ...table(kinds, {
        kind: (kind) => kind,
        texts: (kind) => ofKind(kind, engines[0]!).length,
        ...Object.fromEntries(engines.map((name) => [name, (kind: string) => written(kind, name)])),
      }),
      '',
    ]
  })
}
