/**
 * Another word for a topic: reads a text that nobody has as phrases that are other words for topics
 * (`phrase.related`), or of the family of a topic's name (`physicist`, of Physics), beside topics and
 * places that it names.
 *
 * Invariant: every word that says something is in such a phrase; no word is left out because nothing
 * knows it.
 */

import type { Found } from '../found.ts'
import {
  isUnderstood,
  type Meaning,
  meaningless,
  type PhraseReader,
  type QueryPart,
} from '../phrases.ts'
import type { QueryWord } from '../words.ts'
import { foundTopic, type Text, type Tools, textsWithout, type WayOfSearch } from './way.ts'

/** Words of the longest text that is read so, and of the longest phrase that is another word. */
const wordsMax = 16
const phraseWordsMax = 5

/** See the file's comment. */
export const related: WayOfSearch = {
  name: 'related',
  find: (tools, text: Text, limit) => {
    const { words, core } = text
    const found = relatedIn(tools, words, words, limit)
    // A title asks for a person.
    if (found !== undefined || core.length === words.length || text.isTitled) return found
    return relatedIn(tools, core, words, limit)
  },
}

/** A topic's ranking if the text says only that topic; else the people who match all parts. */
function relatedIn(
  tools: Tools,
  words: readonly QueryWord[],
  all: readonly QueryWord[],
  limit: number,
): Found | undefined {
  const parts = relatedParts(words, tools.phrases)
  if (parts === undefined) return undefined
  const [only, another] = parts
  const used = parts.flatMap((part) => part.words)
  const found =
    another === undefined
      ? foundTopic(tools, 'related', only!.topic, used, limit)
      : tools.people.inAll(parts, limit)
  return found && { ...found, way: 'related', leftOut: textsWithout(all, used) }
}

/** The parts of a text that says a topic in other words; undefined where it does not. O(words × family). */
function relatedParts(words: readonly QueryWord[], phrases: PhraseReader): QueryPart[] | undefined {
  if (words.length > wordsMax || words.some(({ isExact }) => isExact)) return undefined
  const parts: QueryPart[] = []
  let isRelated = false
  for (let at = 0; at < words.length; ) {
    const named = longest(words, at, (part) => phrases.meaningOf(part))
    const related = longest(words, at, (part) => relatedMeaning(part, phrases))
    const part = longerOf(named, related)
    if (part === undefined && !words[at]!.isStop) return undefined
    if (part !== undefined) parts.push(part)
    isRelated ||= part !== undefined && part === related
    at += part?.words.length ?? 1
  }
  return isRelated ? parts : undefined
}

/** What is named goes before what is another word for something. */
function longerOf(
  named: QueryPart | undefined,
  related: QueryPart | undefined,
): QueryPart | undefined {
  return (related?.words.length ?? 0) > (named?.words.length ?? 0) ? related : named
}

/** The longest phrase from a word on that means anything; it neither begins nor ends with a stop word. */
function longest(
  words: readonly QueryWord[],
  at: number,
  meaningOf: (part: readonly QueryWord[]) => Meaning,
): QueryPart | undefined {
  if (words[at]!.isStop) return undefined
  for (let count = Math.min(phraseWordsMax, words.length - at); count > 0; count -= 1) {
    const part = words.slice(at, at + count)
    if (part.at(-1)!.isStop) continue
    const meant = { words: part, ...meaningOf(part) }
    if (isUnderstood(meant)) return meant
  }
  return undefined
}

/** The topic that a phrase is another word for, by itself or by the family of its last word. */
function relatedMeaning(part: readonly QueryWord[], phrases: PhraseReader): Meaning {
  const content = part.filter(({ isStop }) => !isStop).map(({ key }) => key)
  const itself = phrases.relatedTo(content.join(''))
  if (itself >= 0) return { ...meaningless, topic: itself }
  const topic = phrases.relatedToAny(content.slice(0, -1).join(''), part.at(-1)!.familyKeys)
  return topic < 0 ? meaningless : { ...meaningless, topic }
}
