/**
 * Words of any script in the letters a to z, as they are read aloud: `Достоевский` → `dostoevskiy`. By the
 * tables of any-ascii; Han is read as Mandarin, and frequent Korean surnames as their bearers write them.
 *
 * Invariant: a word of ASCII letters stays what it is.
 */
import { lazily } from '../lazily.ts'
import { latinLetters } from './letters.made.ts'

/** Korean surnames whose usual spelling is not the romanization of their syllable. */
const surnames: Readonly<Record<string, string>> = {
  박: 'park',
  이: 'lee',
  임: 'lim',
  우: 'woo',
  노: 'roh',
  유: 'yoo',
  최: 'choi',
  김: 'kim',
  강: 'kang',
  문: 'moon',
  신: 'shin',
}

const asciiMax = 0x7f
const smallA = 0x61
const smallZ = 0x7a
const blockBits = 8
const blockSize = 1 << blockBits
const notAscii = /[^\0-\x7f]/
const vowelless = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}]/u
const arabicArticle = /^ال(?=.{3})/u
const hangul = /^\p{Script=Hangul}+$/u

/** A syllable that is a frequent surname, as its bearers write it; else as it is read. */
export function surnameOf(syllable: string): string {
  return surnames[syllable.normalize('NFC')] ?? latinOf(syllable)
}

/** Whether a word has letters beside ASCII's. */
export function isForeign(word: string): boolean {
  return notAscii.test(word)
}

/** Whether a word is of a script that writes few vowels. */
export function isVowelless(word: string): boolean {
  return vowelless.test(word)
}

/** A word in the letters a to z; empty where it has none. The Arabic article is left out. */
export function latinOf(word: string): string {
  if (!notAscii.test(word)) return word
  const first =
    hangul.test(word) && word.length > 1 ? surnames[word.normalize('NFC')[0]!] : undefined
  const rest =
    first === undefined ? word.replace(arabicArticle, '') : word.normalize('NFC').slice(1)
  return (first ?? '') + lettersOf(rest)
}

/** Some neighbouring characters, each by the last bits of its code point. */
interface Block {
  /** The letters by which each is read; absent for none. */
  readonly letters: readonly string[]
  /** Kinds of each, as bits. */
  readonly kinds: Uint8Array
}

const isLetter = 1
const isOfFewVowels = 2
const isHangul = 4
/** Decides whether a character can be read alone: only letters, but those of Hangul. */
const mayBeRead = isLetter | isHangul
const letterOrMark = /^[\p{L}\p{M}]$/u
const codePointMax = 0x10_ffff

const lettersOfBlocks = lazily(latinLetters)
/** By the number of their block, once a character of it was asked for. */
const blocks = lazily(() => new Map<number, Block>())

function lettersOf(word: string): string {
  let letters = ''
  for (const character of word) {
    const code = character.codePointAt(0)!
    if (code <= asciiMax) letters += character.toLowerCase().replace(/[^a-z]/, '')
    else letters += blockOf(code).letters[code & (blockSize - 1)] ?? ''
  }
  return letters
}

function blockOf(code: number): Block {
  const number = code >>> blockBits
  const all = blocks()
  let block = all.get(number)
  if (block === undefined) {
    const letters = lettersOfBlocks()[number]?.split(' ') ?? []
    block = { letters, kinds: kindsFrom(number << blockBits) }
    all.set(number, block)
  }
  return block
}

function kindsFrom(first: number): Uint8Array {
  const kinds = new Uint8Array(blockSize)
  if (first > codePointMax) return kinds
  return kinds.map((_, at) => {
    const character = String.fromCodePoint(first + at)
    const script = hangul.test(character) ? isHangul : isVowelless(character) ? isOfFewVowels : 0
    return script | (letterOrMark.test(character) ? isLetter : 0)
  })
}

/** Letters that an Arabic article stands before, and those of the article. */
const articleOfMin = 3
const article = [0x627, 0x644] as const

/** A word of letters as `isForeign`, `isVowelless` and `latinOf` read it, by codes: valid until the next is read. */
export class LatinWord {
  readonly letters: Uint32Array
  length = 0
  isForeign = false
  isVowelless = false
  readonly #lettersMax: number
  /** The block of the character before: mostly that of the next. */
  #number = -1
  #block: Block | undefined

  /** @param room zeros behind the letters. */
  constructor(lettersMax: number, room: number) {
    this.#lettersMax = lettersMax
    this.letters = new Uint32Array(lettersMax + room)
  }

  /**
   * Reads a word of so many code points; false for one that is no word of two small letters or more, and one that
   * must be read as a text: of Hangul, which is read by whole names, or with too many letters. O(characters).
   */
  read(characters: Uint32Array, count: number): boolean {
    if (count < 2) return false
    const { letters } = this
    const isArticle = characters[0] === article[0] && characters[1] === article[1]
    const start = isArticle && count >= article.length + articleOfMin ? article.length : 0
    let kinds = 0
    let length = 0
    for (let at = start; at < count; at += 1) {
      const code = characters[at]!
      if (code <= asciiMax) {
        if (code < smallA || code > smallZ || length === this.#lettersMax) return false
        letters[length++] = code
        continue
      }
      const { letters: read, kinds: ownKinds } = this.#blockOf(code)
      const kind = ownKinds[code & (blockSize - 1)]!
      const latin = read[code & (blockSize - 1)] ?? ''
      if ((kind & mayBeRead) !== isLetter || length + latin.length > this.#lettersMax) return false
      kinds |= kind
      for (let letter = 0; letter < latin.length; letter += 1) {
        letters[length++] = latin.charCodeAt(letter)
      }
    }
    letters.fill(0, length)
    this.length = length
    this.isForeign = kinds !== 0
    this.isVowelless = (kinds & isOfFewVowels) !== 0
    return true
  }

  #blockOf(code: number): Block {
    const number = code >>> blockBits
    if (this.#block === undefined || number !== this.#number) {
      this.#number = number
      this.#block = blockOf(code)
    }
    return this.#block
  }
}
