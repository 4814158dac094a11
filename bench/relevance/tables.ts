/**
 * The texts, and the records that they are asked of. Half of the texts, by person, are held out: a change may be
 * tuned on the others only. Invariant: a text for somebody has somebody who is right.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type PersonRecord, readRecords, type SourceRecords } from '../shared/data/records.ts'

export const halves = ['tuning', 'held out'] as const

export type Half = (typeof halves)[number]

/** A text and who is meant by it, as places in its records; none where nobody is. */
export interface Text {
  readonly set: string
  readonly kind: string
  readonly half: Half
  readonly text: string
  readonly right: ReadonlySet<number>
  /** How many of them could not be missed: others are meant only in other words. */
  readonly sure: number
}

function rowsOf(file: string): string[][] {
  const lines = readFileSync(join(import.meta.dirname, file), 'utf8').split('\n')
  return lines
    .filter((line) => line !== '' && !line.startsWith('# '))
    .map((line) => line.split('\t'))
}

const listed = (cell: string) => cell.split(';').filter((each) => each !== '')

/** The records, by their names: whole, and without some people, other names and aliases that texts ask for. */
export function recordsByName(): ReadonlyMap<string, SourceRecords> {
  const whole = {
    default: readRecords('snapshots/source'),
    known: knownPeople(),
    generated: readRecords(join(import.meta.dirname, 'generated')),
  }
  const some = Object.entries(whole).map(
    ([name, records]) => [`${name}, some`, someOf(`${name}, some`, records)] as const,
  )
  const { default: defaults, known } = whole
  return new Map([
    ...Object.entries({ default: defaults, known, trades: peopleOfTrades() }),
    ...some,
  ])
}

/** Well-known people of many countries and times, as a public data set has them; topics have no aliases. */
function knownPeople(): SourceRecords {
  const authorities = rowsOf('known.tsv').map((row, at) => {
    const [name = '', others = '', country = '', topics = '', bio = '', item = '', handle = ''] =
      row
    return {
      sdu: `${7_000_000_000_000_000n + BigInt(at) * 7_919n}`,
      name,
      also_known_as: listed(others),
      country_name: country,
      topics: listed(topics),
      bio,
      ...(item !== '' && { identifiers: { wikidata: item } }),
      socials: handle === '' ? {} : { twitter: { handle, followers: 1_000 + at } },
    }
  })
  return { authorities, topics: [] }
}

/** People of whom only a name and topics are known, twelve to a topic. */
function peopleOfTrades(): SourceRecords {
  const authorities = rowsOf('trades.tsv').map(([name = '', topics = ''], at) => ({
    sdu: `${8_000_000_000_000_000n + BigInt(at) * 7_919n}`,
    name,
    topics: listed(topics),
  }))
  return { authorities, topics: [] }
}

/** Without those who are left out; of written records every second person's other names and topic's aliases are, too. */
function someOf(name: string, { authorities, topics }: SourceRecords): SourceRecords {
  const rows = rowsOf('left-out.tsv').filter(([records]) => records === name)
  const leftOut = new Set(rows.map(([, sdu]) => sdu))
  const present = authorities.filter(({ sdu }) => !leftOut.has(sdu))
  if (name.startsWith('generated')) return { authorities: present, topics }
  return {
    authorities: present.map((each, at) => (at % 2 === 0 ? each : { ...each, also_known_as: [] })),
    topics: topics.filter((_, at) => at % 2 === 0),
  }
}

export function kindsOf(set: string): string[] {
  const rows = rowsOf('texts.tsv').filter(([each]) => each === set)
  return [...new Set(rows.map(([, kind = '']) => kind))]
}

/** @throws Error where a text for somebody has nobody who is right. */
export function textsOf(
  records: ReadonlyMap<string, SourceRecords>,
  isAsked: (set: string) => boolean,
): ReadonlyMap<string, readonly Text[]> {
  const texts = new Map<string, Text[]>()
  for (const [set = '', kind = '', name = '', half, text = '', who = '', sure] of rowsOf(
    'texts.tsv',
  )) {
    if (!isAsked(set)) continue
    const right = who === '-' ? new Set<number>() : rightFor(who, records.get(name)!)
    if (who !== '-' && right.size === 0) throw new Error(`nobody is right for '${text}': ${who}`)
    const some = texts.get(name) ?? []
    texts.set(name, some)
    some.push({
      ...{ set, kind, right, half: half as Half, text: text.replaceAll('\\t', '\t') },
      sure: sure === undefined ? Math.min(1, right.size) : Number(sure),
    })
  }
  return texts
}

function rightFor(who: string, { authorities }: SourceRecords): ReadonlySet<number> {
  const alternatives = who.split('|').map((all) => all.split(/&(?! )/).map(conditionOf))
  const isRight = (person: PersonRecord) =>
    alternatives.some((all) => all.every((meets) => meets(person)))
  return new Set(authorities.flatMap((person, at) => (isRight(person) ? [at] : [])))
}

function conditionOf(term: string): (person: PersonRecord) => boolean {
  const [, sign, value = ''] = /^(-?t|[cbs]):(.*)$/.exec(term) ?? []
  switch (sign) {
    case 't':
      return ({ topics }) => topics.includes(value)
    case '-t':
      return ({ topics }) => !topics.includes(value)
    case 'c':
      return ({ country_name: country }) => country === value
    case 'b':
      return ({ bio = '' }) => bio.includes(value)
    case 's':
      return ({ sdu }) => sdu === value
    default:
      return ({ name }) => name === term
  }
}
