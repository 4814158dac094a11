/** How texts end with each engine, and the tables of that. */
import { table } from '../shared/report.ts'
import { type Find, limit, service } from './engines.ts'
import { type Half, halves, type Text } from './tables.ts'

/** How a text ended: who is right came first, or among the first ten; no result; only strangers. */
type Ending = 'first' | 'inTen' | 'nobody' | 'stranger'

type Endings = Readonly<Record<Ending, number>> & {
  /** Of the first ten that could be had, how many were; the sum over the texts. */
  readonly ofTen: number
}

export interface Row {
  readonly set: string
  readonly records: string
  readonly kind: string
  readonly half: Half
  readonly isForSomebody: boolean
  readonly texts: number
  readonly engines: Readonly<Record<string, Endings>>
}

export interface Answered extends Omit<Row, 'texts' | 'engines'> {
  readonly text: string
  readonly ending: Ending
  /** The place of the first that was found. */
  readonly found: number | undefined
}

export function isGood({ ending, isForSomebody }: Answered): boolean {
  return isForSomebody ? ending === 'first' || ending === 'inTen' : ending === 'nobody'
}

export function ask(
  about: Pick<Row, 'set' | 'records' | 'kind' | 'half'>,
  texts: readonly Text[],
  engines: ReadonlyMap<string, Find>,
): { readonly row: Row; readonly answered: readonly Answered[] } {
  const isForSomebody = texts[0]!.right.size > 0
  const answered: Answered[] = []
  const counted: Record<string, Endings> = {}
  for (const [name, find] of engines) {
    const counts = { ...none }
    for (const { text, right, sure } of texts) {
      const found = find(text)
      const ending = endingOf(found, right)
      counts[ending] += 1
      const meant = found.filter((person) => right.has(person)).length
      counts.ofTen += isForSomebody ? Math.min(1, meant / Math.min(limit, sure)) : 0
      if (name === service)
        answered.push({ ...about, isForSomebody, text, ending, found: found[0] })
    }
    counted[name] = counts
  }
  return { row: { ...about, isForSomebody, texts: texts.length, engines: counted }, answered }
}

const none = { first: 0, inTen: 0, nobody: 0, stranger: 0, ofTen: 0 }

function endingOf(found: readonly number[], right: ReadonlySet<number>): Ending {
  if (found.length === 0) return 'nobody'
  if (right.has(found[0]!)) return 'first'
  return found.some((person) => right.has(person)) ? 'inTen' : 'stranger'
}

export function sumOf(rows: readonly Row[], engine: string): Endings & { readonly texts: number } {
  const sum = { ...none, texts: 0 }
  for (const { texts, engines } of rows) {
    sum.texts += texts
    for (const [ending, count] of Object.entries(engines[engine]!)) {
      sum[ending as keyof Endings] += count
    }
  }
  return sum
}

/** First / in ten / nobody / stranger; where nobody is meant, right / stranger. `-` where there are none. */
function written(rows: readonly Row[], engine: string): string {
  if (rows.length === 0) return '-'
  const { first, inTen, nobody, stranger } = sumOf(rows, engine)
  return rows[0]!.isForSomebody
    ? `${first} / ${inTen} / ${nobody} / ${stranger}`
    : `${nobody} / ${first + inTen + stranger}`
}

const enginesOf = (rows: readonly Row[]) => Object.keys(rows[0]?.engines ?? {})
const unique = (values: readonly string[]) => [...new Set(values)]

function grouped(rows: readonly Row[], key: (row: Row) => string): readonly (readonly Row[])[] {
  return unique(rows.map(key)).map((value) => rows.filter((row) => key(row) === value))
}

export function report(rows: readonly Row[]): string[] {
  const [some, none] = [true, false].map((is) => rows.filter((row) => row.isForSomebody === is))
  return [
    'first / in ten / nobody / stranger; where nobody is meant, right (nobody) / stranger',
    '',
    ...totals(rows),
    '',
    'Kinds, somebody is meant: first / in ten / nobody / stranger',
    '',
    ...kinds(some!),
    '',
    'Kinds, nobody is meant: right (nobody) / stranger',
    '',
    ...kinds(none!),
  ]
}

function totals(rows: readonly Row[]): string[] {
  const groups = grouped(rows, ({ set, records, half }) => `${set}, ${records}, ${half}`)
  const halved = halves.map((half) => rows.filter((row) => row.half === half))
  const all = halved.filter((each) => each.length > 0)
  const lines = [
    ...groups.map((group) => ({ ...group[0]!, group })),
    ...all.map((group) => ({ set: 'all', records: '', half: group[0]!.half, group })),
  ]
  const meant = (group: readonly Row[], is: boolean) =>
    group.filter(({ isForSomebody }) => isForSomebody === is)
  const textsOf = (group: readonly Row[]) => group.reduce((sum, { texts }) => sum + texts, 0)
  const columns = (is: boolean, suffix: string) =>
    Object.fromEntries(
      enginesOf(rows).map((name) => [
        `${name}${suffix}`,
        ({ group }: (typeof lines)[number]) => written(meant(group, is), name),
      ]),
    )
  return table(lines, {
    set: ({ set }) => set,
    records: ({ records }) => records,
    half: ({ half }) => half,
    texts: ({ group }) => textsOf(meant(group, true)),
    ...columns(true, ''),
    'for nobody': ({ group }) => textsOf(meant(group, false)),
    ...columns(false, ', nobody'),
  })
}

function kinds(rows: readonly Row[]): string[] {
  const [peer] = enginesOf(rows).filter((name) => name !== service)
  const inHalf = (group: readonly Row[], half: Half) =>
    written(
      group.filter((row) => row.half === half),
      service,
    )
  const tenth = (group: readonly Row[], engine: string) => {
    const { ofTen, texts } = sumOf(group, engine)
    return (ofTen / texts).toFixed(3)
  }
  const isForSomebody = rows[0]?.isForSomebody ?? false
  return table(
    grouped(rows, ({ set, kind }) => `${set} ${kind}`),
    {
      set: ([row]) => row!.set,
      kind: ([row]) => row!.kind,
      texts: (group) => sumOf(group, service).texts,
      tuning: (group) => inHalf(group, 'tuning'),
      'held out': (group) => inHalf(group, 'held out'),
      [peer!]: (group) => written(group, peer!),
      ...(isForSomebody && {
        'of ten': (group: readonly Row[]) => tenth(group, service),
        'of ten, peer': (group: readonly Row[]) => tenth(group, peer!),
      }),
    },
  )
}

/** What each way adds: the totals when it alone is left out. */
export function reportOfWays(rows: readonly Row[]): string[] {
  const sum = (is: boolean, name: string) =>
    sumOf(
      rows.filter(({ isForSomebody }) => isForSomebody === is),
      name,
    )
  return table(enginesOf(rows), {
    '': (name) => name,
    first: (name) => sum(true, name).first,
    'in ten': (name) => sum(true, name).inTen,
    nobody: (name) => sum(true, name).nobody,
    stranger: (name) => sum(true, name).stranger,
    'nobody, right': (name) => sum(false, name).nobody,
    'of nobody, stranger': (name) => sum(false, name).texts - sum(false, name).nobody,
  })
}
