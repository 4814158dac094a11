/** The terms of names that sound like a word: keys propose, the distance of sounds decides. */
import { type HashBuckets, hashText, valuesOf } from '../../memory/hash-buckets.ts'
import { isForeign, isVowelless, latinOf } from '../../text/sound/latin.ts'
import { type LoanScript, loanScriptOf, loanSoundsOf } from '../../text/sound/loan-script.ts'
import { isNearLoan, loanKeysOf, loanReadingsOf } from '../../text/sound/loan-sounds.ts'
import { keysOf, latinKey } from '../../text/sound/sound-keys.ts'
import { soundDistance, soundSpellingsOf } from '../../text/sound/sounds.ts'
import { remembered } from '../bounded-cache.ts'
import type { Postings } from '../postings/postings.ts'

/** Terms that are kept: some hundred bytes each. */
const keptMax = 4_096
/** Letters of the longest word of another script that is read by its sounds. */
const loanLettersMax = 24
/** Terms of one key that are compared, and of all keys of one word: bounds the work of a short one. */
const heardMax = 40
const proposedMax = 120
/** Consonants of the shortest key of a word of another script that stands alone, and letters of one without vowels. */
const aloneKeyMin = 3
const bareMin = 3
/** Letters by which words that sound alike differ in length at most: tschtsch is a ch. */
const lettersApartMax = 6
/** The same for a Latin word alone and a name in another script: blockchain is no Блохин. */
const aloneApartMax = 2
/** The greatest distance of words of one script, short or long; of two scripts; of one that writes few vowels. */
const most = { short: 0.5, long: 1, shortOther: 0.25, other: 1, bare: 0.5 } as const
/** Letters from which a word is long, and one of another script. */
const longFrom = { same: 6, other: 4 } as const
/** Han is read in many ways: of fewer characters too many names sound alike. */
const isHanName = /^\p{Script=Han}{3,}$/u
/** Beginnings that a hush of another kind may be written with. */
const hushing = /^(?:ch|sh|sch|tch|tsch|cz)/

/** How a term sounds like a word: the same letters in another script, nearly so, or in the same script. */
type Hearing = 'script' | 'loan' | 'sound'

export interface KnownSounds {
  readonly heardTerms: (term: number) => Heard
  /** The terms of names by their sounds. */
  readonly sounds: HashBuckets
}

export interface HowHeard {
  readonly isAlone: boolean
  readonly isWritten: boolean
}

export function eachHeard(
  word: Heard,
  how: HowHeard,
  { heardTerms, sounds }: KnownSounds,
  take: (term: number, hearing: Hearing) => void,
): void {
  const loan = loanOf(word)
  for (const term of proposedFor(word, loan, how, sounds)) {
    const hearing = hearingOf(word, loan, heardTerms(term), how.isAlone)
    if (hearing !== undefined) take(term, hearing)
  }
}

/** The terms that have a key of the word: those of its likeliest keys, where they are too many. */
function proposedFor(
  word: Heard,
  loan: Loan | undefined,
  { isAlone, isWritten }: HowHeard,
  table: HashBuckets,
): Iterable<number> {
  if (isWritten) return valuesOf(table, hashText(latinKey(word.latin)), heardMax)
  const own = loan === undefined || loan.script === 'letters' ? keysOf(word) : []
  const loans = loan === undefined ? [] : loanKeysOf(loan.sounds, loan.script)
  const all = new Set([latinKey(word.latin), ...own, ...loans])
  const proposed = new Set<number>()
  for (const key of all) {
    if (isAlone && word.isForeign && key.length < aloneKeyMin) continue
    for (const term of valuesOf(table, hashText(key), heardMax)) proposed.add(term)
    if (proposed.size >= proposedMax) break
  }
  return proposed
}

function hearingOf(
  word: Heard,
  loan: Loan | undefined,
  term: Heard,
  isAlone: boolean,
): Hearing | undefined {
  const isOtherScript = word.isForeign !== term.isForeign
  if (word.latin === term.latin && (isOtherScript || isVariant(word.text, term.text))) {
    const isBare = word.isVowelless || term.isVowelless
    return isBare && word.latin.length < bareMin ? undefined : 'script'
  }
  // A slip inside another script is one of its letters: heard in Latin ones, strangers sound alike.
  if ((word.isForeign && term.isForeign) || word.text === term.text) return undefined
  if (!isNear(word, loan, term, isAlone)) return undefined
  return isOtherScript ? 'loan' : 'sound'
}

/** Whether two whole names may be one in simplified and in other characters: 宫崎骏, 宮崎駿. */
function isVariant(text: string, other: string): boolean {
  return (
    text !== other && text.length === other.length && isHanName.test(text) && isHanName.test(other)
  )
}

function isNear(word: Heard, loan: Loan | undefined, term: Heard, isAlone: boolean): boolean {
  const { latin } = word
  const other = term.latin
  // A letter more costs something, but where vowels are free.
  const apartMax = isAlone && !word.isForeign && term.isForeign ? aloneApartMax : lettersApartMax
  if (Math.abs(latin.length - other.length) > apartMax) return false
  if (hushing.test(latin) && beginApart(word, term)) return false
  if (loan !== undefined && !term.isForeign) {
    if (isNearLoan(loan.sounds, term.loanReadings, loan.script, isAlone)) return true
    if (loan.script !== 'letters') return false
  }
  const areFree = word.isVowelless || term.isVowelless
  const letters = Math.min(latin.length, other.length)
  const distance = areFree ? most.bare : mostOf(letters, word.isForeign !== term.isForeign)
  return term.spellings.some((heard) =>
    word.spellings.some((each) => soundDistance(each, heard, areFree, distance) <= distance),
  )
}

function mostOf(letters: number, isOtherScript: boolean): number {
  if (isOtherScript) return letters < longFrom.other ? most.shortOther : most.other
  return letters < longFrom.same ? most.short : most.long
}

/** Чайковский is no Schakowsky. */
function beginningOf({ text, latin }: Heard): 'chip' | 'ship' | undefined {
  if (/^(?:ts?ch|cz)/.test(latin) || (isForeign(text) && latin.startsWith('ch'))) return 'chip'
  if (/^sch/.test(latin) || (isForeign(text) && latin.startsWith('sh'))) return 'ship'
  return undefined
}

function beginApart(one: Heard, other: Heard) {
  const [a, b] = [beginningOf(one), beginningOf(other)]
  if (a !== undefined && b !== undefined) return a !== b
  return (
    [one, other].some(({ latin }) => latin.startsWith('sch')) &&
    (/^ch/.test(one.latin) || /^ch/.test(other.latin))
  )
}

/** The sounds of a word whose script may write a foreign name by them. */
interface Loan {
  readonly script: LoanScript
  readonly sounds: string
}

export class Heard {
  readonly text: string
  readonly latin: string
  readonly isForeign: boolean
  readonly isVowelless: boolean
  #spellings: readonly string[] | undefined
  #loanReadings: readonly string[] | undefined

  /** @param latin the same in Latin letters, where it is read in a way of its own. */
  constructor(text: string, latin = latinOf(text)) {
    this.text = text
    this.latin = latin
    this.isForeign = isForeign(text)
    this.isVowelless = this.isForeign && isVowelless(text)
  }

  get spellings(): readonly string[] {
    this.#spellings ??= soundSpellingsOf(this.latin)
    return this.#spellings
  }

  get loanReadings(): readonly string[] {
    this.#loanReadings ??= loanReadingsOf(this.latin)
    return this.#loanReadings
  }
}

function loanOf({ text, isForeign: mayWrite }: Heard): Loan | undefined {
  const script = mayWrite && text.length <= loanLettersMax ? loanScriptOf(text) : undefined
  return script && { script, sounds: loanSoundsOf(text, script) }
}

/** The terms of names by their numbers: the names of a sound are the same for all texts. */
export function heardTermsOf(postings: Postings): (term: number) => Heard {
  return remembered(keptMax, (term) => new Heard(postings.textOf(term)))
}
