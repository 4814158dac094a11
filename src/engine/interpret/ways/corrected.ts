/**
 * Corrections: replaces the one word without a match by the nearest known word, so that a person matches the
 * whole text. Known words stay as they are. Names with more slips are guessed.
 */
import { spelledOut } from '../../../text/analyzer.ts'
import { editsOf, lettersIn, lettersSaidBy } from '../../../text/edits.ts'
import { isCommonWord } from '../../../text/speech/plain-english.ts'
import type { QueryWord } from '../../terms/query-word.ts'
import type { Found } from '../found.ts'
import { findPeople } from '../people.ts'
import { isUnderstood } from '../phrases.ts'
import type { Tools } from '../tools.ts'
import { foundTopic, type Text, type WayOfSearch } from './way.ts'

/** Other words that are tried. */
const triedMax = 12

/** A word of four letters is near to a quarter of random ones (measured with 40,000 terms). */
const lettersMin = { like: 2, corrected: 4, alone: 5 } as const

/** See the file's comment. A text that begins with a sign is a handle or a topic as it stands. */
export const corrected: WayOfSearch = {
  name: 'corrected',
  find: (tools, text, limit) => {
    const word = /^\s*#/.test(text.query) ? undefined : unknownIn(tools, text)
    if (word === undefined || lettersSaidBy(word.text) < lettersMin.corrected) return undefined
    return correct(tools, text, word, 1, limit) ?? correct(tools, text, word, 2, limit)
  },
}

/** Signs that are read as letters are no slip: F# is no C#. */
const ofSigns = /(?:sharp|plusplus)$/

/** The only word that nobody has and that means nothing; undefined where there are several, or it was meant as typed. */
function unknownIn(tools: Tools, { query, words }: Text): QueryWord | undefined {
  const [only, another] = tools.phrases
    .partsOf(words)
    .filter((part) => !isUnderstood(part))
    .flatMap((part) => part.words)
    .filter((word) => !word.isStop && isUnknown(tools, word))
  if (only === undefined || another !== undefined || only.isExact) return undefined
  if (isAlone(words) && isCommonWord(only.text)) return undefined
  return spelledOut(query) !== query && ofSigns.test(only.text) ? undefined : only
}

function isAlone(words: readonly QueryWord[]): boolean {
  return words.filter(({ isStop }) => !isStop).length === 1
}

/** A run of characters is known as a whole: each of them somebody has. */
function isUnknown({ postings }: Tools, word: QueryWord): boolean {
  if (word.terms.length > 1) return postings.numberOf(word.text) < 0
  return word.held.size === 0
}

/** The nearest text that means a topic, else the nearest that finds anybody. */
function correct(
  tools: Tools,
  { words }: Text,
  word: QueryWord,
  edits: 1 | 2,
  limit: number,
): Found | undefined {
  const place = words.indexOf(word)
  const texts = nearTo(tools, word, edits).map((other) => words.with(place, other))
  const corrections = (text: readonly QueryWord[]) => [{ from: word.text, to: text[place]!.text }]
  for (const text of texts) {
    const { topic } = tools.phrases.topicsOf(text)
    if (topic < 0) continue
    const found = foundTopic(tools, 'corrected', topic, words, limit)
    return { ...found, corrected: corrections(text) }
  }
  if (isAlone(words) && lettersSaidBy(word.text) < lettersMin.alone) return undefined
  for (const text of texts) {
    const found = findPeople(tools, text, limit)
    if (found) return { ...found, way: 'corrected', corrected: corrections(text) }
  }
  return undefined
}

function nearTo(
  { dictionary, postings, words }: Tools,
  { text }: QueryWord,
  edits: 1 | 2,
): readonly QueryWord[] {
  const letters = lettersIn(text)
  const isShort = letters < lettersMin.corrected && letters >= lettersMin.like
  if ((isShort ? 1 : editsOf(letters)) < edits) return []
  // Of two slips hardly one is in the first letter.
  const first = text.codePointAt(0)!
  return dictionary
    .near(text, edits)
    .filter((term) => edits === 1 || postings.firstLetterOf(term) === first)
    .map((term) => words.wordOf(postings.textOf(term)))
    .filter(({ isStop }) => !isStop)
    .slice(0, triedMax)
}
