/**
 * The one analyzer, of records and of queries: its configuration is written into every snapshot,
 * and a snapshot made with another one is refused.
 */
import { Encoder } from 'flexsearch'

/** Letters that Unicode does not decompose but people type without their strokes and ligatures. */
const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ŧ: 't',
  ς: 'σ',
  ى: 'ي',
  ی: 'ي',
  ة: 'ه',
  ک: 'ك',
  ـ: '',
}

/** Accents of Latin, Greek and Cyrillic, vowel points of Hebrew and Arabic. */
const strippedMarks =
  '\\u0300-\\u036f\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7\\u0610-\\u061a\\u064b-\\u065f\\u0670'

/** Signs that are written for a letter: P!nk, Ke$ha. A sign stands for one only between two of them. */
const signs: Readonly<Record<string, string>> = {
  $: 's',
  '!': 'i',
  '¡': 'i',
  '€': 'e',
  '£': 'l',
  '¥': 'y',
}

/** Scripts written without spaces: each character with its marks is a term of its own. */
const unspacedScripts = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar']

/** The analyzer's version in a snapshot. Two snapshots with the same value read every text alike. */
export const analyzerConfiguration = {
  encoder: 'flexsearch 0.8.212',
  normalization: 'NFKD, marks and what is invisible stripped, lower case, letters mapped, NFC',
  strippedMarks,
  letters,
  signs,
  suffixes: { '#': 'sharp', '++': 'plusplus' },
  joined: "'’ʼ`",
  unspacedScripts,
  split: '[^\\p{L}\\p{N}\\p{M}]+',
} as const

const marks = new RegExp(`[${strippedMarks}\\p{Default_Ignorable_Code_Point}]+`, 'gu')
const mapped = new RegExp(`[${Object.keys(letters).join('')}]`, 'gu')
const sign = new RegExp(`(?<=\\p{L})[${Object.keys(signs).join('')}](?=\\p{L})`, 'gu')
const suffix = /(?<=[\p{L}\p{N}])(\+\+|#)(?![\p{L}\p{N}])/gu
const joined = new RegExp(
  `(?<=[\\p{L}\\p{N}])[${analyzerConfiguration.joined}](?=[\\p{L}\\p{N}])`,
  'gu',
)
const unspaced = new RegExp(
  `(?!\\p{M})[${unspacedScripts.map((script) => `\\p{scx=${script}}`).join('')}]\\p{M}*`,
  'gu',
)
const unspacedRun = new RegExp(`(?:${unspaced.source})+`, 'gu')
const wholeUnspacedRun = new RegExp(`^(?:${unspaced.source})+$`, 'u')
const splitShape = new RegExp(analyzerConfiguration.split, 'u')
const pieceShape = /[\p{L}\p{N}\p{M}]+/gu
const notAscii = /[^\0-\x7f]/
const special = new RegExp(`[${analyzerConfiguration.joined}#+${Object.keys(signs).join('')}]`, 'u')

/** A text in lower case, without marks, and with one spelling of letters that have several. */
export function fold(text: string): string {
  if (!notAscii.test(text)) return text.toLowerCase()
  return text
    .normalize('NFKD')
    .replace(marks, '')
    .toLowerCase()
    .replace(mapped, (letter) => letters[letter] ?? letter)
    .normalize('NFC')
}

function join(text: string): string {
  return special.test(text) ? spelledOut(text.replace(joined, '')) : text
}

/** A text with letters in place of signs for them, and of what a name may end with: P!nk, C++. */
export function spelledOut(text: string): string {
  return text
    .replace(sign, (letter) => signs[letter] ?? letter)
    .replace(suffix, (end) => (end === '#' ? 'sharp' : 'plusplus'))
}

function prepare(text: string): string {
  const plain = join(text)
  return notAscii.test(plain) ? plain.replace(unspaced, ' $& ') : plain
}

const encoder = new Encoder({
  normalize: fold,
  prepare,
  split: splitShape,
  numeric: false,
  dedupe: false,
  cache: false,
})

/** Folded: `José C#` → `['jose', 'csharp']`. A repeated term counts once. */
export function termsOf(text: string): string[] {
  return encoder.encode(text)
}

export function topicKey(text: string): string {
  return termsOf(text).join(' ')
}

/**
 * A word as it is written: in most scripts a term; in scripts without spaces a run of characters,
 * each of which is a term.
 */
export interface Word {
  readonly text: string
  readonly terms: readonly string[]
}

/** The words of a text in their order, folded; their terms are those of `termsOf`. */
export function wordsOf(text: string): Word[] {
  const plain = join(fold(text))
  if (!notAscii.test(plain)) return pieces(plain).map((term) => ({ text: term, terms: [term] }))
  return pieces(plain.replace(unspacedRun, ' $& ')).map((word) => ({
    text: word,
    terms: pieces(word.replace(unspaced, ' $& ')).filter(isAnother),
  }))
}

export function wordTextsOf(text: string): readonly string[] {
  const plain = join(fold(text))
  return pieces(notAscii.test(plain) ? plain.replace(unspacedRun, ' $& ') : plain)
}

export function isUnspaced({ text }: Pick<Word, 'text'>): boolean {
  return notAscii.test(text) && wholeUnspacedRun.test(text)
}

/** A repeated term counts once. */
function isAnother(term: string, index: number, terms: readonly string[]): boolean {
  return term !== terms[index - 1]
}

const noPieces: readonly string[] = []

function pieces(text: string): readonly string[] {
  return text.match(pieceShape) ?? noPieces
}
