/** The row of a person in a list, and the two orders of a list. */
import type { Summary } from '../answers.ts'
import { wholeText } from '../wording.ts'

/** The order of a list: by the place in the topic, as the service lists it, or by the authority score among all. */
export type PeopleOrder = 'place' | 'score'

/** People in an order; equals stay as they were. */
export function inOrder<T extends Summary>(people: readonly T[], order: PeopleOrder): readonly T[] {
  if (order === 'place') return people
  return [...people].sort((one, other) => other.authority_score - one.authority_score)
}

/** The topic that every row has its share of; '' if the rows differ. */
export function sharedTopic(people: readonly Summary[]): string {
  const [first] = people
  const topic = first?.explanation?.topic ?? ''
  return people.every(({ explanation }) => explanation?.topic === topic) ? topic : ''
}

/** Items of a page at most, and how many pages a press may cost. */
const largestPage = 50
const pagesOfPressMax = 10

/** The rest of a list that one press loads to be sorted: number of people, of queries, and the size of each page. */
export function restToLoad(total: number, shown: number) {
  const people = Math.min(total - shown, largestPage * pagesOfPressMax)
  return { people, queries: Math.ceil(people / largestPage), size: largestPage }
}

/** Whether people have no share of a topic and are ordered by authority score; the list then has only this order. */
export function isListedByScore(people: readonly Summary[]): boolean {
  return people.every(({ explanation, authority_score: score }, index) => {
    const hasShare = explanation !== undefined && explanation.topic !== null
    return !hasShare && score <= (people[index - 1]?.authority_score ?? score)
  })
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
export function shownPlace({ rank, explanation }: Summary, total: number) {
  const isOfTopic = explanation !== undefined && explanation.topic !== null
  return isOfTopic ? { place: explanation.rank, of: explanation.of } : { place: rank, of: total }
}

/** The place of a person in the list, and in the topic if a filter leaves others out. */
export function placeTitle({ rank, explanation }: Summary, total: number): string {
  const inList = `${ordinalText(rank)} of ${total} here`
  if (explanation === undefined || explanation.topic === null) return inList
  return `${inList}; ${ordinalText(explanation.rank)} of ${explanation.of} in ${explanation.topic}`
}
