/**
 * People by what they are: a text that consists of attributes (`republican senators`, `TX senators`), also
 * beside topics and places, or that asks who stands for one (`who represents Texas`). Only those are found
 * who have every attribute, not those whose biographies hold the words: `Virginia` is not West Virginia.
 *
 * Invariant: every word that says something is an attribute, its code, a topic, a place, or only asks.
 */
import { asideOf } from '../../../text/speech/aside-words.ts'
import { officeInChamber, standsForPlace } from '../../../text/speech/offices.ts'
import { isCommonWord } from '../../../text/speech/plain-english.ts'
import { type QueryPart, QueryWord } from '../../terms/query-word.ts'
import { isUnderstood, meaningless } from '../phrases.ts'
import { isOneName, type Text, type Tools, textsWithout, type WayOfSearch } from './way.ts'

/** Words of the longest text that is read so. */
const wordsMax = 10

/** The number of a district: 4th district. */
const nth = /^(\d{1,2})(?:st|nd|rd|th)$/
/** Made once: a pattern in a function is another object for each text. */
const apostrophe = /['’]/

/** See the file's comment. */
export const attributes: WayOfSearch = {
  name: 'attributes',
  find: (tools, text, limit) => {
    const { phrases, people } = tools
    if (!phrases.hasAttributes || text.words.length > wordsMax) return undefined
    const words = apostrophe.test(text.query) ? text.lastReading : text.words
    if (words.some(({ isExact }) => isExact)) return undefined
    const parts = partsIn(tools, text, words)
    if (parts === undefined || isOneName(tools, words)) return undefined
    const found = people.inAll(parts, limit)
    if (found === undefined) return undefined
    const used = parts.flatMap((part) => part.words)
    const leftOut = textsWithout(words, used).filter((word) => !nth.test(word))
    return { ...found, leftOut }
  },
}

/** The parts of a text that is of attributes; undefined of any other, and of one that the other ways know. */
function partsIn(
  { phrases }: Tools,
  text: Text,
  words: readonly QueryWord[],
): readonly QueryPart[] | undefined {
  const parts: QueryPart[] = []
  let isAsked = false
  const isOfDistrict = words.some((word) => word.text === 'district')
  for (const part of phrases.partsOf(words)) {
    const word = part.words[0]!
    const code = isUnderstood(part)
      ? undefined
      : (codeOf(word, text, phrases) ?? officeOf(word, phrases))
    const meant = code ?? part
    if (isUnderstood(meant)) parts.push({ ...meant, isOfMeaning: meant.attribute >= 0 })
    else if (isOfDistrict && isNumbered(word)) parts.push(numbered(word))
    else if (standsForPlace(word.text)) isAsked = true
    else if (!word.isStop && asideOf(word.text) !== 'asks') return undefined
    // The other ways do not know attributes that only a code says.
    isAsked ||= code !== undefined
  }
  const isOfAttributes = parts.some(({ attribute }) => attribute >= 0)
  return isOfAttributes && (isAsked || parts.length > 1) ? parts : undefined
}

/** A chamber as the office of those who sit in it. */
function officeOf(word: QueryWord, phrases: Tools['phrases']): QueryPart | undefined {
  const office = officeInChamber(word.text)
  if (office === undefined) return undefined
  const meaning = phrases.meaningOf([new QueryWord({ text: office, terms: [office] })])
  return meaning.attribute < 0 ? undefined : { words: [word], ...meaning }
}

function isNumbered({ text }: QueryWord): boolean {
  return text === 'district' || nth.test(text)
}

/** A word of a district as biographies write it. */
function numbered(word: QueryWord): QueryPart {
  const [, digits = word.text] = nth.exec(word.text) ?? []
  return { words: [new QueryWord({ text: digits, terms: [digits] })], ...meaningless }
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
