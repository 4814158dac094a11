/**
 * A word of a query, as it is written. Two words of one text are two objects, also where both are spelled alike;
 * how they are spelled may be one object for many texts.
 */
import type { Word } from '../../text/analyzer.ts'
import { phraseKey } from '../../text/number.ts'
import { isStopWord } from '../../text/stop-words.ts'
import type { DocSet } from '../postings/doc-set.ts'
import type { TermRange } from '../postings/postings.ts'

/** The spelling of a word, and the facts that follow from it alone. */
export class Spelling implements Word {
  readonly text: string
  /** One, or in scripts without spaces one for each character. */
  readonly terms: readonly string[]
  /** Its contribution to the key of a phrase. */
  readonly key: string
  /** Says nothing about the people meant. */
  readonly isStop: boolean

  constructor({ text, terms }: Word) {
    this.text = text
    this.terms = terms
    this.key = phraseKey(terms)
    this.isStop = isStopWord(text)
  }
}

/** Some words of a query one after the other, and what they mean. */
export interface QueryPart {
  readonly words: readonly QueryWord[]
  /** The topic that they mean, or -1. */
  readonly topic: number
  /** The place that they mean, or -1. */
  readonly place: number
  /** The attribute that they mean, or -1. */
  readonly attribute: number
  /** Whether only those are in it whom it means, not those who hold its words. */
  readonly isOfMeaning?: boolean
}

/** Those who hold a term: in the name, anywhere, or in any form of it; and the terms that begin with it. */
export interface TermHolders {
  readonly name: DocSet
  readonly word: DocSet
  readonly forms: DocSet
  readonly range: TermRange
}

/** A word of a query. */
export class QueryWord {
  /** Those who hold its one term, where it was read as a known one: without them they are looked up each time. */
  readonly holders: TermHolders | undefined
  /** Stands for itself alone, as it was in quotation marks. */
  readonly isExact: boolean
  readonly #spelling: Spelling
  #alone: QueryPart | undefined

  /** @param word its spelling where that is known. */
  constructor(word: Word, isExact = false, holders?: TermHolders) {
    this.holders = holders
    this.#spelling = word instanceof Spelling ? word : new Spelling(word)
    this.isExact = isExact
  }

  /** The part of a text that is this word and means nothing; the same object each time. */
  get alone(): QueryPart {
    this.#alone ??= { words: [this], topic: -1, place: -1, attribute: -1 }
    return this.#alone
  }

  get text(): string {
    return this.#spelling.text
  }

  /** One, or in scripts without spaces one for each character. */
  get terms(): readonly string[] {
    return this.#spelling.terms
  }

  /** Its contribution to the key of a phrase. */
  get key(): string {
    return this.#spelling.key
  }

  /** Says nothing about the people meant. */
  get isStop(): boolean {
    return !this.isExact && this.#spelling.isStop
  }
}
