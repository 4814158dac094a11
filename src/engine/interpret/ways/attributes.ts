/**
 * People by what they are: a text that consists of attributes (`republican senators`, `TX senators`), also
 * beside topics and places, or that asks who stands for one (`who represents Texas`). Only those are found
 * who have every attribute, not those whose biographies hold the words: `Virginia` is not West Virginia.
 *
 * Invariant: every word that says something is an attribute, its code, a topic, a place, or only asks.
 */
import { asideOf } from '../../../text/speech/aside-words.ts'
import { isCommonWord } from '../../../text/speech/plain-english.ts'
import { isUnderstood, type QueryPart } from '../phrases.ts'
import type { QueryWord } from '../words.ts'
import { isOneName, type Text, type Tools, textsWithout, type WayOfSearch } from './way.ts'

/** Words of the longest text that is read so. */
const wordsMax = 10

/** Words that ask for the people of a place. */
const standingFor: ReadonlySet<string> = new Set(
  'represent represents representing represented delegation delegations elected politician politicians lawmaker lawmakers legislator legislators'.split(
    ' ',
  ),
)

/** See the file's comment. */
export const attributes: WayOfSearch = {
  name: 'attributes',
  find: (tools, text, limit) => {
    const { words } = text
    const { phrases, people } = tools
    if (!phrases.hasAttributes || words.length > wordsMax) return undefined
    if (words.some(({ isExact }) => isExact)) return undefined
    const parts = partsIn(tools, text)
    if (parts === undefined || isOneName(tools, words)) return undefined
    const found = people.inAll(parts, limit)
    if (found === undefined) return undefined
    const used = parts.flatMap((part) => part.words)
    return { ...found, leftOut: textsWithout(words, used) }
  },
}

/** The parts of a text that is of attributes; undefined of any other, and of one that the other ways know. */
function partsIn({ phrases }: Tools, text: Text): readonly QueryPart[] | undefined {
  const parts: QueryPart[] = []
  let isAsked = false
  for (const part of phrases.partsOf(text.words)) {
    const word = part.words[0]!
    const code = isUnderstood(part) ? undefined : codeOf(word, text, phrases)
    const meant = code ?? part
    if (isUnderstood(meant)) parts.push({ ...meant, isOfMeaning: meant.attribute >= 0 })
    else if (standingFor.has(word.text)) isAsked = true
    else if (!word.isStop && asideOf(word.text) !== 'asks') return undefined
    // What is only said by a code is not known to the other ways.
    isAsked ||= code !== undefined
  }
  const isOfAttributes = parts.some(({ attribute }) => attribute >= 0)
  return isOfAttributes && (isAsked || parts.length > 1) ? parts : undefined
}

/** A word as a code, where it is written as one or means nothing else. */
function codeOf(word: QueryWord, { query, words }: Text, phrases: Tools['phrases']) {
  const { text, isStop } = word
  if (text.length > 3) return undefined
  const isWord = isStop || asideOf(text) !== undefined || isCommonWord(text)
  const isWritten =
    words.length > 1 &&
    query !== query.toUpperCase() &&
    query.split(/[^\p{L}]+/u).includes(text.toUpperCase())
  return isWord && !isWritten ? undefined : phrases.asAttributeCode(word)
}
