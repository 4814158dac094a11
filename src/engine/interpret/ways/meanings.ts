/**
 * What the words of a text may mean beside names: topics, places, attributes, their codes, offices, other words for
 * topics, and words that people hold. The matcher reads them beside a name. In a reading without one every word means
 * something, is held by people, or only asks; a word that is none of these means nobody.
 */

import { isNumber, ordinalOf } from '../../../text/numerals.ts'
import { officeInChamber, standsForPlace, stateOffices } from '../../../text/speech/offices.ts'
import { isCommonWord } from '../../../text/speech/plain-english.ts'
import { costs } from '../../match/costs.ts'
import { Effort } from '../../match/cover.ts'
import type { Context, MatchedText, Office, TextFacts } from '../../match/text.ts'
import type { Token } from '../../match/tokens.ts'
import { unionOf } from '../../postings/doc-set.ts'
import type { QueryPart, QueryWord } from '../../terms/query-word.ts'
import { isUnderstood, type Meaning, meaningless } from '../phrases.ts'
import type { Tools } from '../tools.ts'

/** Words of the longest phrase, and of the longest other word for a topic. */
const phraseMax = 8
const relatedMax = 5
/** Letters of the shortest word of texts about people that counts. */
const wordMin = 3
/** Tokens that say something in the longest text of which a word in small letters may be a code. */
const codedMax = 3
const none: readonly never[] = []

/** See the file's comment. Each is looked up when it is first asked for. */
export class Meanings implements TextFacts {
  readonly #tools: Tools
  readonly #tokens: readonly Token[]
  readonly contextsAt = onceEach((at) => [
    ...this.#phrasesAt(at),
    ...this.#codeAt(at),
    ...this.#wordAt(at),
  ])
  readonly officeAt = onceEach((at) => this.#officeOf(at))
  readonly wordAt = onceEach((at) => this.#tools.words.read(this.#tokens[at]!.text)[0]!)
  /** What tokens may mean that begin with one, in a text that names nobody: what is meant by a phrase nothing else. */
  readonly apartAt = onceEach((at) => this.#findApart(at))

  constructor(tools: Tools, tokens: readonly Token[]) {
    this.#tools = tools
    this.#tokens = tokens
  }

  #findApart(at: number): readonly Context[] {
    const meant = [...this.contextsAt(at), ...this.#holdersAt(at)]
    const ends = new Set(meant.filter(({ kind }) => kind === 'phrase').map(({ to }) => to))
    return [...meant, ...this.#relatedAt(at), ...this.#numberAt(at)].filter(
      ({ kind, to }) => kind === 'phrase' || kind === 'code' || !ends.has(to),
    )
  }

  #officeOf(at: number): Office | undefined {
    const { office } = this.#tokens[at]!
    if (office === undefined) return undefined
    const { words } = this.#tools
    const holders = words.wordOf(office).held
    if (stateOffices.includes(office)) return { holders, others: undefined }
    return { holders, others: unionOf(stateOffices.map((each) => words.wordOf(each).held)) }
  }

  #meant(part: QueryPart, to: number, cost: number, kind: Context['kind']): Context {
    const people = this.#tools.phrases.holdersOf({ ...part, isOfMeaning: true })
    return { to, cost, people, part, kind }
  }

  #phrasesAt(at: number): readonly Context[] {
    const { phrases } = this.#tools
    return this.#runsAt(at, phraseMax, (run) => phrases.meaningOf(run), costs.topic, 'phrase')
  }

  #runsAt(
    at: number,
    wordsMax: number,
    meaningOf: (run: readonly QueryWord[]) => Meaning,
    cost: number,
    kind: Context['kind'],
  ): readonly Context[] {
    const found: Context[] = []
    const run: QueryWord[] = []
    for (let to = at + 1; to <= Math.min(this.#tokens.length, at + wordsMax); to += 1) {
      run.push(this.wordAt(to - 1))
      const meaning = meaningOf(run)
      if (isUnderstood(meaning))
        found.push(this.#meant({ words: [...run], ...meaning }, to, cost, kind))
    }
    return found
  }

  #codeAt(at: number): readonly Context[] {
    const { raw } = this.#tokens[at]!
    const isTyped = raw === raw.toUpperCase()
    // A number makes a code of a word that says nothing: IN 5, or-03.
    const next = this.#tokens[at + 1]
    const isNumbered = next?.isNumber === true && (isTyped || next.isGlued)
    if (!isTyped && this.#tokens.filter(says).length > codedMax) return none
    const { phrases } = this.#tools
    const word = this.wordAt(at)
    const { aside, text, isCapitals } = this.#tokens[at]!
    // In small letters a word is none of an attribute: in, hi, ok.
    const isWord = word.isStop || aside !== undefined || isCommonWord(text)
    // IN and OR are codes where they end a text.
    const isWritten = isCapitals && (!word.isStop || next === undefined)
    const isCode = isWritten || isNumbered || !isWord
    const attribute = isCode ? phrases.asCode(word, 'attribute') : undefined
    const cost = isTyped ? costs.topic : costs.code
    return [word.isStop ? undefined : phrases.asCode(word, 'place'), attribute]
      .filter((code) => code !== undefined)
      .map((code) => this.#meant(code, at + 1, cost, 'code'))
  }

  #wordAt(at: number): readonly Context[] {
    const word = this.wordAt(at)
    if (this.#tokens[at]!.text.length < wordMin || word.isStop) return none
    const people = word.held
    // Of a word of names it says nothing that somebody holds it.
    if (people.size <= 2 * word.named.size) return none
    return [{ to: at + 1, cost: costs.word, people, part: word.alone, kind: 'word' }]
  }

  /** A chamber, or the short title of an office of a state, as those who hold the office: senate, rep. */
  #holdersAt(at: number): readonly Context[] {
    const { text, office: titled } = this.#tokens[at]!
    const office = officeInChamber(text) ?? titled
    if (office === undefined || office === text || !stateOffices.includes(office)) return none
    const { phrases, words } = this.#tools
    const meaning = phrases.meaningOf([words.wordOf(office)])
    if (meaning.attribute < 0) return none
    return [this.#meant({ words: [this.wordAt(at)], ...meaning }, at + 1, costs.topic, 'phrase')]
  }

  /** Other words for a topic; they neither begin nor end with a word that says nothing. */
  #relatedAt(at: number): readonly Context[] {
    if (this.wordAt(at).isStop) return none
    const { phrases } = this.#tools
    const meaningOf = (run: readonly QueryWord[]) => {
      if (run.at(-1)!.isStop) return meaningless
      return { ...meaningless, topic: phrases.relatedTo(run.filter(({ isStop }) => !isStop)) }
    }
    return this.#runsAt(at, relatedMax, meaningOf, costs.related, 'related')
  }

  /** A number as biographies write it: 4th district, fourth district. */
  #numberAt(at: number): readonly Context[] {
    const { text, isNumber } = this.#tokens[at]!
    const number = isNumber ? text.replace(/^0+(?=\d)/, '') : ordinalOf(text)
    if (number === undefined) return none
    const part = this.#tools.words.read(number)[0]!.alone
    const people = this.#tools.phrases.holdersOf(part)
    return people.size === 0 ? none : [{ to: at + 1, cost: costs.word, people, part, kind: 'word' }]
  }
}

function says({ aside }: Token): boolean {
  return aside === undefined
}

/** A function of the places of tokens that keeps what it made for each. */
function onceEach<T>(make: (at: number) => T): (at: number) => T {
  const made: T[] = []
  return (at) => {
    made[at] ??= make(at)
    return made[at]
  }
}

/** Steps of one text, and readings that are tried. */
const stepsMax = 512
const readingsMax = 8

export interface Reading {
  readonly cost: number
  readonly contexts: readonly Context[]
  readonly leftOut: readonly number[]
}

/** The readings that mean somebody, the cheapest first. */
export function readingsOf(text: MatchedText<Meanings>): readonly Reading[] {
  const { tokens, facts } = text
  const found: Reading[] = []
  const effort = new Effort(stepsMax)
  const go = (at: number, reading: Reading): void => {
    if (!effort.spend(1)) return
    if (at === tokens.length) {
      if (isMeant(text, reading)) found.push(reading)
      return
    }
    const { contexts, leftOut } = reading
    for (const context of facts.apartAt(at)) {
      const cost = reading.cost + context.cost + costs.context
      go(context.to, { cost, contexts: [...contexts, context], leftOut })
    }
    const cost = costWithout(text, at, contexts.length > 0)
    if (cost !== undefined)
      go(at + 1, { cost: reading.cost + cost, contexts, leftOut: [...leftOut, at] })
  }
  go(0, { cost: 0, contexts: [], leftOut: [] })
  return found.sort((a, b) => a.cost - b.cost).slice(0, readingsMax)
}

/** The cost of leaving a token out; undefined where it says something. A number behind something is of it. */
function costWithout({ tokens, facts }: MatchedText<Meanings>, at: number, isBehind: boolean) {
  const { aside, text, isNumber, isCapitals } = tokens[at]!
  if (isNumber && isBehind) return undefined
  const asksOnly = facts.wordAt(at).isStop || standsForPlace(text)
  const kind = asksOnly ? 'asks' : aside
  if (kind === undefined || kind === 'title') return undefined
  // A code as it is written, or behind all: senators IN, physics de.
  const mayBeCode = isCapitals || (at > 0 && at === tokens.length - 1)
  const isCode = mayBeCode && facts.contextsAt(at).some((each) => each.kind === 'code')
  return isCode ? costs.common : costs.aside[kind]
}

export function asksForPlace({ tokens }: MatchedText, { leftOut }: Reading): boolean {
  return leftOut.some((at) => standsForPlace(tokens[at]!.text))
}

function isMeant(text: MatchedText, reading: Reading): boolean {
  const { contexts, leftOut } = reading
  const isOf = (kind: Context['kind']) => contexts.some((each) => each.kind === kind)
  const isOfTopic = contexts.some(({ part }) => part.topic >= 0)
  const isOfAttribute = contexts.some(({ part }) => part.attribute >= 0)
  if (asksForPlace(text, reading) && !isOfAttribute) return false
  // A craft, and what is asked of a person, are of a topic.
  const asides = leftOut.map((at) => text.tokens[at]!.aside)
  if (!isOfTopic && (asides.includes('practises') || asides.includes('about'))) return false
  if (isOf('related')) return !isOf('word')
  const [only, another] = contexts
  if (only === undefined) return false
  const [word] = only.part.words
  if (another === undefined)
    return only.kind !== 'word' || !(isCommonWord(word!.text) || isNumber(word!.text))
  // A code beside nothing that is meant is one of a district: VA-3.
  const isOfNumber = contexts.some(({ to }) => text.tokens[to - 1]!.isNumber)
  return !isOf('code') || isOf('phrase') || (isOfAttribute && isOfNumber)
}
