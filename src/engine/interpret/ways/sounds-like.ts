/**
 * Names that sound like a text, also in another script: a guess, made only where nothing else found
 * anybody and at most three people are called so.
 *
 * Invariant: every word of the text is a word of the name, or sounds like one; of two words in one script
 * one is written as it is.
 */

import { isForeign } from '../../../text/sound/latin.ts'
import { isNearLoan } from '../../../text/sound/loan-sounds.ts'
import { soundDistance, soundSame } from '../../../text/sound/sounds.ts'
import { otherForms } from '../../../text/speech/nicknames.ts'
import { isCommonWord } from '../../../text/speech/plain-english.ts'
import { type DocSet, unionOf } from '../../postings/doc-set.ts'
import type { Postings } from '../../postings/postings.ts'
import { firstOf } from '../../postings/smallest-k.ts'
import type { HashBuckets } from '../../terms/hash-buckets.ts'
import { HeardTerm } from '../../terms/heard-terms.ts'
import { hasLatinKey, keysOf, latinKey, termsOfKey } from '../../terms/name-sounds.ts'
import { givenCharacters, type Heard, isHanName, readingsOf } from './further/heard.ts'
import { foundPeople, type Tools, textsWithout, type WayOfSearch } from './way.ts'

/** People of one sound at most: of more nobody can be meant. */
const peopleMax = 3
/** Words of the longest name that is compared. */
const wordsMax = 4
/** Terms of one key that are compared: bounds the work of a short one. */
const comparedMax = 40
/** Terms of all keys of one word that are compared. */
const proposedMax = 120
/** Letters by which words that sound alike differ in length at most: tschtsch is a ch. */
const lettersApartMax = 6
/** The same for a Latin word alone and a name in another script: blockchain is no Блохин. */
const aloneApartMax = 2
/** A word alone must say more than one among others. */
const aloneLettersMin = 5
const amongOthersLettersMin = 3
const aloneKeyMin = 3

const none: readonly never[] = []

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

/** Whether the last word of somebody's name sounds like the last one that was heard. */
function isLast({ nameWords }: Tools, ordinal: number, heard: readonly Heard[]): boolean {
  const last = nameWords(ordinal).at(-1)
  return last !== undefined && isNear(heard.at(-1)!, new HeardTerm(last), heard.length === 1)
}

/** Those whose names hold a term for every word; one more than may be found where they are too many. */
function peopleOf(
  { postings, words, sounds, heardTerms, nameWords }: Tools,
  heard: readonly Heard[],
): readonly number[] {
  const isAlone = heard.length === 1
  const table = sounds()
  // Words that are all written so are nobody's together: the ways before this one asked for them.
  const isWritten = ({ text }: Heard) => isNameTerm(postings.numberOf(text), postings)
  if (heard.every(isWritten)) return []
  let guesses: readonly Heard[] = none
  let unlisted: readonly Heard[] = none
  const heldBy = (terms: readonly number[]) =>
    unionOf(terms.map((term) => postings.list('name', term)))
  let holders: readonly DocSet[] = none
  for (const word of heard) {
    const sure = sureFor(word, isAlone, { postings, heardTerms, table })
    if (sure.length > 0) holders = [...holders, heldBy(sure)]
    else if (mayBeGuessed(word, isAlone)) guesses = [...guesses, word]
    else if (isShortLoan(word)) unlisted = [...unlisted, word]
    else return none
  }
  let unsure = 0
  for (const { word, proposed } of fewestFirst(guesses, isAlone, table)) {
    const isShort = isShortLoan(word)
    // A term without a holder beside the other words is not compared: its sounds decide nothing.
    const isFiltered = !isShort && (guesses.length === 1 || isForeign(word.text))
    const among = isFiltered ? holders : none
    const { terms, isSure } = guessedTerms(word, proposed, {
      postings,
      words,
      heardTerms,
      isAlone,
      among,
    })
    if (terms.length === 0) {
      if (!isShort) return none
      unlisted = [...unlisted, word]
      continue
    }
    // Two words that only sound like something are two guesses.
    if (!isSure) unsure += 1
    if (unsure > 1) return none
    holders = [...holders, heldBy(terms)]
  }
  // Characters one by one say too little to be guessed by.
  const isCut = heard.length > givenCharacters && heard.every(({ text }) => text.length === 1)
  if ((isCut && unsure > 0) || holders.length === 0) return []
  const most = unlisted.length === 0 ? peopleMax + 1 : comparedMax
  return firstOf(holders, most).filter((each) =>
    unlisted.every((word) =>
      nameWords(each).some((name) => isNear(word, new HeardTerm(name), false)),
    ),
  )
}

/** Whether a word of another script has too few consonants to be looked up: エイミー. */
function isShortLoan(word: Heard): boolean {
  if (word.loan === undefined) return false
  return [...word.text].length > 1 && word.loanKeys.some((key) => key.length < 2)
}

/** The terms of names, and those of each sound. */
interface KnownSounds extends Pick<Tools, 'postings' | 'heardTerms'> {
  readonly table: HashBuckets
}

/** The terms that a word is without a guess. */
function sureFor(word: Heard, isAlone: boolean, terms: KnownSounds): readonly number[] {
  // A short Latin word alone is written like too many words of other scripts.
  if (isAlone && !isForeign(word.text) && word.latin.length < aloneLettersMin) return none
  const sure = sureTerms(word, terms)
  if (sure.length === 0 || isAlone) return sure
  return [...sure, ...formTerms(word, terms.postings)]
}

/** Whether a word says enough to be guessed by its sounds. */
function mayBeGuessed({ text, latin }: Heard, isAlone: boolean): boolean {
  return latin.length >= (isAlone ? aloneLettersMin : amongOthersLettersMin) && !isCommonWord(text)
}

/** Words that are guessed, each with the terms that it may be: those of the fewest first, which tell most apart. */
function fewestFirst(words: readonly Heard[], isAlone: boolean, table: HashBuckets) {
  const guesses = words.map((word) => ({ word, proposed: proposedFor(word, isAlone, table) }))
  return guesses.length < 2
    ? guesses
    : guesses.sort((a, b) => a.proposed.length - b.proposed.length)
}

/** The word that terms are compared with. */
interface Compared extends Pick<Tools, 'postings' | 'words' | 'heardTerms'> {
  readonly isAlone: boolean
  /** Of these somebody must have the term. */
  readonly among: readonly DocSet[]
}

/** The terms of some that sound like a word. */
function guessedTerms(
  word: Heard,
  proposed: readonly number[],
  { postings, words, heardTerms, isAlone, among }: Compared,
): Meant {
  const isHeld = (term: number) => among.length === 0 || words.isNamedAmong(term, among)
  const near = proposed.filter((term) => isHeld(term) && isNear(word, heardTerms.of(term), isAlone))
  const isSure = (term: number) =>
    isForeign(word.text) === postings.isAscii(term) || isSame(word.latin, heardTerms.of(term).text)
  const forms = isAlone ? none : formTerms(word, postings)
  const terms = forms.length === 0 ? near : [...new Set([...near, ...forms])]
  return { terms, isSure: forms.length > 0 || near.some(isSure) }
}

/** The other forms of a given name: Aleksandr, of Alexander. */
function formTerms({ text }: Heard, postings: Postings): readonly number[] {
  const forms = otherForms(text)
  if (forms.size === 0) return none
  return [...forms]
    .map((form) => postings.numberOf(form))
    .filter((term) => isNameTerm(term, postings))
}

/** The terms that have a key of the word: those of its likeliest keys, where they are too many. */
function proposedFor(word: Heard, isAlone: boolean, table: HashBuckets): readonly number[] {
  const own = word.loan === undefined || word.loan.script === 'letters' ? keysOf(word) : none
  const keys = word.loanKeys.length === 0 ? own : new Set([...own, ...word.loanKeys])
  const proposed: number[] = []
  for (const key of keys) {
    if (isAlone && key.length < aloneKeyMin) continue
    for (const term of termsOfKey(table, key, comparedMax)) {
      if (!proposed.includes(term)) proposed.push(term)
    }
    if (proposed.length >= proposedMax) break
  }
  return proposed
}

/** Whether two whole names may be one in simplified and in other characters: 宫崎骏, 宮崎駿. */
function isVariant(text: string, other: string): boolean {
  return [text, other].every((each) => isHanName.test(each)) && text.length === other.length
}

function isNameTerm(term: number, postings: Postings): boolean {
  return term >= 0 && postings.size('name', term) > 0
}

/** The word as it is written, or the same letters in another script. */
function sureTerms(
  { text, latin }: Heard,
  { postings, heardTerms, table }: KnownSounds,
): readonly number[] {
  const own = postings.numberOf(text)
  if (!isForeign(text) && isNameTerm(own, postings)) return [own]
  // Nearly all words of other letters have no term of the same ones.
  if (!isForeign(text) && !hasLatinKey(table, latin)) return none
  const written = [own, isForeign(text) ? postings.numberOf(latin) : -1]
  const terms = written.filter((term) => isNameTerm(term, postings))
  if (terms.length > 0 || latin.length < 2) return terms
  return termsOfKey(table, latinKey(latin), comparedMax).filter((term) => {
    const other = heardTerms.of(term)
    const isBare = other.isVowelless && latin.length < amongOthersLettersMin
    const isOtherWay = isForeign(text) !== other.isForeign || isVariant(text, other.text)
    return isOtherWay && other.latin === latin && !isBare
  })
}

/** Whether two words are long enough to tell a person, and two spellings of the same sounds. */
function isSame(latin: string, other: string): boolean {
  return Math.min(latin.length, other.length) >= aloneLettersMin && soundSame(latin, other)
}

/**
 * The first sound of a word, if its letters show it: that of chip or that of ship. Чайковский is no
 * Schakowsky.
 */
function beginningOf({ text, latin }: Pick<Heard, 'text' | 'latin'>): 'chip' | 'ship' | undefined {
  if (/^(?:ts?ch|cz)/.test(latin) || (isForeign(text) && latin.startsWith('ch'))) return 'chip'
  if (/^sch/.test(latin) || (isForeign(text) && latin.startsWith('sh'))) return 'ship'
  return undefined
}

/** Whether two words begin with sounds that no spelling confuses. */
function beginApart(one: Pick<Heard, 'text' | 'latin'>, other: Pick<Heard, 'text' | 'latin'>) {
  const [a, b] = [beginningOf(one), beginningOf(other)]
  if (a !== undefined && b !== undefined) return a !== b
  return (
    [one, other].some(({ latin }) => latin.startsWith('sch')) &&
    (/^ch/.test(one.latin) || /^ch/.test(other.latin))
  )
}

/** Beginnings that a hush of another kind may be written with. Made once: a pattern in a function is another object each time. */
const hushing = /^(?:ch|sh|sch|tch|tsch|cz)/

/** Whether a term sounds nearly the same: the longer the word, the more may differ. */
function isNear(word: Heard, term: HeardTerm, isAlone: boolean): boolean {
  const { text, latin } = word
  const isForeignWord = isForeign(text)
  // A slip inside another script is the corrector's to mend: heard in Latin letters, strangers sound alike.
  if (isForeignWord && term.isForeign) return false
  const other = term.latin
  // A letter more costs something, but where vowels are free.
  const apartMax = isAlone && !isForeignWord && term.isForeign ? aloneApartMax : lettersApartMax
  if (Math.abs(latin.length - other.length) > apartMax) return false
  if (hushing.test(latin) && beginApart(word, term)) return false
  const { loan } = word
  if (loan !== undefined && !term.isForeign) {
    if (isNearLoan(loan.sounds, other, loan.script, isAlone)) return true
    if (loan.script !== 'letters') return false
  }
  const areFree = word.isVowelless || term.isVowelless
  const letters = Math.min(latin.length, other.length)
  const isOtherScript = isForeignWord !== term.isForeign
  const most = areFree
    ? 0.5
    : isOtherScript
      ? otherScriptMost(letters)
      : spellingMost(letters, isAlone)
  return term.spellings.some((heard) =>
    word.spellings.some((each) => soundDistance(each, heard, areFree, most) <= most),
  )
}

function otherScriptMost(letters: number): number {
  return letters < 4 ? 0.25 : 1
}

function spellingMost(letters: number, isAlone: boolean): number {
  return letters < (isAlone ? 8 : 6) ? 0.5 : 1
}
