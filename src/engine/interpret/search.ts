/**
 * Search: turns a text into people, by the first way with a match. An identity means its owners or
 * nobody; every other text goes down `ways/ladder.ts`.
 */

import { bucketsOf } from '../../snapshot/text-tables.ts'
import { withFlags } from '../../text/speech/flags.ts'
import type { Catalog } from '../catalog.ts'
import { heardTermsOf } from '../match/heard.ts'
import { Matcher } from '../match/matcher.ts'
import type { Postings } from '../postings/postings.ts'
import { FuzzyTermIndex } from '../terms/fuzzy-term-index.ts'
import { Words } from '../terms/query-word.ts'
import { Resolver } from '../terms/resolver.ts'
import { type Found, foundNobody, type Matched, type Understood } from './found.ts'
import { ownersIn } from './identity.ts'
import { PhraseReader } from './phrases.ts'
import { TopicOrder } from './ranking.ts'
import type { Tools } from './tools.ts'
import { ladder } from './ways/ladder.ts'
import { suggestionsFor } from './ways/near-meanings.ts'
import { foundPeople, Text, type WayOfSearch } from './ways/way.ts'

export class Search {
  readonly #tools: Tools
  readonly #ladder: readonly WayOfSearch[]
  readonly words: Words

  /** @param ways behind identity, in their order: all of them unless a bench leaves some out. */
  constructor(catalog: Catalog, postings: Postings, ways: readonly WayOfSearch[] = ladder) {
    const sources = {
      postings,
      dictionary: new FuzzyTermIndex(catalog.sections, postings),
      heardTerms: heardTermsOf(postings),
      sounds: bucketsOf(catalog.sections, 'sound'),
    }
    this.words = new Words(postings)
    this.#tools = {
      ...sources,
      catalog,
      words: this.words,
      phrases: new PhraseReader(catalog, postings),
      resolver: new Resolver(catalog),
      matcher: new Matcher(catalog, sources),
    }
    this.#ladder = ways
  }

  /** @param related whether another word for a topic finds its members. */
  find(
    query: string,
    limit: number,
    { related = true }: { readonly related?: boolean } = {},
  ): Found {
    const owners = ownersIn(query, this.#tools.catalog)
    if (owners !== undefined) return foundPeople('identity', owners, limit)
    const text = new Text(withFlags(query), this.words)
    if (text.words.length === 0) return foundNobody
    for (const way of this.#ladder) {
      const found = way.find(this.#tools, text, limit)
      if (found !== undefined && (related || found.way !== 'related')) return found
    }
    return foundNobody
  }

  /** Whether a text has the form of a handle, an address or an identifier, which means its owners or nobody. */
  isIdentity(text: string): boolean {
    return ownersIn(text, this.#tools.catalog) !== undefined
  }

  /** The topic that a whole text means by its label or an alias, or -1. */
  topicNamed(text: string): number {
    return this.#tools.phrases.topicsOf(this.words.read(text)).topic
  }

  /** The topic that a text is most like, also where the text finds people; undefined where it is like none. */
  likelyTopic(text: string): number | undefined {
    return this.#tools.resolver.resolve(this.words.read(text).filter(({ isStop }) => !isStop))
  }

  /** Everybody whom a search matched, also beyond its limit. */
  matched({ topic, matched }: Found): Matched {
    if (matched !== undefined) return matched
    if (topic < 0) return { names: [], words: [], order: undefined, isRanked: false }
    const order = this.orderOf(topic)
    return { names: [], words: [order.members!], order, isRanked: true }
  }

  orderOf(topic: number): TopicOrder {
    const { catalog, postings } = this.#tools
    return new TopicOrder(catalog, postings, [topic])
  }

  understood({ way, parts, leftOut, corrected }: Found, query: string): Understood {
    const { catalog } = this.#tools
    const meant = (kind: 'topic' | 'place') =>
      [...new Set(parts.map((part) => part[kind]))].filter((each) => each >= 0)
    const countries = meant('place').flatMap((place) => catalog.countriesOf(place))
    return {
      way,
      words: parts.flatMap(({ words }) => words.map(({ text }) => text)),
      corrected,
      left_out: leftOut,
      country: countries.length === 0 ? null : countries.join(', '),
      topics: meant('topic').map((topic) => catalog.labelOf(topic)),
      ...(way === 'nobody' && { suggestions: suggestionsFor(this.#tools, query) }),
    }
  }
}
