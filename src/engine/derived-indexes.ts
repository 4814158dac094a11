/**
 * Indexes that are derived from a snapshot and are not in its file. They are made once, by the sync or by the first load
 * of a snapshot, and lie in a file beside it from then on; a load has them in memory that all threads share.
 */

import type { Snapshot } from '../snapshot/file.ts'
import { profileRests } from '../snapshot/section-pages.ts'
import { type TopicCounts, topicCountsOf } from './facets/topic-counts.ts'
import { type Orders, ordersOf } from './suggest/orders.ts'
import { summaryNumbersOf } from './summary-rows.ts'
import type { HashBuckets } from './terms/hash-buckets.ts'
import { nameSoundsOf } from './terms/name-sounds.ts'
import { type TopicTokens, topicTokensOf } from './terms/topic-tokens.ts'
import { websiteTableOf } from './websites.ts'

/** All of it, as plain columns that can be handed to another thread. */
export interface DerivedIndexes {
  /** The index of suggestions. */
  readonly orders: Orders
  /** The index that proposes topics. */
  readonly tokens: TopicTokens
  /** The index of websites. */
  readonly websites: HashBuckets
  /** Of large topics. */
  readonly topicCounts: TopicCounts
  /** The index of names by their sounds. */
  readonly nameSounds: HashBuckets
  /** The numbers that summaries need, by person. */
  readonly summaryNumbers: Uint32Array
}

/** The indexes among other things, as far as they are there. */
export function derivedIndexesIn(all: Partial<DerivedIndexes>): Partial<DerivedIndexes> {
  const { orders, tokens, websites, topicCounts, nameSounds, summaryNumbers } = all
  return { orders, tokens, websites, topicCounts, nameSounds, summaryNumbers } as typeof all
}

/** Version of the columns: raise it with each change of their names, their content or their meaning. */
export const indexesVersion = 1

/**
 * Makes it: 1.2 µs of processor time a person.
 * @param rest called now and then, as where sections are read.
 */
export function madeOf(snapshot: Snapshot, rest: () => void = () => {}): DerivedIndexes {
  const { sections } = snapshot
  return {
    orders: ordersOf(snapshot, rest),
    tokens: topicTokensOf(sections, rest),
    websites: websiteTableOf(profileRests(snapshot), rest),
    topicCounts: topicCountsOf(sections, rest),
    nameSounds: nameSoundsOf(sections, rest),
    summaryNumbers: summaryNumbersOf(snapshot, rest),
  }
}
