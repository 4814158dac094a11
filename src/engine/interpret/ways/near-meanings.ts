/** Topics and names to try instead of a text without a match: offered, never answered with. */

import { hashText, valuesOf } from '../../../memory/hash-buckets.ts'
import { isVowelless, latinOf } from '../../../text/sound/latin.ts'
import { keysOf } from '../../../text/sound/sound-keys.ts'
import { firstOf } from '../../postings/best.ts'
import { unionOf } from '../../postings/doc-set.ts'
import type { QueryWord } from '../../terms/query-word.ts'
import type { Suggestions } from '../found.ts'
import type { Tools } from '../tools.ts'
import { coreOf } from './way.ts'

/** Words of a text that are looked at, and terms that are near to one of them. */
const wordsMax = 6
const termsMax = 8
/** Topics and names that are suggested, each. */
const suggestionsMax = 3

export function suggestionsFor(tools: Tools, query: string): Suggestions {
  const { catalog } = tools
  const content = coreOf(tools.words.read(query))
    .filter(({ isStop, isExact }) => !isStop && !isExact)
    .slice(0, wordsMax)
  const topics = new Set(content.flatMap((word) => topicsNear(tools, word)))
  const people = new Set<number>()
  for (const word of content) {
    if (people.size >= suggestionsMax) break
    for (const person of peopleNear(tools, word, content)) people.add(person)
  }
  const names = [...people].slice(0, suggestionsMax).map((person) => catalog.nameOf(person))
  return {
    topics: [...topics].slice(0, suggestionsMax).map((topic) => catalog.labelOf(topic)),
    names: [...new Set(names)],
  }
}

/** The topic that a word alone is another word for, and the one whose name it begins or is a slip of. */
function topicsNear({ phrases, resolver }: Tools, word: QueryWord): number[] {
  return [phrases.relatedTo([word]), resolver.resolve([word]) ?? -1].filter((topic) => topic >= 0)
}

/** People with a name near to a word: first those whose name has another word of the text, too. */
function peopleNear(
  { postings, dictionary, sounds }: Tools,
  word: QueryWord,
  all: readonly QueryWord[],
): number[] {
  const heard = { latin: latinOf(word.text), isVowelless: isVowelless(word.text) }
  const near = [
    postings.numberOf(word.text),
    ...dictionary.near(word.text, 1),
    ...dictionary.near(word.text, 2),
    ...keysOf(heard).flatMap((key) => valuesOf(sounds, hashText(key), termsMax)),
  ]
  const names = near.filter((term) => term >= 0 && postings.size('name', term) > 0)
  const own = unionOf(names.slice(0, termsMax).map((term) => postings.list('name', term)))
  if (own.size === 0) return []
  const others = all.filter((each) => each !== word && each.named.size > 0)
  const both = others.flatMap((other) => firstOf([own, other.named], suggestionsMax))
  return [...both, ...firstOf([own], suggestionsMax)]
}
