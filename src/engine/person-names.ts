/** The names of people as their records write them, read from their identities. */
import { nameStart } from '../snapshot/people/identities.ts'
import { wordTextsOf } from '../text/analyzer.ts'
import type { Catalog } from './catalog.ts'

const decoder = new TextDecoder()
const backslash = 0x5c

/** The place of a person's name in the page of their identity, between its quotation marks. */
export function nameSpan(catalog: Catalog, ordinal: number): { start: number; end: number } {
  const { identities } = catalog
  const start = nameStart(identities.pageOf(ordinal).text, identities.startOf(ordinal))
  return { start, end: identities.endOf(ordinal) - 1 }
}

/** Somebody's name. 1 µs. */
export function nameOf(catalog: Catalog, ordinal: number): string {
  const { start, end } = nameSpan(catalog, ordinal)
  const bytes = catalog.identities.pageOf(ordinal).text.subarray(start, end)
  const written = decoder.decode(bytes)
  return bytes.includes(backslash) ? JSON.parse(`"${written}"`) : written
}

/** The words of somebody's name in their order, as the analyzer spells them. 1 to 2 µs. */
export function nameWordsOf(catalog: Catalog, ordinal: number): readonly string[] {
  return wordTextsOf(nameOf(catalog, ordinal))
}

/** Whether a byte is an ASCII letter: with the bit of small letters, from a to z. */
function isLetter(byte: number): boolean {
  return (byte | small) >= 0x61 && (byte | small) <= 0x7a
}

/** The bit that makes an ASCII letter small, and a space. */
const small = 0x20
const smallA = 0x61
const space = 0x20

/** The place where the last word of a name begins, if it is of ASCII letters behind a space; else -1. */
function lastWordStart(text: Uint8Array, start: number, end: number): number {
  let first = end
  while (first > start && isLetter(text[first - 1]!)) first -= 1
  return first === end || (first > start && text[first - 1] !== space) ? -1 : first
}

/** The last word of a name beside another word, as its bytes tell: `apart` where it has other letters than some, too. */
type LastWord = 'same' | 'ofLetters' | 'apart' | 'untold'

/**
 * Whether the last word of somebody's name is a word, as the analyzer spells it, or consists of some letters; untold
 * where it is not of ASCII letters behind a space. No text is made: a twentieth of the time of `nameWordsOf`.
 * @param letters as bits, from a on.
 */
export function compareLastWord(
  catalog: Catalog,
  ordinal: number,
  word: string,
  letters: number,
): LastWord {
  const { start, end } = nameSpan(catalog, ordinal)
  const { text } = catalog.identities.pageOf(ordinal)
  const first = lastWordStart(text, start, end)
  if (first < 0) return 'untold'
  let isSame = end - first === word.length
  let isOfLetters = true
  for (let at = first; at < end && (isSame || isOfLetters); at += 1) {
    const letter = text[at]! | small
    isSame &&= letter === word.charCodeAt(at - first)
    isOfLetters &&= ((letters >>> (letter - smallA)) & 1) === 1
  }
  return isSame ? 'same' : isOfLetters ? 'ofLetters' : 'apart'
}
