/**
 * Search: a text → ranked authorities, by the first of three ways that finds anybody.
 *
 * 1. The text is a topic's label or alias: the topic's ranking.
 * 2. Keywords: those whose name holds every term, then those whose name, topics and bio together
 *    hold every term, each group by descending authority score. If nobody holds them all, the last
 *    term may be the beginning of a word.
 * 3. A topic that was most likely meant: its ranking.
 */
import { termsOf } from '../../text/analyzer.ts'
import type { Catalog } from '../catalog.ts'
import { type Field, Least, type Postings } from './postings.ts'
import type { Resolver } from './resolver.ts'

/** What a query found: a topic, whose ranking answers, or authorities in the order of the answer. */
export type Found =
  | { readonly way: 'topic' | 'resolved'; readonly topic: number }
  | { readonly way: 'keywords'; readonly ordinals: readonly number[] }

/**
 * How many words the beginning of one may stand for: those that most authorities hold, the first
 * in alphabetical order where they are equally many. Bounds the work of a one-letter query.
 */
export const expansionsMax = 64

const nobody: Found = { way: 'keywords', ordinals: [] }

export class Search {
  readonly #catalog: Catalog
  readonly #postings: Postings
  readonly #resolver: Resolver

  constructor(catalog: Catalog, postings: Postings, resolver: Resolver) {
    this.#catalog = catalog
    this.#postings = postings
    this.#resolver = resolver
  }

  /** Finds up to `limit` authorities. A query without letters or digits finds nobody. */
  find(query: string, limit: number): Found {
    const terms = termsOf(query)
    if (terms.length === 0) return nobody
    const topic = this.#catalog.findTopic(terms.join(' '))
    if (topic >= 0) return { way: 'topic', topic }
    const ordinals = this.#findKeywords([...new Set(terms)], limit)
    if (ordinals.length > 0) return { way: 'keywords', ordinals }
    const resolved = this.#resolver.resolve(terms, (each) => this.#catalog.sizeOf(each))
    return resolved === undefined ? nobody : { way: 'resolved', topic: resolved }
  }

  #findKeywords(terms: readonly string[], limit: number): number[] {
    const numbers = terms.map((term) => this.#postings.numberOf(term))
    const rest = numbers.slice(0, -1)
    if (rest.includes(-1)) return []
    const last = numbers.at(-1)!
    const whole = last < 0 ? [] : this.#findByFields(rest, limit, () => [last])
    if (whole.length > 0) return whole
    const range = this.#postings.startingWith(terms.at(-1)!)
    // A word that no other one begins with was looked for already.
    if (range.end - range.first === (last < 0 ? 0 : 1)) return []
    return this.#findByFields(rest, limit, (field) =>
      this.#postings.commonest(field, range, expansionsMax),
    )
  }

  /** Those who hold all terms and any of the last terms: by name first, then by everything. */
  #findByFields(
    terms: readonly number[],
    limit: number,
    lastTerms: (field: Field) => readonly number[],
  ): number[] {
    const byName = this.#findInField('name', terms, lastTerms, limit)
    if (byName.length >= limit) return byName
    const byWord = this.#findInField('word', terms, lastTerms, limit)
    return [...byName, ...byWord.filter((ordinal) => !byName.includes(ordinal))].slice(0, limit)
  }

  #findInField(
    field: Field,
    terms: readonly number[],
    lastTerms: (field: Field) => readonly number[],
    limit: number,
  ): number[] {
    const found = new Least(limit)
    // Most words are nobody's name: then nothing has to be opened to know that there is no one.
    if (terms.some((term) => this.#postings.size(field, term) === 0)) return found.numbers
    this.#postings.find(field, terms, lastTerms(field), (ordinal) => found.take(ordinal))
    return found.numbers
  }
}
