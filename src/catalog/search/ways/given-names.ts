/**
 * A surname with given names that are shortened: by their first letters, alone or in a row, or by a
 * nickname. Of those who have the surname the nearest are meant: who needs fewer guesses.
 */
import { otherForms } from '../../../text/speech/nicknames.ts'
import { firstOf } from '../../holders/least.ts'
import { nameWordsOf } from '../../person-names.ts'
import type { Asked } from '../words.ts'
import { leftOutOf } from './beside.ts'
import { foundPeople, type Tools, type WayOfSearch } from './way.ts'

/** People of a surname whose names are read: the top ones by authority. */
const surnamesMax = 96
/** Words of the longest name that is read so. */
const wordsMax = 5
/** Letters of the shortest surname, and of the longest row of first letters. */
const letters = { surnameMin: 2, rowMax: 4 } as const

/** What taking a given name for another costs: an initial says less than a nickname. */
const costs = { same: 0, nickname: 1, initial: 2 } as const

/** See the file's comment. */
export const givenNames: WayOfSearch = {
  name: 'given-names',
  find: (tools, text, limit) => {
    for (const words of text.core === text.words ? [text.words] : [text.words, text.core]) {
      if (words.length < 2 || words.length > wordsMax) continue
      if (words.some(({ isExact, terms }) => isExact || terms.length > 1)) continue
      const people = nearestOf(tools, words.slice(0, -1), words.at(-1)!)
      const reversed = /,/.test(text.query) ? nearestOf(tools, words.slice(1), words[0]!) : []
      const found = people.length > 0 ? people : reversed
      if (found.length === 0) continue
      const leftOut = words === text.words ? [] : leftOutOf(text)
      return foundPeople('name', found, limit, { words, leftOut })
    }
    return undefined
  },
}

function nearestOf({ catalog, words }: Tools, given: readonly Asked[], surname: Asked): number[] {
  if (surname.text.length < letters.surnameMin || words.named(surname).size === 0) return []
  const texts = given.map(({ text }) => text)
  const readings = [texts]
  const [first = '', ...rest] = texts
  // A row of first letters, unless it is a name.
  if (first.length > 1 && first.length <= letters.rowMax) readings.push([...first, ...rest])
  let least = Number.POSITIVE_INFINITY
  let nearest: number[] = []
  for (const ordinal of firstOf([words.named(surname)], surnamesMax)) {
    const name = nameWordsOf(catalog, ordinal)
    const at = name.lastIndexOf(surname.text)
    if (at < 1) continue
    const cost = Math.min(...readings.map((reading) => costOf(reading, name.slice(0, at))))
    if (cost > least || cost === Number.POSITIVE_INFINITY) continue
    nearest = cost < least ? [ordinal] : [...nearest, ordinal]
    least = cost
  }
  return nearest
}

/** What it takes to read some given names as those of a name: the first is the first, the others in order. */
function costOf(typed: readonly string[], given: readonly string[]): number {
  let cost = 0
  let at = 0
  for (const [index, word] of typed.entries()) {
    let found = Number.POSITIVE_INFINITY
    for (; at < given.length && found === Number.POSITIVE_INFINITY; at += 1) {
      found = costOfWord(word, given[at]!)
      if (index === 0) break
    }
    if (found === Number.POSITIVE_INFINITY) return found
    if (index === 0) at = 1
    cost += found
  }
  return cost
}

function costOfWord(word: string, given: string): number {
  if (word === given) return costs.same
  if (otherForms(word).has(given)) return costs.nickname
  return word.length === 1 && given.startsWith(word) ? costs.initial : Number.POSITIVE_INFINITY
}
