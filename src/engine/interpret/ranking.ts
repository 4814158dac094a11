/**
 * The order where the text means topics: the ranking of one, the sum of the shares of several;
 * members of none come last. Equals are in order of authority.
 */
import type { Catalog } from '../catalog.ts'
import { Best, isFirst, type OrderMark, top } from '../postings/best.ts'
import {
  type DocSet,
  endless,
  fewest,
  forEachInAll,
  Intersection,
  isInAll,
  planWalk,
  retainAll,
  Union,
  walkChunks,
} from '../postings/doc-set.ts'
import { List, rarestBeside } from '../postings/list.ts'
import type { Postings } from '../postings/postings.ts'

/** The cost of looking up the share that one found person has of a topic, in looks at a bit. */
const valueLooks = 10

/** Members of a ranking that are looked at together: at first about as many as are wanted, then more. */
const firstLooks = 32
const looksMax = 1_024

/** People of a set of which a walk in chunks is worth its memory. */
const chunkedMin = 256

interface Source {
  readonly list: List
  readonly start: number
  readonly end: number
}

/** A walk down a ranking: for the first of these behind a mark, in fewer looks than so many. */
interface Question {
  readonly all: readonly DocSet[]
  readonly limit: number
  readonly after: OrderMark
  readonly looks: number
}

export class TopicOrder {
  readonly #members: Uint32Array
  readonly #shares: Uint32Array
  readonly #ranks: Uint32Array
  readonly #sources: readonly Source[]
  readonly #authorities: number

  /** @param topics at least one, each once. */
  constructor(catalog: Catalog, postings: Postings, topics: readonly number[]) {
    this.#members = catalog.sections['topic.members']
    this.#shares = catalog.sections['topic.shares']
    this.#ranks = catalog.sections['meaning.topic-ranks']
    this.#authorities = catalog.counts.authorities
    this.#sources = topics.map((topic) => {
      const { start, end } = catalog.membersOf(topic)
      return { list: postings.meaning(topic), start, end }
    })
  }

  /** Behind a mark in the order of one topic those above it are not looked at. */
  first(all: readonly DocSet[], limit: number, after: OrderMark = top): readonly number[] {
    const both = this.#expectedAmong(all)
    const looks = fewest(all) + both * valueLooks * this.#sources.length
    const memberships = this.#sources.reduce((sum, { start, end }) => sum + end - start, 0)
    // A walk that is not expected to end in time is not begun, unless it is late by little.
    const isWorth = limit * memberships <= 2 * looks * both
    const found = isWorth ? this.#fromTheTop({ all, limit, after, looks }) : undefined
    return found ?? this.#ofEverybody(all, new Best(limit, after))
  }

  #fromTheTop(question: Question): readonly number[] | undefined {
    return this.topics === 1 ? this.#downTheOne(question) : this.#downAll(question)
  }

  get members(): List | undefined {
    const [only, another] = this.#sources
    return another === undefined ? only?.list : undefined
  }

  /** A person's sum of the topics: 0 for a member of none. */
  valueOf(ordinal: number): number {
    let sum = 0
    for (const source of this.#sources) {
      const place = source.list.placeOf(ordinal)
      if (place < 0) continue
      sum += this.#valueAt(source, source.start + this.#ranks[source.start + place]! - 1)
    }
    return sum
  }

  get topics(): number {
    return this.#sources.length
  }

  /** The value of a rank in the one topic, or undefined where values are not those of ranks. */
  valueOfRank(rank: number): number | undefined {
    const [only, another] = this.#sources
    return another === undefined ? only!.end - only!.start - rank + 1 : undefined
  }

  /** The rank in the one topic, or 0 for those who have none. */
  rankOf(ordinal: number): number {
    const [only] = this.#sources
    const place = only!.list.placeOf(ordinal)
    return place < 0 ? 0 : this.#ranks[only!.start + place]!
  }

  /** Of those who have none their positions. */
  ranksOf(people: readonly number[]): readonly number[] {
    return people.map((person, at) => this.rankOf(person) || at + 1)
  }

  /** The expected number of people in all of the sets, as if the sets were independent. */
  #expectedAmong(all: readonly DocSet[]): number {
    let expected = this.#authorities
    for (let at = 0; at < all.length; at += 1) {
      expected *= Math.min(1, all[at]!.size / this.#authorities)
    }
    return expected
  }

  #ofEverybody(all: readonly DocSet[], best: Best): readonly number[] {
    const take = (ordinal: number) => {
      best.take(ordinal, this.valueOf(ordinal))
      return true
    }
    const plan = planWalk(all)
    const { walked, others } = plan
    // A set of several lists asks the others, too, before it looks any closer.
    const isOfSeveral = walked instanceof Union || walked instanceof Intersection
    if (isOfSeveral || (walked !== undefined && walked.size < chunkedMin)) {
      walked.forEach(others, take)
      return best.ordinals
    }
    walkChunks(plan, (ordinals, count) => {
      for (let index = 0; index < count; index += 1) take(ordinals[index]!)
      return endless
    })
    return best.ordinals
  }

  /** Undefined as soon as it would take longer than looking at everybody, at the rate so far. */
  #downTheOne({ all, limit, after, looks }: Question): readonly number[] | undefined {
    const found: number[] = []
    const { list, end } = this.#sources[0]!
    const rarest = rarestBeside(all, list)
    const first = this.#positionBehind(after)
    const chunk = new Uint32Array(Math.max(0, Math.min(looksMax, end - first)))
    for (let position = first, length = firstLooks; position < end; length *= 2) {
      if ((position - first) * limit >= looks * (found.length + 1)) return undefined
      const count = Math.min(length, looksMax, end - position)
      for (let index = 0; index < count; index += 1) chunk[index] = this.#members[position + index]!
      const kept = Math.min(retainAll(rarest, chunk, count), limit - found.length)
      for (let index = 0; index < kept; index += 1) found.push(chunk[index]!)
      if (found.length === limit) return found
      position += count
    }
    return this.#withOthers(found, all, limit)
  }

  #positionBehind(after: OrderMark): number {
    const { start, end } = this.#sources[0]!
    if (after.value === Number.POSITIVE_INFINITY) return start
    const position = Math.max(start, Math.floor(end - after.value))
    const member = this.#members[position]!
    const isAt = position < end && !isFirst(after.value, after.ordinal, end - position, member)
    return isAt ? position + 1 : position
  }

  /**
   * Ends when nobody below can have as much (Fagin's threshold algorithm); undefined as
   * `#downTheOne`.
   */
  #downAll({ all, limit, after, looks }: Question): readonly number[] | undefined {
    const best = new Best(limit, after)
    // Of its own topic every member is.
    const asked = this.#sources.map(({ list }) => rarestBeside(all, list))
    for (
      let looked = 0, depth = 0;
      looked * limit < looks * (best.ordinals.length + 1);
      depth += 1
    ) {
      let below = 0
      for (let index = 0; index < this.#sources.length; index += 1) {
        const source = this.#sources[index]!
        const position = source.start + depth
        if (position >= source.end) continue
        looked += 1
        below += this.#valueAt(source, position)
        const ordinal = this.#members[position]!
        if (isInAll(asked[index]!, ordinal)) best.take(ordinal, this.valueOf(ordinal))
      }
      if (best.isAbove(below)) return best.ordinals
      if (below === 0) return this.#withOthers(best.ordinals, all, limit)
    }
    return undefined
  }

  #withOthers(found: readonly number[], all: readonly DocSet[], limit: number): readonly number[] {
    const only = this.members
    // If one of the sets is the only topic itself, all matches are members: there are no others.
    if (only !== undefined && all.some((each) => each instanceof List && each.isSame(only)))
      return found
    const least = new Best(limit - found.length)
    forEachInAll(all, (ordinal) => this.valueOf(ordinal) > 0 || least.take(ordinal))
    return [...found, ...least.ordinals]
  }

  /** A member's value in a topic: above 0, more than the next; by ranks if there is one topic. */
  #valueAt({ end }: Source, position: number): number {
    return this.#sources.length === 1 ? end - position : this.#shares[position]! + 1
  }
}
