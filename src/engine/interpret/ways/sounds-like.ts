/**
 * Names that sound like a text, also in another script: a guess, made only where nothing else found
 * anybody and at most three people are called so.
 *
 * Invariant: every word of the text is a word of the name, or sounds like one; of two words in one script
 * one is written as it is.
 */

import { isUnspaced } from '../../../text/analyzer.ts'
import { isForeign, isVowelless, latinOf } from '../../../text/sound/latin.ts'
import { soundDistance, soundsOf } from '../../../text/sound/sounds.ts'
import { isCommonWord } from '../../../text/speech/plain-english.ts'
import { unionOf } from '../../postings/doc-set.ts'
import type { Postings } from '../../postings/postings.ts'
import { firstOf } from '../../postings/smallest-k.ts'
import type { HashBuckets } from '../../terms/hash-buckets.ts'
import { type HeardWord, keysOf, latinKey, termsOfKey } from '../../terms/name-sounds.ts'
import type { QueryWord } from '../words.ts'
import { foundPeople, type Tools, textsWithout, type WayOfSearch } from './way.ts'

/** People of one sound at most: of more nobody can be meant. */
const peopleMax = 3
/** Words of the longest name that is compared, and characters of the longest that is cut in two. */
const wordsMax = 4
const charactersMax = 6
/** Terms of one key that are compared: bounds the work of a short one. */
const comparedMax = 40
/** Letters by which words that sound alike differ in length at most: tschtsch is a ch. */
const lettersApartMax = 6
/** A word alone must say more than one among others. */
const aloneLettersMin = 5
const amongOthersLettersMin = 3
const aloneKeyMin = 3

/** A name of characters that is written as one word. */
const isWholeName = /^[\p{Script=Han}\p{Script=Hangul}]{2,}$/u

/** A word of a name as it was typed, or a part of what was typed without a space. */
interface Heard extends HeardWord {
  readonly text: string
  /** Its sounds; two where it has a `ch`. */
  readonly sounds: readonly string[]
}

/** The terms that a word may stand for. */
interface Meant {
  readonly terms: readonly number[]
  /** Whether the name holds the word as it is written, or in another script. */
  readonly isSure: boolean
}

/** See the file's comment. */
export const soundsLike: WayOfSearch = {
  name: 'sounds-like',
  find: (tools, { words, core, isTitled }, limit) => {
    const content = core.filter(({ isStop }) => !isStop)
    if (content.length === 0 || content.length > wordsMax) return undefined
    if (content.some(({ isExact, text }) => isExact || /\p{N}/u.test(text))) return undefined
    for (const heard of readingsOf(content)) {
      const all = peopleOf(tools, heard)
      // A title before one word stands before a surname: Mother Theresa is no Teresa.
      const people =
        isTitled && content.length === 1 ? all.filter((each) => isLast(tools, each, heard)) : all
      if (people.length === 0) continue
      if (people.length > peopleMax) return undefined
      const leftOut = textsWithout(words, content)
      return foundPeople('sounds-like', people, limit, { words: content, leftOut })
    }
    return undefined
  },
}

/** The text word by word; what is written without spaces cut into family and given name, and joined. */
function readingsOf(content: readonly QueryWord[]): readonly (readonly Heard[])[] {
  const plain = content.map(({ text }) => heardOf(text))
  const joined = content.map(({ text }) => text).join('')
  // Characters are a family and a given name: as one word they sound like strangers.
  const readings = isWholeName.test(joined) ? [] : [plain]
  if (content.every(isUnspaced)) {
    const characters = [...joined]
    for (const cut of [1, 2]) {
      if (characters.length - cut < 1 || characters.length > charactersMax) continue
      readings.push(
        [characters.slice(0, cut), characters.slice(cut)].map((each) => heardOf(each.join(''))),
      )
    }
  } else if (content.length > 1 && content.every(isSyllable)) {
    for (const words of [plain, plain.toReversed()]) {
      readings.push([heardOf(words.map(({ text }) => text).join(''))])
    }
  }
  return readings
}

/** Whether a word is spoken as one and may be a part of another: initials are not. */
function isSyllable({ text }: QueryWord): boolean {
  return !isForeign(text) && /[aeiouy]/.test(latinOf(text))
}

/** Whether the last word of somebody's name sounds like the last one that was heard. */
function isLast({ nameWords }: Tools, ordinal: number, heard: readonly Heard[]): boolean {
  const last = nameWords(ordinal).at(-1)
  return last !== undefined && isNear(heard.at(-1)!, last, heard.length === 1)
}

function heardOf(text: string): Heard {
  const latin = latinOf(text)
  return { text, latin, isVowelless: isVowelless(text), sounds: spellingsOf(latin) }
}

/** Those whose names hold a term for every word; one more than may be found where they are too many. */
function peopleOf({ postings, sounds }: Tools, heard: readonly Heard[]): readonly number[] {
  const isAlone = heard.length === 1
  const table = sounds()
  // Words that are all written so are nobody's together: the ways before this one asked for them.
  const isWritten = ({ text }: Heard) => isNameTerm(postings.numberOf(text), postings)
  if (heard.every(isWritten)) return []
  const meant: Meant[] = []
  for (const word of heard) {
    const terms = termsFor(word, isAlone, postings, table)
    if (terms.terms.length === 0) return []
    // Two words that only sound like something are two guesses.
    if (!terms.isSure && meant.some(({ isSure }) => !isSure)) return []
    meant.push(terms)
  }
  const holders = meant.map(({ terms }) =>
    unionOf(terms.map((term) => postings.list('name', term))),
  )
  return firstOf(holders, peopleMax + 1)
}

function termsFor(word: Heard, isAlone: boolean, postings: Postings, table: HashBuckets): Meant {
  // A short Latin word alone is written like too many words of other scripts.
  const isTooShort = isAlone && !isForeign(word.text) && word.latin.length < aloneLettersMin
  const sure = isTooShort ? [] : sureTerms(word, postings, table)
  if (sure.length > 0) return { terms: sure, isSure: true }
  const lettersMin = isAlone ? aloneLettersMin : amongOthersLettersMin
  if (isCommonWord(word.text) || word.latin.length < lettersMin) {
    return { terms: [], isSure: false }
  }
  const terms = keysOf(word)
    .filter(({ length }) => !isAlone || length >= aloneKeyMin)
    .flatMap((key) => termsOfKey(table, key, comparedMax))
    .filter((term) => isNear(word, postings.textOf(term), isAlone))
  return {
    terms: [...new Set(terms)],
    isSure: terms.some((term) => isForeign(word.text) === postings.isAscii(term)),
  }
}

function isNameTerm(term: number, postings: Postings): boolean {
  return term >= 0 && postings.size('name', term) > 0
}

/** The word as it is written, or the same letters in another script. */
function sureTerms({ text, latin }: Heard, postings: Postings, table: HashBuckets): number[] {
  const written = [postings.numberOf(text), isForeign(text) ? postings.numberOf(latin) : -1]
  const terms = written.filter((term) => isNameTerm(term, postings))
  if (terms.length > 0 || latin.length < 2) return terms
  return termsOfKey(table, latinKey(latin), comparedMax).filter((term) => {
    const other = postings.textOf(term)
    const isBare = isVowelless(other) && latin.length < amongOthersLettersMin
    return isForeign(text) !== isForeign(other) && latinOf(other) === latin && !isBare
  })
}

/** Whether a term sounds nearly the same: the longer the word, the more may differ. */
function isNear(
  { text, latin, isVowelless: isBare, sounds }: Heard,
  term: string,
  isAlone: boolean,
): boolean {
  // A slip inside another script is the corrector's to mend: heard in Latin letters, strangers sound alike.
  if (isForeign(text) && isForeign(term)) return false
  const other = latinOf(term)
  // A letter more costs something, but where vowels are free.
  if (Math.abs(latin.length - other.length) > lettersApartMax) return false
  const areFree = isBare || isVowelless(term)
  const letters = Math.min(latin.length, other.length)
  const isOtherScript = isForeign(text) !== isForeign(term)
  const most = areFree
    ? 0.5
    : isOtherScript
      ? otherScriptMost(letters)
      : spellingMost(letters, isAlone)
  return spellingsOf(other).some((heard) =>
    sounds.some((each) => soundDistance(each, heard, areFree) <= most),
  )
}

/** The sounds of a word: two where it has a `ch`, which is of two kinds. */
function spellingsOf(latin: string): readonly string[] {
  return latin.includes('ch') ? [soundsOf(latin), soundsOf(latin, true)] : [soundsOf(latin)]
}

function otherScriptMost(letters: number): number {
  return letters < 4 ? 0.25 : 1
}

function spellingMost(letters: number, isAlone: boolean): number {
  return letters < (isAlone ? 8 : 6) ? 0.5 : 1
}
