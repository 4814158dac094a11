/**
 * Names whose words are cut otherwise than in the record, or cut short: `le cun`, `mc connell`, `cindy hydesmith`,
 * `nanc pelo`, `ted c`.
 *
 * Invariant: every word that was typed is a part of the name, and at most three people are called so.
 */
import { otherForms } from '../../../../text/speech/nicknames.ts'
import { isCommonWord } from '../../../../text/speech/plain-english.ts'
import type { DocSet } from '../../../postings/doc-set.ts'
import { firstOf } from '../../../postings/smallest-k.ts'
import type { QueryWord } from '../../../terms/query-word.ts'
import { leftOutOf } from '../beside.ts'
import { foundPeople, type Tools, type WayOfSearch } from '../way.ts'

/** Words of the longest name that is read so, people who may be meant, and people of a given name who are read. */
const wordsMax = 4
const peopleMax = 3
const givenMax = 256
/** Letters of the shortest word that is cut in two, of the shortest part of it, and of the shortest that is begun. */
const letters = { cutMin: 6, partMin: 2, begunMin: 3 } as const

/** See the file's comment. */
export const partedWords: WayOfSearch = {
  name: 'parted-words',
  find: (tools, text, limit) => {
    // A word before a surname may be a part of it: le cun.
    const core = text.core.length > 1 ? text.core : text.words
    if (core.length < 2 || core.length > wordsMax) return undefined
    if (
      core.some(
        ({ isExact, isStop, terms }) =>
          isExact || (isStop && core !== text.words) || terms.length > 1,
      )
    )
      return undefined
    const typed = core.map((word) => word.text)
    const people =
      some(joined(tools, typed)) ?? some(cut(tools, typed)) ?? some(begun(tools, core)) ?? []
    if (people.length === 0 || people.length > peopleMax) return undefined
    return foundPeople('name', people, limit, {
      words: core,
      leftOut: core === text.core ? leftOutOf(text) : [],
    })
  },
}

function some(people: readonly number[]): readonly number[] | undefined {
  return people.length === 0 ? undefined : people
}

/** Those whose names have two of the words as one. */
function joined(tools: Tools, typed: readonly string[]): readonly number[] {
  for (let at = 0; at + 1 < typed.length; at += 1) {
    const one = typed[at]! + typed[at + 1]!
    if (tools.words.formNamed(one).size === 0 || isCommonWord(one)) continue
    const people = called(tools, [...typed.slice(0, at), one, ...typed.slice(at + 2)])
    if (people.length > 0) return people
  }
  return []
}

/** Those whose names have one of the words, which nobody has, as two. */
function cut(tools: Tools, typed: readonly string[]): readonly number[] {
  const at = typed.findIndex((word) => tools.words.formsHolding(word).size === 0)
  const word = typed[at] ?? ''
  if (word.length < letters.cutMin) return []
  for (let end = letters.partMin; end <= word.length - letters.partMin; end += 1) {
    // Nearly all parts are no term.
    if (!tools.postings.mayBeCut(word, end)) continue
    const parts = [word.slice(0, end), word.slice(end)]
    if (parts.some((part) => tools.words.formNamed(part).size === 0)) continue
    const people = called(tools, [...typed.slice(0, at), ...parts, ...typed.slice(at + 1)])
    if (people.length > 0) return people
  }
  return []
}

/** Those whose names have all of some words, and these two one after the other. */
function called({ words, nameWords }: Tools, typed: readonly string[]): readonly number[] {
  const holders = typed.map((word) => words.formNamed(word))
  if (holders.some(({ size }) => size === 0)) return []
  const text = ` ${typed.join(' ')} `
  return firstOf(holders, peopleMax + 1).filter((each) => {
    const name = ` ${nameWords(each).join(' ')} `
    return (
      name.includes(text) ||
      (name.startsWith(` ${typed[0]} `) && name.endsWith(` ${typed.at(-1)} `))
    )
  })
}

/** Those in whose names something begins with each of two words; none where nobody is called so. */
function begunBy({ words }: Tools, first: QueryWord, last: QueryWord): readonly DocSet[] {
  const ones = words.beginning('name', first)
  const others = ones.size === 0 ? ones : words.beginning('name', last)
  return others.size === 0 ? [] : [ones, others]
}

/** Those whose first name and surname begin so, where the first word is no name; or a given name and a letter. */
function begun(tools: Tools, core: readonly QueryWord[]): readonly number[] {
  const [first, last, another] = core
  if (first === undefined || last === undefined || another !== undefined) return []
  if (isCommonWord(first.text) && otherForms(first.text).size === 0) return []
  const named = tools.words.named(first)
  const isLetter = last.text.length === 1
  if (
    named.size > 0 ? !isLetter : Math.min(first.text.length, last.text.length) < letters.begunMin
  ) {
    return []
  }
  const holders = named.size > 0 ? [named] : begunBy(tools, first, last)
  if (holders.length === 0) return []
  return firstOf(holders, givenMax).filter((each) => {
    const name = tools.nameWords(each)
    const [given = '', surname = ''] = [name[0], name.at(-1)]
    const isFirst = named.size > 0 ? given === first.text : given.startsWith(first.text)
    return name.length > 1 && isFirst && surname.startsWith(last.text)
  })
}
