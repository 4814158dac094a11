/**
 * A surname with given names that are shortened: by their first letters, alone or in a row, or by a
 * nickname. Of those who have the surname the nearest are meant: who needs fewer guesses.
 */
import { asideOf } from '../../../text/speech/aside-words.ts'
import { otherForms } from '../../../text/speech/nicknames.ts'
import { firstLetterOf } from '../../person-names.ts'
import { unionOf } from '../../postings/doc-set.ts'
import { firstOf } from '../../postings/smallest-k.ts'
import type { QueryWord } from '../words.ts'
import { leftOutOf } from './beside.ts'
import { foundPeople, type Tools, type WayOfSearch } from './way.ts'

/** People of a surname whose names are read: the top ones by authority. */
const surnamesMax = 64
/** People who may be called as a row of first letters is written. */
const rareMax = 8
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

function nearestOf(
  tools: Tools,
  given: readonly QueryWord[],
  surname: QueryWord,
): readonly number[] {
  const { catalog, nameWords, words } = tools
  const named = words.named(surname)
  if (surname.text.length < letters.surnameMin || named.size === 0) return []
  const texts = given.map(({ text }) => text)
  const [first = '', ...rest] = texts
  // A row of first letters, unless it is a name.
  const isRow =
    first.length > 1 &&
    first.length <= letters.rowMax &&
    asideOf(first) === undefined &&
    isRare(tools, given[0]!)
  const readings = isRow ? [texts, [...first, ...rest]] : [texts]
  const isShort = readings.some((reading) => reading.some(({ length }) => length === 1))
  let least = Number.POSITIVE_INFINITY
  let nearest: number[] = []
  const people = isShort
    ? firstOf([named], surnamesMax)
    : firstOf([named, unionOf(formsOf(texts).map((form) => words.formNamed(form)))], surnamesMax)
  const isFirst = firstLettersOf(readings)
  for (const ordinal of people) {
    if (!isFirst(firstLetterOf(catalog, ordinal))) continue
    const name = nameWords(ordinal)
    const at = name.lastIndexOf(surname.text)
    if (at < 1) continue
    const cost = Math.min(...readings.map((reading) => costOf(reading, name.slice(0, at))))
    if (cost > least || cost === Number.POSITIVE_INFINITY) continue
    nearest = cost < least ? [ordinal] : [...nearest, ordinal]
    least = cost
  }
  return nearest
}

/**
 * Whether a name may be of a reading by its first letter: the first given name must be the same, a form of it, or
 * begin with it. It excludes most people of a surname before their names are read.
 */
function firstLettersOf(readings: readonly (readonly string[])[]) {
  const firsts = readings.map(([first = '']) => first)
  const letters = new Set([...firsts, ...formsOf(firsts)].map((name) => name[0]))
  return (letter: string | undefined) => letter === undefined || letters.has(letter)
}

/** Whether hardly anybody is called so. */
function isRare({ words }: Tools, word: QueryWord): boolean {
  return words.named(word).size <= rareMax
}

/** All other forms of some given names. */
function formsOf(given: readonly string[]): readonly string[] {
  return given.flatMap((word) => [...otherForms(word)])
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
