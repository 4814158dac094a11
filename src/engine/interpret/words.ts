/**
 * The words of a query as they are written, and who holds each of them. A word in quotation marks is
 * exact: it stands for itself alone.
 */
import { wordsOf } from '../../text/analyzer.ts'
import { formsOf } from '../../text/number.ts'
import { BoundedCache } from '../bounded-cache.ts'
import { type DocSet, intersectionOf, nobody, unionOf } from '../postings/doc-set.ts'
import type { Postings } from '../postings/postings.ts'
import type { FuzzyTermIndex } from '../terms/fuzzy-term-index.ts'
import { type KnownTerm, KnownTerms, QueryWord } from '../terms/query-word.ts'

const quotation = /["“”„«»]/u
const quoted = /["“”„«»]([^"“”„«»]*)["“”„«»]/u

export function readWords(query: string): QueryWord[] {
  // Every second part was in quotation marks.
  const parts = quotation.test(query) ? query.split(quoted) : [query]
  const words = parts.flatMap((part, index) =>
    wordsOf(part).map((word) => new QueryWord(word, index % 2 === 1)),
  )
  return words.filter(({ text }, index) => text !== words[index - 1]?.text)
}

/** Letters of the shortest word that may be the beginning of another. */
const beginningMin = 3

/** Those that most authorities hold, the first of equals: bounds the work of a short beginning. */
const expansionsMax = 64

/** Words of several characters whose sets are kept while a text is read: the ways ask for the same ones. */
const keptMax = 64

export class Words {
  readonly #postings: Postings
  readonly #dictionary: FuzzyTermIndex
  readonly #terms: KnownTerms
  readonly #wholes = {
    name: new BoundedCache<QueryWord, DocSet>(keptMax),
    word: new BoundedCache<QueryWord, DocSet>(keptMax),
  }
  readonly #makeWhole = {
    name: (word: QueryWord) => this.#findWhole('name', word),
    word: (word: QueryWord) => this.#findWhole('word', word),
  }

  constructor(postings: Postings, dictionary: FuzzyTermIndex) {
    this.#postings = postings
    this.#dictionary = dictionary
    this.#terms = new KnownTerms(postings)
  }

  /** The words that `readWords` reads; for known words it makes neither texts nor terms. */
  read(query: string): readonly QueryWord[] {
    return quotation.test(query) ? readWords(query) : this.#terms.read(query)
  }

  wordOf(term: string): QueryWord {
    return this.#terms.of(term).asWord
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
    return this.#wholes[field].get(word, this.#makeWhole[field])
  }

  #findWhole(field: 'name' | 'word', { text, terms }: QueryWord): DocSet {
    const each = intersectionOf([...new Set(terms)].map((term) => this.#known(term)[field]))
    return unionOf([this.#known(text)[field], each])
  }

  beginning(field: 'name' | 'word', word: QueryWord): DocSet {
    const [only = '', another] = word.terms
    if (another !== undefined || word.isExact || only.length < beginningMin) return nobody
    const { range } = this.#holdersOf(word)
    if (range.first === range.end) return nobody
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

  #known(term: string): KnownTerm {
    return this.#terms.of(term)
  }
}
