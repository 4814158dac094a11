/**
 * Search: a text → people, by the first of these ways that finds anybody.
 *
 * 1. identity: the text is a handle, an address or an SDU: its owners, or nobody.
 * 2. topic: the text is a topic's label or alias: its ranking.
 * 3. name: those whose names hold every word; behind them those of the next way.
 * 4. words: those who hold every part of the text, by word or by meaning. First every part; words
 *    that only ask are left out where nobody is found, or where the text has a meaning without them.
 *    Then the last word as the beginning of another, where nobody has it; then codes of countries.
 * 5. related: the text says a topic in another word, alone or beside topics and places.
 * 6. corrected: a word that nobody has as the nearest that somebody has, and 2 to 4 again.
 * 7. likely-topic: the topic that the text is likely to mean.
 */
import type { Catalog } from '../catalog.ts'
import { listOf } from '../holders/list.ts'
import { ownersIn } from '../identity.ts'
import { relatedParts } from '../related/related-topics.ts'
import { Corrector } from './corrector.ts'
import type { Dictionary } from './dictionary.ts'
import {
  type Found,
  foundNobody,
  type Matched,
  positions,
  type Understood,
  type Way,
} from './found.ts'
import { People } from './people.ts'
import type { Postings } from './postings.ts'
import { TopicOrder } from './ranking.ts'
import { isUnderstood, Phrases } from './reading.ts'
import type { Resolver } from './resolver.ts'
import { type Asked, readWords, Words } from './words.ts'

/** The ways that may be left out. */
export interface Ways {
  readonly related?: boolean
}

export class Search {
  readonly #catalog: Catalog
  readonly #postings: Postings
  readonly words: Words
  readonly #phrases: Phrases
  readonly #people: People
  readonly #corrector: Corrector
  readonly #resolver: Resolver

  constructor(catalog: Catalog, postings: Postings, dictionary: Dictionary, resolver: Resolver) {
    this.#catalog = catalog
    this.#postings = postings
    this.words = new Words(postings, dictionary)
    this.#phrases = new Phrases(catalog, postings, this.words)
    this.#people = new People(catalog, postings, this.words, this.#phrases)
    this.#corrector = new Corrector(postings, dictionary, this.words, this.#phrases, this.#people)
    this.#resolver = resolver
  }

  /** Finds up to `limit` people. A query without letters or digits finds nobody. */
  find(query: string, limit: number, { related = true }: Ways = {}): Found {
    const owners = ownersIn(query, this.#catalog)
    if (owners !== undefined) return identified(owners, limit)
    const words = readWords(query)
    if (words.length === 0) return foundNobody
    const topic = this.#phrases.topicOf(words)
    if (topic >= 0) return this.#ranking('topic', topic, words, limit)
    return (
      this.#people.find(words, limit) ??
      (related ? this.#relate(words, limit) : undefined) ??
      this.#correct(words, limit) ??
      this.#likely(words, limit) ??
      foundNobody
    )
  }

  /** The topic that a text is most like, also where the text finds people; undefined where it is like none. */
  likelyTopic(text: string): number | undefined {
    const content = readWords(text).filter(({ isStop }) => !isStop)
    const sizeOf = (topic: number) => this.#catalog.sizeOf(topic)
    return content.length === 0
      ? undefined
      : this.#resolver.resolve(content, { sizeOf, isTelling: () => false })
  }

  /** A topic's ranking where the text says it alone; else those who are in all parts. */
  #relate(words: readonly Asked[], limit: number): Found | undefined {
    const parts = relatedParts(words, this.#phrases)
    if (parts === undefined) return undefined
    const [only, another] = parts
    if (another === undefined) return this.#ranking('related', only!.topic, words, limit)
    const found = this.#people.inAll(parts, limit)
    return found && { ...found, way: 'related' }
  }

  #correct(words: readonly Asked[], limit: number): Found | undefined {
    const { corrected, topic, found } = this.#corrector.correct(words, limit) ?? {}
    if (corrected === undefined) return undefined
    const answer = found ?? this.#ranking('corrected', topic!, words, limit)
    return { ...answer, way: 'corrected', corrected }
  }

  #likely(words: readonly Asked[], limit: number): Found | undefined {
    const understood = this.#phrases.partsOf(words).filter(isUnderstood)
    // Of two things that were understood none may be left out.
    if (understood.length > 1 || words.some(({ isExact }) => isExact)) return undefined
    const content = words.filter(({ isStop }) => !isStop)
    // A key is made of terms: what is like none of them matches none, and half of a text must.
    const unlike = content.filter((word) => this.#corrector.isLikeNone(word))
    if (content.length === 0 || unlike.length * 2 > content.length) return undefined
    const topic = this.#resolver.resolve(content, {
      sizeOf: (each) => this.#catalog.sizeOf(each),
      isTelling: (word) => this.words.isName(word) || understood[0]?.words.includes(word) === true,
    })
    return topic === undefined ? undefined : this.#ranking('likely-topic', topic, words, limit)
  }

  /** The first of a topic's ranking. */
  #ranking(way: Way, topic: number, words: readonly Asked[], limit: number): Found {
    const { start, end } = this.#catalog.membersOf(topic)
    const members = this.#catalog.sections['topic.members']
    return {
      way,
      topic,
      ordinals: members.subarray(start, Math.min(end, start + limit)),
      ranks: positions,
      parts: [{ words, topic, place: -1 }],
      leftOut: [],
      corrected: [],
    }
  }

  /** Everybody whom a search matched, also beyond its limit. */
  matched({ topic, matched }: Found): Matched {
    if (matched !== undefined) return matched()
    if (topic < 0) return named([])
    const order = this.orderOf(topic)
    return { names: [], words: [order.members!], order, isRanked: true }
  }

  /** The order that a topic gives its members. */
  orderOf(topic: number): TopicOrder {
    return new TopicOrder(this.#catalog, this.#postings, [topic])
  }

  /** What was understood, in words: what an explanation says, and a plain answer does not need. */
  understood({ way, parts, leftOut, corrected }: Found): Understood {
    const topics = new Set(parts.map(({ topic }) => topic).filter((topic) => topic >= 0))
    const places = new Set(parts.map(({ place }) => place).filter((place) => place >= 0))
    return {
      way,
      words: parts.flatMap(({ words }) => words.map(({ text }) => text)),
      corrected,
      leftOut,
      countries: [...places].flatMap((place) => this.#catalog.countriesOf(place)),
      topics: [...topics].map((topic) => this.#catalog.labelOf(topic)),
    }
  }
}

function identified(owners: readonly number[], limit: number): Found {
  const way = owners.length === 0 ? 'nobody' : 'identity'
  const ordinals = owners.slice(0, limit)
  return { ...foundNobody, way, ordinals, ranks: positions, matched: () => named(owners) }
}

function named(owners: readonly number[]): Matched {
  const ordinals = Uint32Array.from(owners)
  const names = [[listOf(ordinals, 0, ordinals.length)]]
  return { names: owners.length === 0 ? [] : names, words: [], order: undefined, isRanked: false }
}
