/** The names of people as their records write them, read from their identities. */
import { nameStart } from '../snapshot/people/identities.ts'
import { fold, wordTextsOf } from '../text/analyzer.ts'
import type { Catalog } from './catalog.ts'

const decoder = new TextDecoder()
const backslash = 0x5c

/** The place of a person's name in the page of their identity, between its quotation marks. */
export function nameSpan(catalog: Catalog, ordinal: number): { start: number; end: number } {
  const { identities } = catalog
  const start = nameStart(identities.pageOf(ordinal).text, identities.startOf(ordinal))
  return { start, end: identities.endOf(ordinal) - 1 }
}

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

function isLetter(byte: number): boolean {
  return (byte | small) >= 0x61 && (byte | small) <= 0x7a
}

/** The bit that makes an ASCII letter small, and a space. */
const small = 0x20
const smallA = 0x61
const space = 0x20

const allLetters = (1 << 26) - 1

export function lettersOf(text: string): number {
  let letters = 0
  for (let at = 0; at < text.length; at += 1) {
    const place = text.charCodeAt(at) - smallA
    if (place >= 0 && place < 26) letters |= 1 << place
  }
  return letters
}

/** Of letters that are not ASCII the ASCII ones that they are folded to, with the bit of what is known of them. */
const foldedLetters = new Uint32Array(0x2000)
const isFolded = 1 << 31

function foldedLetterOf(point: number): number {
  // Signs, letters of other widths and of formulas; what is between them is no Latin letter.
  if (point >= foldedLetters.length) return point < 0x3000 || point >= 0xff00 ? allLetters : 0
  if (foldedLetters[point] === 0) {
    foldedLetters[point] = lettersOf(fold(String.fromCodePoint(point))) | isFolded
  }
  return foldedLetters[point]! & allLetters
}

/** The bit of an outline that says that a name has two words which are not `Jr` and the like. */
export const severalWords = 1 << 26
/** Bytes of the longest word behind a name that only tells people of one name apart. */
const generationMax = 3

/**
 * The letters that words of somebody's name begin with, as bits from a on, with some more where a word has other
 * letters than ASCII ones; and `severalWords`. No text is made: a twentieth of the time of `nameWordsOf`.
 */
export function outlineOf(catalog: Catalog, ordinal: number): number {
  const { start, end } = nameSpan(catalog, ordinal)
  const { text } = catalog.identities.pageOf(ordinal)
  let letters = 0
  let isInside = false
  let word = start
  for (let at = start; at < end; at += 1) {
    const byte = text[at]!
    if (byte === space) word = at + 1
    else if (word !== start && at - word >= generationMax && (byte >= 0x80 || isLetter(byte)))
      letters |= severalWords
    if (byte < 0x80) {
      if (byte === backslash) return allLetters
      const isOfLetters = isLetter(byte)
      if (isOfLetters && !isInside) letters |= 1 << ((byte | small) - smallA)
      isInside = isOfLetters || (byte >= 0x30 && byte <= 0x39)
      continue
    }
    isInside = false
    if (byte >= 0xf0) return allLetters
    let point = byte < 0xe0 ? byte & 0x1f : byte & 0xf
    for (const last = byte < 0xe0 ? at + 1 : at + 2; at < last; ) {
      at += 1
      point = (point << 6) | (text[at]! & 0x3f)
    }
    letters |= foldedLetterOf(point)
  }
  return letters
}
