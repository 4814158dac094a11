/**
 * The words of a query as they are written, and who holds each of them. A word in quotation marks is
 * exact: it stands for itself alone.
 */
import { wordsOf } from '../../text/analyzer.ts'
import { formsOf } from '../../text/number.ts'
import { remembered } from '../bounded-cache.ts'
import { type DocSet, intersectionOf, nobody, unionOf } from '../postings/doc-set.ts'
import type { Postings } from '../postings/postings.ts'
import type { FuzzyTermIndex } from '../terms/fuzzy-term-index.ts'
import { KnownTerm, QueryWord } from '../terms/query-word.ts'

const quotation = /["“”„«»]/u
const quoted = /["“”„«»]([^"“”„«»]*)["“”„«»]/u

/** Terms that are kept: enough for the usual words of texts, and some megabytes a thread at most. */
const termsMax = 4_096

/** Letters of the shortest word that may be the beginning of another. */
const beginningMin = 3

/** Those that most authorities hold, the first of equals: bounds the work of a short beginning. */
const expansionsMax = 64

/** Words of several characters whose sets are kept while a text is read: the ways ask for the same ones. */
const keptMax = 64

export class Words {
  readonly #postings: Postings
  readonly #dictionary: FuzzyTermIndex
  readonly #known: (term: string) => KnownTerm
  readonly #wholes = {
    name: remembered(keptMax, (word: QueryWord) => this.#findWhole('name', word)),
    word: remembered(keptMax, (word: QueryWord) => this.#findWhole('word', word)),
  }

  constructor(postings: Postings, dictionary: FuzzyTermIndex) {
    this.#postings = postings
    this.#dictionary = dictionary
    this.#known = remembered(termsMax, (term) => new KnownTerm(postings, term))
  }

  /** A repeated word counts once. */
  read(query: string): readonly QueryWord[] {
    const words: QueryWord[] = []
    if (!quotation.test(query)) this.#addTo(words, query, false)
    else {
      // Every second part was in quotation marks.
      const parts = query.split(quoted)
      for (let at = 0; at < parts.length; at += 1) this.#addTo(words, parts[at]!, at % 2 === 1)
    }
    return words
  }

  #addTo(words: QueryWord[], text: string, isExact: boolean): void {
    for (const word of wordsOf(text)) {
      if (words.at(-1)?.text === word.text) continue
      const isKnown = !isExact && word.terms.length === 1
      words.push(isKnown ? this.wordOf(word.text) : new QueryWord(word, isExact))
    }
  }

  wordOf(term: string): QueryWord {
    return new QueryWord(this.#known(term))
  }

  /** Those whose name, also known as, holds a word as it is written. */
  named(word: QueryWord): DocSet {
    return this.#whole('name', word)
  }

  /** Those whose name holds a word of several characters one after the other. */
  written({ text }: QueryWord): DocSet {
    return this.#known(text).name
  }

  /** Those whose name holds all characters of a word, and is it but for one slip. */
  nearlyWritten(word: QueryWord): DocSet {
    if (word.terms.length === 1) return this.named(word)
    const near = this.#dictionary.near(word.text, 1)
    const all = unionOf(near.map((term) => this.#postings.list('name', term)))
    return intersectionOf([all, this.named(word)])
  }

  /** Those whose name, topics or bio hold a word, in either number unless it is exact. */
  holding(word: QueryWord): DocSet {
    if (word.isExact || word.terms.length > 1) return this.#whole('word', word)
    return this.#holdersOf(word).forms
  }

  /** Those who hold a term, as the analyzer spells it, in either number. */
  formsHolding(term: string): DocSet {
    return this.#known(term).forms
  }

  /** A word of several characters is held as the term that it is in names, or by each of them. */
  #whole(field: 'name' | 'word', word: QueryWord): DocSet {
    const { terms } = word
    if (terms.length < 2) return this.#holdersOf(word)[field]
    return this.#wholes[field](word)
  }

  #findWhole(field: 'name' | 'word', { text, terms }: QueryWord): DocSet {
    const each = intersectionOf([...new Set(terms)].map((term) => this.#known(term)[field]))
    return unionOf([this.#known(text)[field], each])
  }

  beginning(field: 'name' | 'word', word: QueryWord): DocSet {
    const [only = '', another] = word.terms
    if (another !== undefined || word.isExact || only.length < beginningMin) return nobody
    const { range } = this.#holdersOf(word)
    if (range.start === range.end) return nobody
    const terms = this.#postings.commonest(field, range, expansionsMax)
    return unionOf(terms.map((term) => this.#postings.list(field, term)))
  }

  /** Whether a word is nobody's, or one of names: half of those who hold it are called so. */
  isName(word: QueryWord): boolean {
    return this.named(word).size * 2 >= this.holding(word).size
  }

  /** `farmers`, where somebody is called Farmer and nobody holds the word. */
  isOtherNumberOfName({ text }: QueryWord): boolean {
    const forms = formsOf(text).map((form) => this.#known(form))
    return (
      this.#known(text).word.size === 0 && forms.every(({ name, word }) => name.size === word.size)
    )
  }

  #holdersOf(word: QueryWord): KnownTerm {
    return word.holders ?? this.#known(word.terms[0] ?? '')
  }
}
