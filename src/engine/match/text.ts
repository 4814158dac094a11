/** A text that is ready to be matched: its tokens, what the snapshot knows of them beside names, and what it asks. */
import { isJoining, isWork } from '../../text/speech/name-parts.ts'
import type { DocSet } from '../postings/doc-set.ts'
import type { QueryPart } from '../terms/query-word.ts'
import type { Token } from './tokens.ts'

/** Something other than a name that tokens up to one may mean: a topic, a place, a word of texts about people. */
export interface Context {
  readonly to: number
  readonly cost: number
  readonly people: DocSet
  /** The same as a part of a query. */
  readonly part: QueryPart
  /** What it is: a phrase that means something, a code, another word for a topic, a word that people hold. */
  readonly kind: 'phrase' | 'code' | 'related' | 'word'
}

/** Those who hold the office that a title says, and whether the people of offices are known at all. */
export interface Office {
  readonly holders: DocSet
  /** Of no other office of a state, where it is such an office itself. */
  readonly others: DocSet | undefined
}

export interface TextFacts {
  contextsAt(at: number): readonly Context[]
  officeAt(at: number): Office | undefined
}

/** See the file's comment. It has at least one token. */
export class MatchedText<Facts extends TextFacts = TextFacts> {
  readonly tokens: readonly Token[]
  readonly facts: Facts
  /**
   * Whether it asks about somebody, of whom a surname may be all that it says: it begins with a question, or ends with
   * what people leave behind: picasso museum.
   */
  readonly isAsking: boolean
  /** A bit for each token that only asks. */
  readonly asking: number
  /** Whether a word joins several things, of which each must be known. */
  readonly isOfSeveral: boolean

  constructor(tokens: readonly Token[], facts: Facts) {
    this.tokens = tokens
    this.facts = facts
    this.isAsking = tokens[0]!.aside === 'asks' || isWork(tokens.at(-1)!.text)
    this.asking = tokens.reduce((bits, { aside }, at) => bits | (aside === 'asks' ? 1 << at : 0), 0)
    this.isOfSeveral = tokens.some(({ text }) => isJoining(text))
  }
}
