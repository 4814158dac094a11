/**
 * The words of a query, and the terms that were asked for last with who holds them. Two words of a
 * text are two objects even if spelled alike; their spelling is one object for many.
 */
import { type Word, wordsOf } from '../../text/analyzer.ts'
import { otherFormsOf, phraseKey } from '../../text/number.ts'
import { isStopWord } from '../../text/stop-words.ts'
import { BoundedCache } from '../bounded-cache.ts'
import { type DocSet, nobody, unionOf } from '../postings/doc-set.ts'
import type { Postings, TermRange } from '../postings/postings.ts'

/** Terms that are kept: enough for the usual words of texts, and some megabytes a thread at most. */
const termsMax = 4_096

/** The spelling of a word, and the facts that follow from it alone. */
class Spelling implements Word {
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

export class QueryWord {
  /** Those who hold its one term, where it was read as a known one: without them they are looked up each time. */
  readonly holders: KnownTerm | undefined
  /** Stands for itself alone, as it was in quotation marks. */
  readonly isExact: boolean
  readonly #spelling: Spelling
  #alone: QueryPart | undefined

  constructor(word: Word, isExact = false, holders?: KnownTerm) {
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

  get terms(): readonly string[] {
    return this.#spelling.terms
  }

  get key(): string {
    return this.#spelling.key
  }

  get isStop(): boolean {
    return !this.isExact && this.#spelling.isStop
  }
}

/** The sets of a term: each is made when it is first asked for, as the ways ask for the same ones. */
export class KnownTerm {
  readonly term: string
  readonly #postings: Postings
  #number: number | undefined
  #spelling: Spelling | undefined
  #name: DocSet | undefined
  #word: DocSet | undefined
  #forms: DocSet | undefined
  #range: TermRange | undefined

  constructor(postings: Postings, term: string) {
    this.term = term
    this.#postings = postings
  }

  /** The term as a word of a text: another object each time. */
  get asWord(): QueryWord {
    this.#spelling ??= new Spelling({ text: this.term, terms: [this.term] })
    return new QueryWord(this.#spelling, false, this)
  }

  get name(): DocSet {
    this.#name ??= this.#in('name')
    return this.#name
  }

  get word(): DocSet {
    this.#word ??= this.#in('word')
    return this.#word
  }

  /** Those who hold any of the terms that are its forms: most forms are no term. */
  get forms(): DocSet {
    this.#forms ??= this.#unionOfForms()
    return this.#forms
  }

  #unionOfForms(): DocSet {
    let held: DocSet[] | undefined
    for (const form of otherFormsOf(this.term, this.#postings.mayBeTerm)) {
      const number = this.#postings.numberOf(form)
      if (number < 0 || this.#postings.size('word', number) === 0) continue
      held ??= [this.word]
      held.push(this.#postings.list('word', number))
    }
    return held === undefined ? this.word : unionOf(held)
  }

  get range(): TermRange {
    this.#range ??= this.#postings.startingWith(this.term)
    return this.#range
  }

  #in(field: 'name' | 'word'): DocSet {
    this.#number ??= this.#postings.numberOf(this.term)
    const isHeld = this.#number >= 0 && this.#postings.size(field, this.#number) > 0
    return isHeld ? this.#postings.list(field, this.#number) : nobody
  }
}

export class KnownTerms {
  readonly #terms = new BoundedCache<string, KnownTerm>(termsMax)
  readonly #make: (term: string) => KnownTerm

  constructor(postings: Postings) {
    this.#make = (term) => new KnownTerm(postings, term)
  }

  of(term: string): KnownTerm {
    return this.#terms.get(term, this.#make)
  }

  read(query: string): QueryWord[] {
    const words: QueryWord[] = []
    for (const word of wordsOf(query)) {
      if (words.at(-1)?.text === word.text) continue
      const isTerm = word.terms.length === 1
      words.push(isTerm ? this.of(word.text).asWord : new QueryWord(word))
    }
    return words
  }
}
