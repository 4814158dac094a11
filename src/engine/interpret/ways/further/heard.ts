/**
 * The ways to hear a text as a name: word by word, and what is written without spaces, or with one too many, cut and
 * joined.
 *
 * Invariant: a reading has all of the text, and the likeliest comes first.
 */
import { isUnspaced } from '../../../../text/analyzer.ts'
import {
  isForeign,
  isKoreanName,
  isVowelless,
  latinOf,
  surnameOf,
} from '../../../../text/sound/latin.ts'
import { type LoanScript, loanScriptOf, loanSoundsOf } from '../../../../text/sound/loan-script.ts'
import { loanKeysOf } from '../../../../text/sound/loan-sounds.ts'
import { soundSpellingsOf } from '../../../../text/sound/sounds.ts'
import type { HeardWord } from '../../../terms/name-sounds.ts'
import type { QueryWord } from '../../../terms/query-word.ts'

/** The sounds of a word whose script may write a foreign name by them. */
interface Loan {
  readonly script: LoanScript
  readonly sounds: string
}

/** A word of a name as it was typed, or a part of what was typed without a space: most are not heard to the end. */
export class Heard implements HeardWord {
  readonly text: string
  readonly latin: string
  readonly #isWhole: boolean
  #spellings: readonly string[] | undefined
  #loan: Loan | false | undefined
  #loanKeys: readonly string[] | undefined

  constructor(text: string, { latin = latinOf(text), isWhole = false } = {}) {
    this.text = text
    this.latin = latin
    this.#isWhole = isWhole
  }

  get isVowelless(): boolean {
    return isVowelless(this.text)
  }

  /** Of its sounds. */
  get spellings(): readonly string[] {
    this.#spellings ??= soundSpellingsOf(this.latin)
    return this.#spellings
  }

  /** Its sounds, where it is a whole word in a script that may write a foreign name by them. */
  get loan(): Loan | undefined {
    this.#loan ??= this.#isWhole && loanOf(this.text)
    return this.#loan === false ? undefined : this.#loan
  }

  /** The keys by which a name that it may write is found; none where it writes none. */
  get loanKeys(): readonly string[] {
    const { loan } = this
    this.#loanKeys ??= loan === undefined ? [] : loanKeysOf(loan.sounds, loan.script)
    return this.#loanKeys
  }
}

/** Letters of the longest word of another script that is read by its sounds. */
const loanLettersMax = 24

/** Characters of the longest name that is cut in two. */
const charactersMax = 6
/** A name of characters that is written as one word. */
const isWholeName = /^[\p{Script=Han}\p{Script=Hangul}]{2,}$/u
const isHangul = /^\p{Script=Hangul}+$/u
/** Of fewer characters too many names are read aloud the same. */
export const isHanName = /^\p{Script=Han}{3,}$/u
/** Syllables of the longest name in Korea. */
const koreanMax = 4
/** Characters of most given names in China and Korea. */
export const givenCharacters = 2

function heardOf(text: string): Heard {
  return new Heard(text)
}

function loanOf(text: string): Loan | false {
  const script = !isForeign(text) || text.length > loanLettersMax ? undefined : loanScriptOf(text)
  return script !== undefined && { script, sounds: loanSoundsOf(text, script) }
}

/** The text word by word; what is written without spaces cut into family and given name, and joined. */
export function readingsOf(content: readonly QueryWord[]): readonly (readonly Heard[])[] {
  const plain = content.map(({ text }) => new Heard(text, { isWhole: true }))
  const joined = content.map(({ text }) => text).join('')
  if (!content.every(isUnspaced)) return [plain, ...joinedReadings(content, plain)]
  // Characters are a family and a given name: as one word they sound like strangers.
  if (!isWholeName.test(joined)) return [plain, ...cutReadings(joined)]
  // No name in Korea has so many syllables.
  if (isHangul.test(joined) && joined.length > koreanMax) return [plain]
  return [...cutReadings(joined), ...wholeReadings(content, plain, joined)]
}

/** Hangul also writes foreign names, word by word; Han has several characters for one, so that a name is read aloud. */
function wholeReadings(
  content: readonly QueryWord[],
  plain: readonly Heard[],
  joined: string,
): readonly (readonly Heard[])[] {
  if (isHangul.test(joined)) return content.length > 1 || !isKoreanName(joined) ? [plain] : []
  return isHanName.test(joined) ? [[heardOf(joined)]] : []
}

function cutReadings(joined: string): readonly (readonly Heard[])[] {
  const characters = [...joined]
  if (characters.length > charactersMax) return []
  const readings = [1, 2]
    .filter((cut) => characters.length > cut)
    .map((cut) => [characters.slice(0, cut), characters.slice(cut)].map((each) => each.join('')))
    .map((words) => words.map((word) => heardOf(word)))
  const [family = '', ...given] = characters
  // Both parts of a given name may be words of their own: Kim Dae-jung.
  if (given.length === givenCharacters) {
    const surname = new Heard(family, { latin: surnameOf(family) })
    readings.push([surname, ...given.map((part) => heardOf(part))])
  }
  return readings
}

/** All words as one, in both orders; and of three words two as one: Teng Hsiao-ping. */
function joinedReadings(
  content: readonly QueryWord[],
  plain: readonly Heard[],
): readonly (readonly Heard[])[] {
  if (content.length < 2 || !content.every(isSyllable)) return []
  const asOne = (words: readonly Heard[]) => heardOf(words.map(({ text }) => text).join(''))
  const readings = [plain, plain.toReversed()].map((words) => [asOne(words)])
  const [first, second, third] = plain
  if (plain.length === 3) {
    readings.push([first!, asOne([second!, third!])], [asOne([first!, second!]), third!])
  }
  return readings
}

/** Whether a word is spoken as one and may be a part of another: initials are not. */
function isSyllable({ text }: QueryWord): boolean {
  return !isForeign(text) && /[aeiouy]/.test(latinOf(text))
}
