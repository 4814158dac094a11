/** The words of a query, two objects even if spelled alike; and known words, with who holds them. */
import type { PlaceRange } from '../../memory/text-order.ts'
import type { Word } from '../../text/analyzer.ts'
import { otherFormsOf, phraseKey } from '../../text/number.ts'
import { isStopWord } from '../../text/stop-words.ts'
import { type DocSet, intersectionOf, nobody, unionOf } from '../postings/doc-set.ts'
import type { Postings } from '../postings/postings.ts'

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
  readonly text: string
  readonly terms: readonly string[]
  readonly key: string
  readonly isStop: boolean
  /** Stands for itself alone, as it was in quotation marks. */
  readonly isExact: boolean
  readonly #known: KnownWord
  #alone: QueryPart | undefined

  constructor(known: KnownWord, isExact = false) {
    this.text = known.text
    this.terms = known.terms
    this.key = known.key
    this.isStop = !isExact && known.isStop
    this.isExact = isExact
    this.#known = known
  }

  /** Those whose name, also known as, holds it as it is written. */
  get named(): DocSet {
    return this.#known.name
  }

  /** Those whose name holds it, its characters one after the other. */
  get written(): DocSet {
    return this.#known.written
  }

  /** Those whose name, topics or bio hold it, in either number unless it is exact. */
  get held(): DocSet {
    return this.isExact ? this.#known.word : this.#known.forms
  }

  /** Those who hold a word that it begins. */
  begun(field: 'name' | 'word'): DocSet {
    return this.isExact ? nobody : this.#known.begun(field)
  }

  /** The part of a text that is this word and means nothing; the same object each time. */
  get alone(): QueryPart {
    this.#alone ??= { words: [this], topic: -1, place: -1, attribute: -1 }
    return this.#alone
  }
}

/** Letters of the shortest word that may be the beginning of another. */
const beginningMin = 3

/** Those that most authorities hold, the first of equals: bounds the work of a short beginning. */
const expansionsMax = 64

/** A spelling, what follows from it alone, and who holds it: sets are made when they are first asked for. */
export class KnownWord implements Word {
  readonly text: string
  /** One, or in scripts without spaces one for each character. */
  readonly terms: readonly string[]
  /** Its contribution to the key of a phrase. */
  readonly key: string
  /** Says nothing about the people meant. */
  readonly isStop: boolean
  readonly #postings: Postings
  readonly #known: (term: string) => KnownWord
  #name: DocSet | undefined
  #word: DocSet | undefined
  #forms: DocSet | undefined
  #range: PlaceRange | undefined

  constructor({ text, terms }: Word, postings: Postings, known: (term: string) => KnownWord) {
    this.text = text
    this.terms = terms
    this.key = phraseKey(terms)
    this.isStop = isStopWord(text)
    this.#postings = postings
    this.#known = known
  }

  get written(): DocSet {
    return this.#listOf(this.text, 'name')
  }

  get name(): DocSet {
    this.#name ??= this.#whole('name')
    return this.#name
  }

  get word(): DocSet {
    this.#word ??= this.#whole('word')
    return this.#word
  }

  /** Those who hold any of the terms that are its forms: most forms are no term. */
  get forms(): DocSet {
    this.#forms ??= this.terms.length > 1 ? this.word : this.#unionOfForms()
    return this.#forms
  }

  begun(field: 'name' | 'word'): DocSet {
    if (this.terms.length > 1 || this.text.length < beginningMin) return nobody
    this.#range ??= this.#postings.startingWith(this.text)
    const terms = this.#postings.commonest(field, this.#range, expansionsMax)
    return unionOf(terms.map((term) => this.#postings.list(field, term)))
  }

  #unionOfForms(): DocSet {
    const others = otherFormsOf(this.text, this.#postings.mayBeTerm)
    return unionOf([this.word, ...others.map((form) => this.#listOf(form, 'word'))])
  }

  /** A word of several characters is held as the term that it is in names, or by each of them. */
  #whole(field: 'name' | 'word'): DocSet {
    const written = this.#listOf(this.text, field)
    if (this.terms.length === 1) return written
    const each = intersectionOf([...new Set(this.terms)].map((term) => this.#known(term)[field]))
    return unionOf([written, each])
  }

  #listOf(term: string, field: 'name' | 'word'): DocSet {
    const number = this.#postings.numberOf(term)
    const isHeld = number >= 0 && this.#postings.size(field, number) > 0
    return isHeld ? this.#postings.list(field, number) : nobody
  }
}
