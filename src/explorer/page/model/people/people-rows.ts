/** The row of a person in a list. */
import type { Person } from '../questions.ts'
import { wholeText } from '../wording.ts'

/** The topic that every row has its share of; '' if the rows differ. */
export function sharedTopic(people: readonly Person[]): string {
  const [first] = people
  const topic = first?.explanation?.topic ?? ''
  return people.every(({ explanation }) => explanation?.topic === topic) ? topic : ''
}

/** The first letters of the first and the last word of a name. */
export function initialsOf(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? []
  const [first = '', last = ''] = words.length > 1 ? [words[0], words.at(-1)] : words
  const letters = [first, last].flatMap((word) => [...word].slice(0, 1)).join('')
  return letters.toUpperCase() || '?'
}

/** One of six colours for a person, always the same. */
export function colorOfPerson(sdu: string): number {
  return [...sdu].reduce((sum, digit) => (sum * 10 + Number(digit)) % 6, 0)
}

/** `1` → `1st`, `12` → `12th`, `23` → `23rd`. */
export function ordinalText(place: number): string {
  const ending = { one: 'st', two: 'nd', few: 'rd' }[ordinals.select(place) as string] ?? 'th'
  return `${wholeText(place)}${ending}`
}

const ordinals = new Intl.PluralRules('en', { type: 'ordinal' })

/** The place of a row and the number of places: in the topic if the rank is one of a topic, else in the list. */
export function shownPlace({ rank, explanation }: Person, total: number) {
  const isOfTopic = explanation !== undefined && explanation.topic !== null
  return isOfTopic ? { place: explanation.rank, of: explanation.of } : { place: rank, of: total }
}

/** The place of a person in the list, and in the topic if a filter leaves others out. */
export function placeTitle({ rank, explanation }: Person, total: number): string {
  const inList = `${ordinalText(rank)} of ${total} here`
  if (explanation === undefined || explanation.topic === null) return inList
  return `${inList}; ${ordinalText(explanation.rank)} of ${explanation.of} in ${explanation.topic}`
}
