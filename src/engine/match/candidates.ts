/** The terms that the words of a text may be, each with its cost: sure ones and guesses. */

import { isUnspaced } from '../../text/analyzer.ts'
import { otherForms, secondForms } from '../../text/speech/nicknames.ts'
import { firstOf } from '../postings/best.ts'
import type { DocSet } from '../postings/doc-set.ts'
import type { Postings } from '../postings/postings.ts'
import type { FuzzyTermIndex } from '../terms/fuzzy-term-index.ts'
import { costs } from './costs.ts'
import { eachHeard, Heard, type HowHeard, type KnownSounds } from './heard.ts'
import { joinedOf, type Token } from './tokens.ts'

export type Kind = 'exact' | 'script' | 'nickname' | 'plural' | 'begins' | 'slip' | 'sound' | 'loan'

/** A term that the tokens from one to before another may be. */
export interface Candidate {
  readonly from: number
  readonly to: number
  readonly text: string
  /** Those whose names hold it, ascending: from `start` to before `end`. */
  readonly people: Uint32Array
  readonly start: number
  readonly end: number
  readonly cost: number
  readonly kind: Kind
  /** Whether it is several words of a name in one. */
  readonly isCut: boolean
}

const none: readonly Token[] = []
const runMax = 5
/** Letters of the shortest word that may be a beginning, have a slip, or two, or only sound like a name. */
const letters = { begins: 3, slip: 2, usualSlip: 5, twoSlips: 8, sound: 3, plural: 5 } as const
/** Terms with one beginning that are looked at. */
const begunMax = 64
/** Letters of a word that is several of a name, those words at most, and people who have them all. */
const cut = { lettersMin: 4, lettersMax: 30, wordsMax: 4, peopleMax: 64 } as const
const cutsMax = 64
/** Vowels as they are written where there is no umlaut: Mueller. */
const umlaut = /[aou]e/
const umlauts = /([aou])e/g
const asciiWord = /^[a-z]+$/

export interface GuessSources extends KnownSounds {
  readonly postings: Postings
  readonly dictionary: FuzzyTermIndex
}

export class Candidates {
  readonly all: Candidate[] = []
  /** Whether each token is a term as it is written. */
  readonly isKnown: boolean[] = []
  readonly #sources: GuessSources
  readonly #postings: Postings
  readonly #tokens: readonly Token[]
  readonly #places = new Map<number, number>()
  /** Sums of sizes that were asked for, by token and cost. */
  readonly #sums = new Map<number, number>()
  #isChanged = false

  constructor(sources: GuessSources, tokens: readonly Token[]) {
    this.#sources = sources
    this.#postings = sources.postings
    this.#tokens = tokens
    for (let at = 0; at < tokens.length; at += 1) this.#addSure(at)
  }

  /** Entries of the terms that a run of tokens may be, at a cost or less. */
  sizeOf(from: number, to: number, cost: number): number {
    const key = (from * tokenSteps + to) * costSteps + Math.round(cost * 100)
    let sum = this.#sums.get(key)
    if (sum !== undefined) return sum
    sum = 0
    for (const each of this.all) {
      if (each.from === from && each.to === to && each.cost <= cost + tolerance)
        sum += each.end - each.start
    }
    this.#sums.set(key, sum)
    return sum
  }

  /** Adds a term, unless the tokens are it at a lower cost; returns whether it is one of names. */
  #add(text: string, from: number, to: number, cost: number, kind: Kind): boolean {
    const term = this.#postings.numberOf(text)
    if (term < 0 || this.#postings.size('name', term) === 0) return false
    this.#addTerm(term, from, to, cost, kind)
    return true
  }

  #addTerm(term: number, from: number, to: number, cost: number, kind: Kind): void {
    const key = (term * tokenSteps + from) * tokenSteps + to
    const at = this.#places.get(key)
    if (at !== undefined && this.all[at]!.cost <= cost) return
    this.#isChanged = true
    // A slip that sounds the same is a slip.
    const isSlip = kind === 'sound' && at !== undefined && this.all[at]!.kind === 'slip'
    const { starts, ordinals } = this.#postings.listsOf('name')
    const candidate: Candidate = {
      from,
      to,
      text: this.#postings.textOf(term),
      people: ordinals,
      start: starts[term]!,
      end: starts[term + 1]!,
      cost,
      kind: isSlip ? 'slip' : kind,
      isCut: false,
    }
    if (at === undefined) this.#places.set(key, this.all.push(candidate) - 1)
    else this.all[at] = candidate
  }

  /** Adds a word that is several of one name: `delacruz`, `annlee`. */
  #addCuts(text: string, from: number): void {
    const postings = this.#postings
    const lists: DocSet[] = []
    let cuts = 0
    const cutFrom = (start: number) => {
      for (let end = start + 1; end <= text.length && cuts < cutsMax; end += 1) {
        const isLast = end === text.length
        if (isLast ? lists.length === 0 : lists.length + 1 === cut.wordsMax) continue
        // One letter beside one word is no name: `crowe`.
        if (isLast && lists.length === 1 && Math.min(start, end - start) === 1) continue
        // Nearly all parts are no term.
        if (!postings.mayBePart(text, start, end)) continue
        const term = postings.numberOf(text.slice(start, end))
        if (term < 0 || postings.size('name', term) === 0) continue
        lists.push(postings.list('name', term))
        if (!isLast) cutFrom(end)
        else {
          cuts += 1
          const people = Uint32Array.from(firstOf(lists, cut.peopleMax))
          const list = { text, people, start: 0, end: people.length }
          if (people.length > 0)
            this.all.push({ from, to: from + 1, ...list, cost: 0, kind: 'exact', isCut: true })
        }
        lists.pop()
      }
    }
    cutFrom(0)
  }

  #addSure(at: number): void {
    const tokens = this.#tokens
    const { spellings, isLatin, text, isOwner, isCommon } = tokens[at]!
    let isKnown = false
    for (let spelling = 0; spelling < spellings.length; spelling += 1) {
      const cost = spelling > 0 && !isLatin ? costs.script : 0
      const kind = cost > 0 ? 'script' : 'exact'
      if (this.#add(spellings[spelling]!, at, at + 1, cost, kind)) isKnown = true
    }
    this.isKnown.push(isKnown)
    this.#addRuns(at)
    if (!isLatin) return
    const isCut = text.length >= cut.lettersMin && text.length <= cut.lettersMax
    if (!isCommon && isCut) this.#addCuts(text, at)
    if (umlaut.test(text)) {
      this.#add(text.replace(umlauts, '$1'), at, at + 1, costs.respelled, 'exact')
    }
    for (const form of otherForms(text)) this.#add(form, at, at + 1, costs.nickname, 'nickname')
    for (const form of secondForms(text))
      this.#add(form, at, at + 1, costs.secondNickname, 'nickname')
    if (!isKnown && !isOwner && !isCommon && text.length >= letters.plural && text.endsWith('s')) {
      this.#add(text.slice(0, -1), at, at + 1, costs.plural, 'plural')
    }
  }

  #addRuns(at: number): void {
    const tokens = this.#tokens
    let isGlued = true
    for (let to = at + 2; to <= Math.min(tokens.length, at + runMax); to += 1) {
      isGlued &&= tokens[to - 1]!.isGlued
      const run = tokens.slice(at, to).map(({ spellings }) => spellings)
      const written = joinedOf(run, 0)
      const cost = isGlued ? 0 : costs.joined
      this.#add(written, at, to, cost, 'exact')
      const other = joinedOf(run, 1)
      if (other !== written) this.#add(other, at, to, cost, 'exact')
    }
  }

  /** Returns whether there are any. @param guessed a bit for each token. */
  addGuesses(guessed: number): boolean {
    const tokens = this.#tokens
    this.#isChanged = false
    this.#sums.clear()
    const said = guessableIn(tokens)
    const isAlone = (said & (said - 1)) === 0
    for (let at = 0; at < tokens.length; at += 1) {
      const token = tokens[at]!
      const next = tokens[at + 1]
      const isEither = ((guessed >> at) & 3) !== 0
      // A name that is written without a space: 김 민쥰.
      if (isEither && next !== undefined && isUnspaced(token) && isUnspaced(next)) {
        this.#addSlips(token.text + next.text, at, at + 2)
        this.#addSlips(next.text + token.text, at, at + 2)
      }
      if (((guessed >> at) & 1) === 0) continue
      for (let spelling = 0; spelling < token.spellings.length; spelling += 1) {
        const text = token.spellings[spelling]!
        this.#addBegun(text, at)
        const mayHaveSlip = (token.isLatin || spelling === 0) && !token.isHan
        if (mayHaveSlip) this.#addSlips(text, at, at + 1)
      }
      this.#addHeard(at, isAlone)
      // Syllables of one given name, Tse-tung; or of a name that is one word in its own script: Kim Minjun.
      if (next !== undefined && token.isLatin && next.isLatin) {
        const both = new Heard(token.text + next.text)
        this.#hear(both, at, at + 2, { isAlone: false, isWritten: !next.isGlued })
      }
    }
    return this.#isChanged
  }

  /** Adds the terms that sound like tokens of another script, as one that is cut is read. */
  addSounds(): void {
    const { length } = this.#tokens
    for (let at = 0; at < length; at += 1) this.#addHeard(at, length === 1)
  }

  #addBegun(text: string, at: number): void {
    if (text.length < letters.begins) return
    const postings = this.#postings
    const range = postings.startingWith(text)
    const own = range.start < range.end ? postings.numberOf(text) : -1
    for (const term of postings.commonest('name', range, begunMax)) {
      if (term !== own) this.#addTerm(term, at, at + 1, costs.begins, 'begins')
    }
  }

  #addSlips(text: string, from: number, to: number): void {
    if (text.length < letters.slip) return
    const postings = this.#postings
    const hasSlip = () => this.all.some((each) => each.from === from && each.kind === 'slip')
    // Don is no Ron.
    const isGivenName = otherForms(text).size > 0
    // One of two tokens leaves the other out, which is no slip: most have hundreds of people.
    const run = to > from + 1 ? this.#tokens.slice(from, to) : none
    const isOne = (term: number) => run.some((each) => each.text === postings.textOf(term))
    for (const edits of [1, 2] as const) {
      if (edits === 2 && (text.length < letters.twoSlips || hasSlip())) continue
      for (const term of this.#sources.dictionary.near(text, edits)) {
        if (postings.size('name', term) === 0 || isOne(term)) continue
        const isShort = text.length < letters.usualSlip || bytesOf(term, postings) < letters.slip
        const slip = edits === 2 ? costs.twoSlips : isShort ? costs.shortSlip : costs.slip
        const isFirst = postings.firstLetterOf(term) !== text.codePointAt(0)
        if (isFirst && isGivenName) continue
        this.#addTerm(term, from, to, slip + (isFirst ? costs.firstLetter : 0), 'slip')
      }
    }
  }

  /** A word in Latin letters is heard as each of its spellings, another one as it is written. */
  #addHeard(at: number, isAlone: boolean): void {
    const { text, spellings, isLatin } = this.#tokens[at]!
    for (const spelling of isLatin ? spellings : [text]) {
      if (isLatin && spelling.length < letters.sound) continue
      const word = new Heard(spelling, isLatin ? spelling : spellings.at(-1))
      this.#hear(word, at, at + 1, { isAlone, isWritten: false })
    }
  }

  #hear(word: Heard, from: number, to: number, how: HowHeard): void {
    if (!asciiWord.test(word.latin)) return
    eachHeard(word, how, this.#sources, (term, hearing) => {
      this.#addTerm(term, from, to, costs[hearing], hearing)
    })
  }
}

const tolerance = 0.001
/** More than hundredths of any cost, and than tokens. */
const costSteps = 1_000
const tokenSteps = 32

/** A bit for each token that may be guessed: one that says something. */
export function guessableIn(tokens: readonly Token[]): number {
  let bits = 0
  for (let at = 0; at < tokens.length; at += 1) {
    if (tokens[at]!.aside === undefined && !tokens[at]!.isNumber) bits |= 1 << at
  }
  return bits
}

/** The length of a term: that of its text where it is ASCII. */
export function bytesOf(term: number, { terms: { starts } }: Postings): number {
  return starts[term + 1]! - starts[term]!
}
