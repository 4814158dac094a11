/** The result of a search: the people, and the way that found them. */
import type { Correction } from '../match/cover.ts'
import { firstOf } from '../postings/best.ts'
import type { DocSet } from '../postings/doc-set.ts'
import { listOf } from '../postings/list.ts'
import type { QueryPart, QueryWord } from '../terms/query-word.ts'
import type { TopicOrder } from './ranking.ts'

/** The ways in which a query is understood, in the order in which they are tried. */
export const ways = [
  'identity',
  'topic',
  'name',
  'words',
  'related',
  'corrected',
  'likely-topic',
  'nobody',
] as const

export type Way = (typeof ways)[number]

export type Tier = readonly DocSet[]

/** @param people ascending. */
export function tierOf(people: ArrayLike<number>): Tier {
  return [listOf(Uint32Array.from(people))]
}

/** Names come first, tier by tier by authority; then the others by the order or by authority. */
export interface Matched {
  readonly names: readonly Tier[]
  /** The number of tiers of one person each, who stand first among others with the same score. */
  readonly equals?: number
  readonly words: Tier
  readonly order: TopicOrder | undefined
  /** Whether members of the order show their rank in it instead of their position. */
  readonly isRanked: boolean
}

/** People in the order of the answer. To be read before the next search. */
export interface Found {
  readonly way: Way
  /** The topic whose ranking the answer is, as far as it was asked for; or -1. */
  readonly topic: number
  readonly ordinals: ArrayLike<number>
  /** The ranks to be shown: those of one topic that was understood, else positions from 1. */
  readonly ranks: ArrayLike<number>
  /** The parts of the text that were used. */
  readonly parts: readonly QueryPart[]
  /** Words of the text that were not used. */
  readonly leftOut: readonly string[]
  readonly corrected: readonly Correction[]
  /** Everybody; absent where `topic` says it all, and where nobody was found. */
  readonly matched?: Matched
}

/** As an answer says it. */
export interface Understood {
  readonly way: Way
  readonly words: readonly string[]
  readonly corrected: readonly Correction[]
  readonly left_out: readonly string[]
  /** As the records write it; several by commas, null for none. */
  readonly country: string | null
  readonly topics: readonly string[]
  /** Labels and names that are near; only where nobody was found. */
  readonly suggestions?: Suggestions
}

/** Other searches to try: labels of topics, and names of people. */
export interface Suggestions {
  readonly topics: readonly string[]
  readonly names: readonly string[]
}

const none: readonly never[] = []

/** Nobody was found. */
export const foundNobody: Found = {
  way: 'nobody',
  topic: -1,
  ordinals: none,
  ranks: none,
  parts: none,
  leftOut: none,
  corrected: none,
}

/** Positions from 1, of as many as one answer can hold. */
export const positions: ArrayLike<number> = Uint8Array.from(
  { length: 255 },
  (_, index) => index + 1,
)

/** The first of all who matched, with their ranks; undefined where there are none. @param named the first by name. */
export function foundAmong(
  way: Way,
  matched: Matched,
  limit: number,
  named: readonly number[] = none,
): Found | undefined {
  const { order, isRanked } = matched
  const words = named.length < limit ? matched.words : none
  const others = words.length === 0 ? none : (order?.first(words, limit) ?? firstOf(words, limit))
  const people = joined(named, others)
  if (people.length === 0) return undefined
  const ordinals = people.length <= limit ? people : people.slice(0, limit)
  const ranks = isRanked ? order!.ranksOf(ordinals) : positions
  return { ...foundNobody, way, ordinals, ranks, matched }
}

/** Some people, and behind them those of others who are none of them. */
export function joined(people: readonly number[], others: readonly number[]): readonly number[] {
  if (people.length === 0) return others
  return others.length === 0
    ? people
    : [...people, ...others.filter((each) => !people.includes(each))]
}

/** The topics that parts mean, each once. */
export function topicsOf(parts: readonly QueryPart[]): readonly number[] {
  if (parts.every(({ topic }) => topic < 0)) return none
  return [...new Set(parts.map(({ topic }) => topic))].filter((topic) => topic >= 0)
}

export function textsWithout(
  all: readonly QueryWord[],
  used: readonly QueryWord[],
): readonly string[] {
  const words = new Set(used)
  return all.filter((word) => !words.has(word)).map(({ text }) => text)
}
