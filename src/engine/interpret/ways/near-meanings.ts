/** Topics and names to try instead of a text without a match: offered, never answered with. */

import { hashText, valuesOf } from '../../../memory/hash-buckets.ts'
import { isVowelless, latinOf } from '../../../text/sound/latin.ts'
import { keysOf } from '../../../text/sound/sound-keys.ts'
import { unionOf } from '../../postings/doc-set.ts'
import { firstOf } from '../../postings/smallest-k.ts'
import type { QueryWord } from '../../terms/query-word.ts'
import type { Tools } from '../tools.ts'

interface Nearest {
  readonly topics: readonly number[]
  readonly people: readonly number[]
}

/** Words of a text that are looked at, and terms that are near to one of them. */
const wordsMax = 6
const termsMax = 8

export function nearestTo(tools: Tools, words: readonly QueryWord[], count: number): Nearest {
  const content = words.filter(({ isStop, isExact }) => !isStop && !isExact).slice(0, wordsMax)
  const topics = new Set<number>()
  const people = new Set<number>()
  for (const word of content) {
    for (const topic of topicsNear(tools, word)) topics.add(topic)
  }
  for (const word of content) {
    if (people.size >= count) break
    for (const person of peopleNear(tools, word, content, count)) people.add(person)
  }
  return { topics: [...topics].slice(0, count), people: [...people].slice(0, count) }
}

/** The topic that a word alone is another word for, and the one whose name it begins or is a slip of. */
function topicsNear({ phrases, resolver }: Tools, word: QueryWord): number[] {
  const related = phrases.relatedTo([word])
  return [related, resolver.resolve([word])].filter(
    (topic) => topic !== undefined && topic >= 0,
  ) as number[]
}

/** People with a name near to a word: first those whose name has another word of the text, too. */
function peopleNear(
  { postings, dictionary, sounds }: Tools,
  word: QueryWord,
  all: readonly QueryWord[],
  count: number,
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
  const both = others.flatMap((other) => firstOf([own, other.named], count))
  return [...both, ...firstOf([own], count)]
}
