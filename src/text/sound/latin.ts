/**
 * Words of any script in the letters a to z, as they are read aloud: `Достоевский` → `dostoevskiy`. By the
 * tables of any-ascii; Han is read as Mandarin, and frequent Korean surnames as their bearers write them.
 *
 * Invariant: a word of ASCII letters stays what it is.
 */
import { lazily } from '../lazily.ts'
import { koreanSurnames } from '../tables/tables.made.ts'
import { latinLetters } from './letters.made.ts'

const surnames = lazily(
  () =>
    new Map(
      koreanSurnames()
        .split('\n')
        .map((line) => line.split(' ') as [string, string]),
    ),
)

const asciiMax = 0x7f
const blockBits = 8
const blockSize = 1 << blockBits
const notAscii = /[^\0-\x7f]/
const vowelless = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}]/u
const arabicArticle = /^ال(?=.{3})/u
const hangul = /^\p{Script=Hangul}+$/u

/** A syllable that is a frequent surname, as its bearers write it; else as it is read. */
export function surnameOf(syllable: string): string {
  return surnames().get(syllable.normalize('NFC')) ?? latinOf(syllable)
}

export function isForeign(word: string): boolean {
  return notAscii.test(word)
}

export function isVowelless(word: string): boolean {
  return vowelless.test(word)
}

/** A word in the letters a to z; empty where it has none. The Arabic article is left out. */
export function latinOf(word: string): string {
  if (!notAscii.test(word)) return word
  const first =
    hangul.test(word) && word.length > 1 ? surnames().get(word.normalize('NFC')[0]!) : undefined
  const rest =
    first === undefined ? word.replace(arabicArticle, '') : word.normalize('NFC').slice(1)
  return (first ?? '') + lettersOf(rest)
}

const lettersOfBlocks = lazily(latinLetters)
/** The letters by which each character of a block is read, by the block, once one of it was asked for. */
const blocks = lazily(() => new Map<number, readonly string[]>())

function lettersOf(word: string): string {
  let letters = ''
  for (const character of word) {
    const code = character.codePointAt(0)!
    if (code <= asciiMax) letters += character.toLowerCase().replace(/[^a-z]/, '')
    else letters += blockOf(code >>> blockBits)[code & (blockSize - 1)] ?? ''
  }
  return letters
}

function blockOf(number: number): readonly string[] {
  const known = blocks().get(number)
  if (known !== undefined) return known
  const letters = lettersOfBlocks()[number]?.split(' ') ?? []
  blocks().set(number, letters)
  return letters
}
