/**
 * The judged texts and the well-known people, read from their tables. Who is right for a text follows from
 * the records by plain comparisons; a text for somebody always has somebody who is right.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PersonRecord, SourceRecords } from '../../shared/data/records.ts'
import type { Question } from '../question.ts'

/** The rows of a table beside this one's folder, without its comments. */
export function rowsOf(file: string): string[][] {
  const lines = readFileSync(join(import.meta.dirname, '..', file), 'utf8').split('\n')
  return lines
    .filter((line) => line !== '' && !line.startsWith('# '))
    .map((line) => line.split('\t'))
}

const listed = (cell: string) => cell.split(';').filter((each) => each !== '')

/** Well-known people of many countries and times, as a public data set has them; topics have no aliases. */
export function knownPeople(): SourceRecords {
  const authorities = rowsOf('judged/people.tsv').map((row, at) => {
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

/**
 * The texts of a table about one set of records, by kind.
 * @throws Error where a text for somebody has nobody who is right.
 */
export function judgedOf(
  file: string,
  set: string,
  { authorities }: SourceRecords,
): ReadonlyMap<string, readonly Question[]> {
  const kinds = new Map<string, Question[]>()
  for (const [kind = '', records, text = '', truth = ''] of rowsOf(file)) {
    if (records !== set) continue
    const questions = kinds.get(kind) ?? []
    kinds.set(kind, questions)
    const right = new Set<number>()
    if (truth !== '-') {
      for (const [at, person] of authorities.entries()) if (isRight(person, truth)) right.add(at)
      if (right.size === 0) throw new Error(`nobody is right for '${text}': ${truth}`)
    }
    questions.push({ text, right, sure: Math.min(1, right.size) })
  }
  return kinds
}

function isRight(person: PersonRecord, truth: string): boolean {
  return truth.split('|').some((all) => all.split('&').every((term) => meets(person, term)))
}

function meets({ name, topics, country_name: country, bio = '' }: PersonRecord, term: string) {
  const [, sign, value = ''] = /^(-?[tcb]):(.*)$/.exec(term) ?? []
  if (sign === 't') return topics.includes(value)
  if (sign === '-t') return !topics.includes(value)
  if (sign === 'c') return country === value
  if (sign === 'b') return bio.includes(value)
  return name === term
}
