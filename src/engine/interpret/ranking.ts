/**
 * The order of results where the text means topics. For one topic it is the ranking of that topic; for
 * several, the sum of the shares. People who are members of none come last. Equals are in order of
 * authority.
 */
import type { Catalog } from '../catalog.ts'
import { endless, walkChunks } from '../postings/chunks.ts'
import {
  type DocSet,
  fewest,
  forEachInAll,
  Intersection,
  isInAll,
  planWalk,
  retainAll,
  Union,
} from '../postings/doc-set.ts'
import { includes, List } from '../postings/list.ts'
import type { Postings } from '../postings/postings.ts'
import { SmallestK } from '../postings/smallest-k.ts'

/** People in an order, and the value that each has in it. */
interface Ranked {
  readonly ordinals: number[]
  readonly values: number[]
}

/** The cost of looking up the share that one found person has of a topic, in looks at a bit. */
const valueLooks = 10

/** Members of a ranking that are looked at together: at first about as many as are wanted, then more. */
const firstLooks = 32
const looksMax = 1_024

/** A mark in the order: behind somebody who is a member, with the value that it had. */
interface OrderMark {
  readonly value: number
  readonly ordinal: number
}

/** A topic that was understood. */
interface Source {
  readonly list: List
  readonly start: number
  readonly end: number
}

/** A walk down a ranking: for the first of these behind a mark, in fewer looks than so many. */
type Question = [all: readonly DocSet[], limit: number, after: OrderMark, looks: number]

export class TopicOrder {
  readonly #members: Uint32Array
  readonly #shares: Uint32Array
  readonly #ranks: Uint32Array
  readonly #sources: readonly Source[]
  readonly #authorities: number
  readonly #catalog: Catalog

  /** @param topics at least one, each once. */
  constructor(catalog: Catalog, postings: Postings, topics: readonly number[]) {
    this.#catalog = catalog
    this.#members = catalog.sections['topic.members']
    this.#shares = catalog.sections['topic.shares']
    this.#ranks = catalog.sections['meaning.topic-ranks']
    this.#authorities = catalog.counts.authorities
    this.#sources = topics.map((topic) => ({
      list: postings.list('meaning', topic),
      ...catalog.membersOf(topic),
    }))
  }

  /**
   * The first `limit` of those who are among all of some, behind a mark or from the top. Behind a
   * mark in the order of one topic those above it are not looked at.
   */
  first(all: readonly DocSet[], limit: number, after: OrderMark = top): number[] {
    const both = this.#expectedAmong(all)
    const looks = fewest(all) + both * valueLooks * this.#sources.length
    // A walk that is not expected to end in time is not begun, unless it is late by little.
    const isWorth = limit * this.#memberships <= 2 * looks * both
    const best = isWorth ? this.#fromTheTop(all, limit, after, looks) : undefined
    return best ?? this.#ofEverybody(all, limit, after)
  }

  #fromTheTop(...question: Question): number[] | undefined {
    return this.topics === 1 ? this.#downTheOne(...question) : this.#downAll(...question)
  }

  /** The members of all topics, one behind the other. */
  get #memberships(): number {
    return this.#sources.reduce((sum, { start, end }) => sum + end - start, 0)
  }

  /** The members of the one topic: each of them has a value. */
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

  /** The number of topics that give the order. */
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
    if (place < 0) return 0
    const rank = this.#ranks[only!.start + place]!
    return this.#catalog.memberRank(only!.start + rank - 1, only!.start)
  }

  /** The expected number of people in all of the sets, as if the sets were independent. */
  #expectedAmong(all: readonly DocSet[]): number {
    const shares = all.map(({ size }) => Math.min(1, size / this.#authorities))
    return shares.reduce((product, share) => product * share, this.#authorities)
  }

  /** Looks at everybody. O(fewest). */
  #ofEverybody(all: readonly DocSet[], limit: number, after: OrderMark): number[] {
    const best: Ranked = { ordinals: [], values: [] }
    const take = (ordinal: number) => {
      const value = this.valueOf(ordinal)
      if (isBehind(value, ordinal, after)) insert(best, ordinal, value, limit)
      return true
    }
    const plan = planWalk(all)
    // A set of several lists asks the others, too, before it looks any closer.
    if (plan.walked instanceof Union || plan.walked instanceof Intersection) {
      plan.walked.forEach(plan.others, take)
      return best.ordinals
    }
    walkChunks(plan, (ordinals, count) => {
      for (let index = 0; index < count; index += 1) take(ordinals[index]!)
      return endless
    })
    return best.ordinals
  }

  /**
   * Goes down the ranking of the one topic, some members at a time, until enough are found. Undefined as
   * soon as it would take longer than looking at everybody if as many were found further down as so far.
   */
  #downTheOne(...[all, limit, after, looks]: Question): number[] | undefined {
    const { list, end } = this.#sources[0]!
    const rarest = all.filter((each) => !includes(each, list)).sort((a, b) => a.size - b.size)
    const first = this.#positionBehind(after)
    const chunk = new Uint32Array(Math.min(looksMax, end - first))
    const found: number[] = []
    for (let position = first, length = firstLooks; position < end; length *= 2) {
      if ((position - first) * limit >= looks * (found.length + 1)) return undefined
      const count = Math.min(length, chunk.length, end - position)
      for (let index = 0; index < count; index += 1) chunk[index] = this.#members[position + index]!
      const kept = retainAll(rarest, chunk, count)
      found.push(...chunk.subarray(0, Math.min(kept, limit - found.length)))
      if (found.length === limit) return found
      position += count
    }
    return this.#withOthers(all, found, limit)
  }

  /** The place in the one topic's ranking where the people behind a mark begin. */
  #positionBehind(after: OrderMark): number {
    const { start, end } = this.#sources[0]!
    if (after.value === Number.POSITIVE_INFINITY) return start
    const position = Math.max(start, Math.floor(end - after.value))
    const isAt = position < end && !isBehind(end - position, this.#members[position]!, after)
    return isAt ? position + 1 : position
  }

  /**
   * Goes down the rankings of several topics at once, and ends when nobody below can have as much as those
   * who were found (Fagin's threshold algorithm). Undefined as soon as it would take longer than
   * looking at everybody if as many were found further down as so far.
   */
  #downAll(...[all, limit, after, looks]: Question): number[] | undefined {
    // The fewest tell most of the others apart; of its own topic every member is.
    const rarest = all.toSorted((a, b) => a.size - b.size)
    const asked = this.#sources.map(({ list }) => rarest.filter((each) => !includes(each, list)))
    const best: Ranked = { ordinals: [], values: [] }
    const { ordinals, values } = best
    for (let looked = 0, depth = 0; looked * limit < looks * (ordinals.length + 1); depth += 1) {
      let below = 0
      for (let index = 0; index < this.#sources.length; index += 1) {
        const source = this.#sources[index]!
        const position = source.start + depth
        if (position >= source.end) continue
        looked += 1
        below += this.#valueAt(source, position)
        const ordinal = this.#members[position]!
        if (!isInAll(asked[index]!, ordinal)) continue
        const value = this.valueOf(ordinal)
        if (isBehind(value, ordinal, after)) insert(best, ordinal, value, limit)
      }
      if (values.length === limit && values[limit - 1]! > below) return ordinals
      if (below === 0) return this.#withOthers(all, ordinals, limit)
    }
    return undefined
  }

  /** All members who are among all of some, and behind them as many others as are wanted. */
  #withOthers(all: readonly DocSet[], members: number[], limit: number): number[] {
    const only = this.members
    // If one of the sets is the only topic itself, all matches are members: there are no others.
    const isOfOnly = (each: DocSet) =>
      only !== undefined && each instanceof List && each.isSame(only)
    if (all.some(isOfOnly)) return members
    const others = new SmallestK(limit - members.length)
    forEachInAll(all, (ordinal) => this.valueOf(ordinal) > 0 || others.take(ordinal))
    return [...members, ...others.numbers]
  }

  /** A member's value in a topic: above 0, more than the next; by ranks if there is one topic. */
  #valueAt({ end }: Source, position: number): number {
    return this.#sources.length === 1 ? end - position : this.#shares[position]! + 1
  }
}

/** Above everybody. */
const top: OrderMark = { value: Number.POSITIVE_INFINITY, ordinal: -1 }

function isBehind(value: number, ordinal: number, mark: OrderMark): boolean {
  return value < mark.value || (value === mark.value && ordinal > mark.ordinal)
}

/** Puts somebody among the best, each once: the more the better, of equals the top authority. */
function insert({ ordinals, values }: Ranked, ordinal: number, value: number, most: number): void {
  let at = ordinals.length
  while (at > 0 && isBetter(value, ordinal, values[at - 1]!, ordinals[at - 1]!)) at -= 1
  if (at === most || ordinals[at - 1] === ordinal) return
  ordinals.splice(at, 0, ordinal)
  values.splice(at, 0, value)
  if (ordinals.length > most) {
    ordinals.pop()
    values.pop()
  }
}

function isBetter(value: number, ordinal: number, other: number, otherOrdinal: number): boolean {
  return value > other || (value === other && ordinal < otherOrdinal)
}
