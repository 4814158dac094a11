/**
 * A change between two snapshots: one fact of one person, and what it was before and is after. A person who came is
 * added first and given handles and ranks then; one who went loses them first.
 */

import type { changeTypes } from '../../request-parameters.ts'

export type ChangeType = (typeof changeTypes)[number]

export type ProfileFields = Readonly<Record<string, unknown>>

/**
 * A fact that changed; null is nothing. By type:
 * `added`, `removed`: the profile item. `merged`: the profile item, and the SDU that has the handles.
 * `score`: hundredths. `rank`: the place among the first of `topic`. `core_topic`: labels.
 * `profile`: the fields that differ, each side with those it has. `handle`: `platform:key`.
 */
export interface Change {
  readonly type: ChangeType
  /** The label of the topic of a rank; null for everything else. */
  readonly topic: string | null
  readonly before: unknown
  readonly after: unknown
}

export interface PersonChanges {
  readonly sdu: string
  readonly changes: readonly Change[]
}

export function changeOf(type: ChangeType, before: unknown, after: unknown): Change {
  return { type, topic: null, before, after }
}

export interface Stability {
  /** Of topics with ten members or more in both: number of the first ten that stayed among them. */
  readonly firstTen: {
    readonly topics: number
    /** The mean and the least number, 0 to 10; null without topics. */
    readonly mean: number | null
    readonly min: number | null
    /** The share of the topics where all ten stayed; null without topics. */
    readonly share: number | null
  }
  /** Kendall's τ of the first members of the large topics, of those in both; 1 is the same order. */
  readonly kendallTau: {
    readonly topics: number
    readonly mean: number | null
    readonly min: number | null
  }
}
