/**
 * Another word for a topic: reads a text that nobody has as phrases that are other words for topics
 * (`phrase.related`), or of the family of a topic's name (`physicist`, of Physics), beside topics and
 * places that it names.
 *
 * Invariant: every word that says something is in such a phrase; no word is left out because nothing
 * knows it.
 */

import type { QueryPart, QueryWord } from '../../terms/query-word.ts'
import type { Found } from '../found.ts'
import { isUnderstood, meaningless, type PhraseReader } from '../phrases.ts'
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
    const found = longest(words, at, phrases)
    if (found === undefined && !words[at]!.isStop) return undefined
    if (found !== undefined) parts.push(found.part)
    isRelated ||= found?.isRelated === true
    at += found?.part.words.length ?? 1
  }
  return isRelated ? parts : undefined
}

/**
 * The longest phrase from a word on that means anything; it neither begins nor ends with a stop word. Of one length
 * what is named goes before what is another word for something.
 */
function longest(
  words: readonly QueryWord[],
  at: number,
  phrases: PhraseReader,
): { readonly part: QueryPart; readonly isRelated: boolean } | undefined {
  if (words[at]!.isStop) return undefined
  for (let count = Math.min(phraseWordsMax, words.length - at); count > 0; count -= 1) {
    if (words[at + count - 1]!.isStop) continue
    const said = words.slice(at, at + count)
    const named = phrases.meaningOf(said)
    if (isUnderstood(named)) return { part: { words: said, ...named }, isRelated: false }
    const topic = phrases.relatedToPhrase(said)
    if (topic >= 0) return { part: { words: said, ...meaningless, topic }, isRelated: true }
  }
  return undefined
}
