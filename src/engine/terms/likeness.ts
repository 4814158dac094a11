/** Compares a word with a term of a topic's key; letters exclude most keys before they are read. */
import { letterBits } from '../../snapshot/deletion-signatures.ts'
import { editsBetween, editsOf, lettersOf, readCodePoints } from '../../text/edits.ts'
import { numberless } from '../../text/number.ts'
import type { QueryWord } from './query-word.ts'

/** Letters of the shortest word that may be the beginning of another. */
const beginningMin = 3

export interface Compared {
  readonly word: QueryWord
  readonly text: string
  /** The same in either number. */
  readonly spelling: string
  readonly letters: Uint32Array
  /** The `letterBits` of the word and of its spelling. */
  readonly bits: number
  readonly spellingBits: number
  /** The number of edits that it may have. */
  readonly edits: number
}

export interface Key {
  readonly terms: readonly string[]
  /** The `letterBits` of all terms and of their spellings. */
  readonly letters: number
}

export function comparedWordOf(word: QueryWord): Compared {
  const { text } = word
  const letters = lettersOf(text)
  const spelling = numberless(text)
  return {
    word,
    text,
    spelling,
    letters,
    bits: letterBits(letters),
    spellingBits: bitsOf(spelling),
    edits: editsOf(letters.length),
  }
}

export function keyOf(terms: readonly string[]): Key {
  return { terms, letters: bitsOf(terms.join('')) | bitsOf(terms.map(numberless).join('')) }
}

function bitsOf(text: string): number {
  return letterBits(lettersOf(text))
}

/** Whether a key has the letters of so many words that the text may be about it. */
export function hasLetters(words: readonly Compared[], { terms, letters }: Key): boolean {
  const { length } = terms
  const fewest = Math.max(0, words.length - length)
  if (!mayBeLikely(fewest, words.length, length)) return false
  let unmatched = 0
  for (const { bits, spellingBits, edits } of words) {
    // Each edit brings one letter at most.
    if (!hasAtMost(bits & ~letters, edits) && (spellingBits & ~letters) !== 0) unmatched += 1
    if (!mayBeLikely(unmatched, words.length, length)) return false
  }
  return true
}

function hasAtMost(bits: number, count: number): boolean {
  let left = bits
  // Takes the lowest bit away.
  for (let taken = 0; taken < count; taken += 1) left &= left - 1
  return left === 0
}

/** Whether every word of the text matches, or the whole key does and is half of the text. */
export function mayBeLikely(unmatched: number, words: number, terms: number): boolean {
  return unmatched === 0 || (terms <= words - unmatched && unmatched * 2 <= words)
}

const termRoom = new Uint32Array(64)

/** 1 for the same word, less for its beginning, less still for a misspelling, 0 for another word. */
export function wordLikeness({ text, spelling, letters, edits }: Compared, term: string): number {
  if (text === term || isSpelledAs(spelling, term)) return 1
  const shorter = Math.min(text.length, term.length)
  const longer = Math.max(text.length, term.length)
  if (text.length >= beginningMin && term.startsWith(text)) return 0.8 + 0.1 * (shorter / longer)
  // A letter is one unit or two: words whose lengths differ by more need not be read.
  if (edits === 0 || longer - shorter > 2 * edits) return 0
  const count = readCodePoints(term, termRoom)
  const distance =
    count < 0
      ? editsBetween(letters, lettersOf(term), edits)
      : editsBetween(letters, termRoom, edits, count)
  return distance > edits ? 0 : 0.8 - distance / longer
}

/** Whether a term has a spelling without a number: no number changes the first letter. */
function isSpelledAs(spelling: string, term: string): boolean {
  return spelling.charCodeAt(0) === term.charCodeAt(0) && spelling === numberless(term)
}
