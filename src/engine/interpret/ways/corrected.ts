/**
 * Corrections: replaces a word without a match by the nearest known word, so that a person matches the
 * whole text. Known words stay as they are.
 */
import { spelledOut } from '../../../text/analyzer.ts'
import { editsOf, lettersIn, lettersSaidBy } from '../../../text/edits.ts'
import { isCommonWord } from '../../../text/speech/plain-english.ts'
import type { Correction } from '../../match/cover.ts'
import type { QueryWord } from '../../terms/query-word.ts'
import type { Found } from '../found.ts'
import { findPeople } from '../people.ts'
import { isUnderstood } from '../phrases.ts'
import type { Tools } from '../tools.ts'
import { foundTopic, type Text, type WayOfSearch } from './way.ts'

/** Words that may be corrected in one text: of one with more nothing certain is left. */
const unknownMax = 2

/** Other words that are tried for each of two, and for one where every meaning is tried. */
const fewTried = 12

/** A word of four letters is near to a quarter of random ones (measured with 40,000 terms). */
const lettersMin = { like: 2, corrected: 4, alone: 5 } as const

type Replaced = readonly QueryWord[]

/** One trial: the words that no person has, and the terms near to each of them, of each at least one. */
interface Trial {
  readonly words: readonly QueryWord[]
  readonly unknown: readonly QueryWord[]
  readonly near: readonly (readonly number[])[]
}

const none: readonly never[] = []

/** See the file's comment. A text that begins with a sign is a handle or a topic as it stands. */
export const corrected: WayOfSearch = {
  name: 'corrected',
  find: (tools, text, limit) =>
    /^\s*#/.test(text.query) ? undefined : correct(tools, text, limit),
}

/** Signs that are read as letters are no slip: F# is no C#. */
const ofSigns = /(?:sharp|plusplus)$/

function correct(tools: Tools, { query, words }: Text, limit: number): Found | undefined {
  const unknown = unknownOf(tools, words)
  if (unknown.length === 0 || unknown.length > unknownMax || isMeant(words, unknown))
    return undefined
  if (spelledOut(query) !== query && unknown.some(({ text }) => ofSigns.test(text)))
    return undefined
  // If no term is near to one of the words, the other need not be looked for.
  const isLonely = (word: QueryWord) =>
    !isSome(nearTo(tools, word, 1)) && !isSome(nearTo(tools, word, 2))
  if (unknown.some(isLonely)) return undefined
  const once = unknown.map((word) => nearTo(tools, word, 1))
  const found = tryAll(tools, { words, unknown, near: once }, limit)
  if (found !== undefined) return found
  const twice = unknown.map((word) => nearTo(tools, word, 2))
  if (!twice.some(isSome)) return undefined
  // One of two words may have suffered less than the other.
  const near = unknown.length === 1 ? twice : twice.map((each, at) => [...once[at]!, ...each])
  return tryAll(tools, { words, unknown, near }, limit)
}

/** The words that nobody has and that mean nothing; of exact ones none can be replaced. */
function unknownOf(tools: Tools, words: readonly QueryWord[]): readonly QueryWord[] {
  return tools.phrases
    .partsOf(words)
    .filter((part) => !isUnderstood(part))
    .flatMap((part) => part.words)
    .filter((word) => !word.isStop && isUnknown(tools, word))
}

/** Whether all words are common English: what stands alone, and nobody has, was meant as it was typed. */
function isMeant(words: readonly QueryWord[], unknown: readonly QueryWord[]): boolean {
  const content = contentOf(words)
  if (content.length !== 1 && content.length !== unknown.length) return false
  return content.every(({ text }) => isCommonWord(text))
}

function contentOf(words: readonly QueryWord[]): readonly QueryWord[] {
  return words.filter(({ isStop }) => !isStop)
}

/** A run of characters is known as a whole: each of them somebody has. */
function isUnknown({ postings }: Tools, word: QueryWord): boolean {
  if (word.terms.length > 1) return postings.numberOf(word.text) < 0
  return word.held.size === 0
}

function nearTo(
  { dictionary, postings }: Tools,
  { text, isExact }: QueryWord,
  edits: 1 | 2,
): readonly number[] {
  const letters = lettersIn(text)
  const isShort = letters < lettersMin.corrected && letters >= lettersMin.like
  const most = isShort ? 1 : editsOf(letters)
  if (isExact || most < edits) return none
  const near = dictionary.near(text, edits)
  if (edits === 1) return near
  // Of two slips hardly one is in the first letter.
  const first = text.codePointAt(0)!
  return near.filter((term) => postings.firstLetterOf(term) === first)
}

/** The nearest text that means a topic, else the nearest that finds anybody. */
function tryAll(tools: Tools, trial: Trial, limit: number): Found | undefined {
  const { words, unknown } = trial
  const letters = Math.min(...unknown.map(({ text }) => lettersSaidBy(text)))
  if (letters < lettersMin.corrected) return undefined
  const texts = replacedIn(tools, trial)
  for (const replaced of texts) {
    const { topic } = tools.phrases.topicsOf(replaced)
    if (topic < 0) continue
    const found = foundTopic(tools, 'corrected', topic, words, limit)
    return { ...found, corrected: differences(words, replaced) }
  }
  if (contentOf(words).length === 1 && letters < lettersMin.alone) return undefined
  for (const replaced of texts) {
    const found = isAnchored(tools, trial, replaced) && findPeople(tools, replaced, limit)
    if (found) return { ...found, way: 'corrected', corrected: differences(words, replaced) }
  }
  return undefined
}

/** The text with a near word for each that nobody has, the nearest first. */
function replacedIn(tools: Tools, { words, unknown, near }: Trial): readonly Replaced[] {
  let texts: readonly Replaced[] = [words]
  for (const [at, word] of unknown.entries()) {
    const place = words.indexOf(word)
    const others = wordsOf(tools, near[at]!)
    texts = texts.flatMap((text) => others.map((other) => text.with(place, other)))
  }
  return texts
}

function wordsOf({ postings, words: all }: Tools, terms: readonly number[]): readonly QueryWord[] {
  const words: QueryWord[] = []
  for (let at = 0; at < terms.length && words.length < fewTried; at += 1) {
    const word = all.wordOf(postings.textOf(terms[at]!))
    if (!word.isStop) words.push(word)
  }
  return words
}

/** Whether a text says more than two guesses that only texts hold: a word is as it was, or each is a name or meant. */
function isAnchored({ phrases }: Tools, { words, unknown }: Trial, replaced: Replaced): boolean {
  if (unknown.length < 2 || contentOf(words).length > unknown.length) return true
  const isName = (word: QueryWord) => word.isStop || word.named.size > 0
  return phrases.partsOf(replaced).every((part) => isUnderstood(part) || part.words.every(isName))
}

function isSome({ length }: readonly number[]): boolean {
  return length > 0
}

function differences(words: readonly QueryWord[], replaced: Replaced): Correction[] {
  return words.flatMap((word, index) => {
    const other = replaced[index]!
    return other === word ? [] : [{ from: word.text, to: other.text }]
  })
}
