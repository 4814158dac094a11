/**
 * A name with one exact word and one word that is a slip of another name: Mother Theresa. A person must
 * have all other words of the text, and few people may match; otherwise the match is chance.
 */

import { isCommonWord } from '../../../text/speech/plain-english.ts'
import { QueryWord } from '../../terms/query-word.ts'
import type { Found } from '../found.ts'
import { leftOutOf } from './beside.ts'
import { foundPeople, type Text, type Tools, type WayOfSearch } from './way.ts'

/** Letters of the shortest word that may have suffered a slip. */
const lettersMin = 4
/** Letters of the shortest one of which the first may be wrong or missing: of the longer of both. */
const firstWrongMin = 5
/** Words of a name. */
const words = { min: 2, max: 4 } as const
/** People who may be meant. */
const peopleMax = 2

/** See the file's comment. */
export const anchored: WayOfSearch = {
  name: 'anchored',
  find: (tools, text, limit) => {
    const name = text.core.filter(({ isStop }) => !isStop)
    if (name.length < words.min || name.length > words.max) return undefined
    if (name.some(({ isExact, terms }) => isExact || terms.length > 1)) return undefined
    for (const word of name) {
      const found = slippedIn(tools, text, name, word, limit)
      if (found !== undefined) return found
    }
    return undefined
  },
}

function slippedIn(
  tools: Tools,
  text: Text,
  name: readonly QueryWord[],
  word: QueryWord,
  limit: number,
): Found | undefined {
  const isName = tools.words.named(word).size > 0
  if (word.text.length < lettersMin || (isCommonWord(word.text) && !isName)) return undefined
  const others = name.filter((each) => each !== word).map((each) => tools.words.named(each))
  if (others.some(({ size }) => size === 0)) return undefined
  const meant = new Set<number>()
  let to = ''
  for (const term of tools.dictionary.near(word.text, 1)) {
    if (tools.postings.size('name', term) === 0) continue
    const people = tools.words.firstNamedAmong(term, others, peopleMax + 1)
    // Nearly all are nobody's name together with the other words: those are not even read.
    if (people.length === 0) continue
    const other = tools.postings.textOf(term)
    // The first letter is hardly ever wrong; in a short word it says too much.
    const letters = Math.max(other.length, word.text.length)
    if (other[0] !== word.text[0] && letters < firstWrongMin) continue
    const said = name.map((each) => (each === word ? other : each.text))
    for (const ordinal of people) {
      if (!isCovered(tools.nameWords(ordinal), said)) continue
      meant.add(ordinal)
      to = other
    }
  }
  if (meant.size === 0 || meant.size > peopleMax) return undefined
  const corrected = [{ from: word.text, to }]
  const used = name.map((each) => (each === word ? new QueryWord({ text: to, terms: [to] }) : each))
  return foundPeople('corrected', meant, limit, {
    words: used,
    leftOut: leftOutOf(text),
    corrected,
  })
}

/** Whether the words say most of a name: no more than one is left out, or only what is between both ends. */
function isCovered(name: readonly string[], said: readonly string[]): boolean {
  return name.length <= said.length + 1 || (said[0] === name[0] && said.at(-1) === name.at(-1))
}
