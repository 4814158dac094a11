/** The words of a query, two objects even if spelled alike; and known terms, with who holds them. */
import type { PlaceRange } from '../../memory/text-order.ts'
import type { Word } from '../../text/analyzer.ts'
import { otherFormsOf, phraseKey } from '../../text/number.ts'
import { isStopWord } from '../../text/stop-words.ts'
import { type DocSet, nobody, unionOf } from '../postings/doc-set.ts'
import type { Postings } from '../postings/postings.ts'

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
  readonly text: string
  readonly terms: readonly string[]
  readonly key: string
  readonly isStop: boolean
  /** Stands for itself alone, as it was in quotation marks. */
  readonly isExact: boolean
  /** Those who hold its one term, where it was read as a known one: without them they are looked up each time. */
  readonly holders: KnownTerm | undefined
  #alone: QueryPart | undefined

  constructor(word: Word, isExact = false) {
    const spelling = word instanceof Spelling ? word : new Spelling(word)
    this.text = spelling.text
    this.terms = spelling.terms
    this.key = spelling.key
    this.isStop = !isExact && spelling.isStop
    this.isExact = isExact
    this.holders = word instanceof KnownTerm ? word : undefined
  }

  /** The part of a text that is this word and means nothing; the same object each time. */
  get alone(): QueryPart {
    this.#alone ??= { words: [this], topic: -1, place: -1, attribute: -1 }
    return this.#alone
  }
}

/** The sets of a term: each is made when it is first asked for, as the ways ask for the same ones. */
export class KnownTerm extends Spelling {
  readonly #postings: Postings
  #number: number | undefined
  #name: DocSet | undefined
  #word: DocSet | undefined
  #forms: DocSet | undefined
  #range: PlaceRange | undefined

  constructor(postings: Postings, term: string) {
    super({ text: term, terms: [term] })
    this.#postings = postings
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
    for (const form of otherFormsOf(this.text, this.#postings.mayBeTerm)) {
      const number = this.#postings.numberOf(form)
      if (number < 0 || this.#postings.size('word', number) === 0) continue
      held ??= [this.word]
      held.push(this.#postings.list('word', number))
    }
    return held === undefined ? this.word : unionOf(held)
  }

  get range(): PlaceRange {
    this.#range ??= this.#postings.startingWith(this.text)
    return this.#range
  }

  #in(field: 'name' | 'word'): DocSet {
    this.#number ??= this.#postings.numberOf(this.text)
    const isHeld = this.#number >= 0 && this.#postings.size(field, this.#number) > 0
    return isHeld ? this.#postings.list(field, this.#number) : nobody
  }
}
