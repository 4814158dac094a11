/** The words of a query as they are written, with who holds them. One in quotation marks stands for itself alone. */
import type { PlaceRange } from '../../memory/text-order.ts'
import { type Word, wordsOf } from '../../text/analyzer.ts'
import { formsOf, otherFormsOf, phraseKey } from '../../text/number.ts'
import { isStopWord } from '../../text/stop-words.ts'
import { remembered } from '../bounded-cache.ts'
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

/** Letters of the shortest word that may be the beginning of another. */
const beginningMin = 3

/** Those that most authorities hold, the first of equals: bounds the work of a short beginning. */
const expansionsMax = 64

/** Terms that are kept: enough for the usual words of texts, and some megabytes a thread at most. */
const termsMax = 4_096

const quoted = /["“”„«»]([^"“”„«»]*)["“”„«»]/u

/** A word, what follows from it alone, and who holds it: sets are made when they are first asked for. */
export class QueryWord implements Word {
  readonly text: string
  /** One, or in scripts without spaces one for each character. */
  readonly terms: readonly string[]
  /** Its contribution to the key of a phrase. */
  readonly key: string
  /** Says nothing about the people meant. */
  readonly isStop: boolean
  /** Stands for itself alone, as it was in quotation marks. */
  readonly isExact: boolean
  readonly #postings: Postings
  readonly #wordOf: (term: string) => QueryWord
  #alone: QueryPart | undefined
  #name: DocSet | undefined
  #word: DocSet | undefined
  #forms: DocSet | undefined
  #range: PlaceRange | undefined

  constructor(
    { text, terms }: Word,
    postings: Postings,
    wordOf: (term: string) => QueryWord,
    isExact = false,
  ) {
    this.text = text
    this.terms = terms
    this.key = phraseKey(terms)
    this.isStop = !isExact && isStopWord(text)
    this.isExact = isExact
    this.#postings = postings
    this.#wordOf = wordOf
  }

  /** Those whose name holds it, its characters one after the other. */
  get written(): DocSet {
    return this.#listOf(this.text, 'name')
  }

  /** Those whose name, also known as, holds it as it is written. */
  get named(): DocSet {
    this.#name ??= this.#whole('named')
    return this.#name
  }

  /** Those whose name, topics or bio hold it as it is written. */
  get whole(): DocSet {
    this.#word ??= this.#whole('whole')
    return this.#word
  }

  /** The same in either number unless it is exact: most forms are no term. */
  get held(): DocSet {
    this.#forms ??= this.isExact || this.terms.length > 1 ? this.whole : this.#unionOfForms()
    return this.#forms
  }

  /** Those who hold a word that it begins. */
  begun(field: 'name' | 'word'): DocSet {
    const { text, terms, isExact } = this
    if (isExact || terms.length > 1 || text.length < beginningMin) return nobody
    this.#range ??= this.#postings.startingWith(text)
    const begun = this.#postings.commonest(field, this.#range, expansionsMax)
    return unionOf(begun.map((term) => this.#postings.list(field, term)))
  }

  /** The part of a text that is this word and means nothing; the same object each time. */
  get alone(): QueryPart {
    this.#alone ??= { words: [this], topic: -1, place: -1, attribute: -1 }
    return this.#alone
  }

  #unionOfForms(): DocSet {
    const others = otherFormsOf(this.text, this.#postings.mayBeTerm)
    return unionOf([this.whole, ...others.map((form) => this.#listOf(form, 'word'))])
  }

  /** A word of several characters is held as the term that it is in names, or by each of them. */
  #whole(by: 'named' | 'whole'): DocSet {
    const written = this.#listOf(this.text, by === 'named' ? 'name' : 'word')
    if (this.terms.length === 1) return written
    const each = intersectionOf([...new Set(this.terms)].map((term) => this.#wordOf(term)[by]))
    return unionOf([written, each])
  }

  #listOf(term: string, field: 'name' | 'word'): DocSet {
    const number = this.#postings.numberOf(term)
    const isHeld = number >= 0 && this.#postings.size(field, number) > 0
    return isHeld ? this.#postings.list(field, number) : nobody
  }
}

export class Words {
  readonly #postings: Postings
  /** A term, as the analyzer spells it. */
  readonly wordOf = remembered(termsMax, (term: string) =>
    this.#wordOf({ text: term, terms: [term] }),
  )

  constructor(postings: Postings) {
    this.#postings = postings
  }

  /** A word that is repeated at once counts once; two words are two objects even if spelled alike. */
  read(query: string): readonly QueryWord[] {
    const words: QueryWord[] = []
    // Every second part was in quotation marks.
    const parts = query.split(quoted)
    for (let at = 0; at < parts.length; at += 1) this.#addTo(words, parts[at]!, at % 2 === 1)
    return words
  }

  #addTo(words: QueryWord[], text: string, isExact: boolean): void {
    for (const word of wordsOf(text)) {
      if (words.at(-1)?.text === word.text) continue
      const known = isExact || word.terms.length > 1 ? undefined : this.wordOf(word.text)
      const isOther = known === undefined || words.includes(known)
      words.push(isOther ? this.#wordOf(word, isExact) : known)
    }
  }

  #wordOf(word: Word, isExact = false): QueryWord {
    return new QueryWord(word, this.#postings, this.wordOf, isExact)
  }

  /** `farmers`, where somebody is called Farmer and nobody holds the word. */
  isOtherNumberOfName({ text, whole }: QueryWord): boolean {
    if (whole.size > 0) return false
    const forms = formsOf(text).map((form) => this.wordOf(form))
    return forms.every((form) => form.named.size === form.whole.size)
  }
}
