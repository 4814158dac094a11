/** The row of a person in a list. */
import type { Person } from '../questions.ts'

/** The topic that every row has its share of; '' if the rows differ. */
export function sharedTopic(people: readonly Person[]): string {
  const [first] = people
  const topic = first?.explanation?.topic ?? ''
  return people.every(({ explanation }) => explanation?.topic === topic) ? topic : ''
}

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
