/** The answers of the API, as far as the explorer reads them; `docs/api.md` explains each field. */

/** The members around the items. */
export interface AnswerEnvelope<T> {
  readonly duration: number
  readonly results: readonly T[]
  readonly total?: number
  readonly next_cursor?: string | null
}

/** Somebody in a list. */
export interface Summary {
  readonly sdu: string
  readonly name: string
  readonly rank: number
  readonly country_name: string
  readonly topic: string
  readonly authority_score: number
  readonly explanation?: RankExplanation
}

export interface Social {
  readonly handle: string
  readonly followers: number
}

/** Everything that a profile says of a person. */
export interface Profile {
  readonly sdu: string
  readonly name: string
  readonly bio: string
  readonly country: string
  readonly topics: readonly string[]
  readonly socials: Readonly<Record<string, Social>>
  readonly authority_score: number
  readonly website: string | null
  readonly explanation?: RankExplanation
}

interface Component {
  readonly name: 'own' | 'endorsement' | 'record'
  readonly value: number
  readonly share: number
}

interface Endorser {
  /** Null for a handle without an owner. */
  readonly sdu: string | null
  readonly name: string
  readonly kind: string
  readonly share: number
}

/** Proof that a record or a handle belongs to the person. */
interface Proof {
  readonly verified_by: string
  /** ISO 8601; null if the record does not say. */
  readonly verified_at: string | null
}

/** Origin of a record, and its verification as far as the record states it. */
export interface RecordSource extends Partial<Proof> {
  readonly source: string | null
  readonly licence: string | null
  readonly updated_at: string | null
  readonly handles?: readonly (Proof & { readonly platform: string; readonly handle: string })[]
}

/** Number of strongest endorsers without whom a rank falls by 1 or by 10 places; null if it never falls so far. */
interface RankResilience {
  readonly by_1: number | null
  readonly by_10: number | null
}

/** Explanation of a rank: its share, the components and the strongest endorsers. */
export interface RankExplanation {
  /** Null for the rank by authority score among all. */
  readonly topic: string | null
  readonly rank: number
  readonly of: number
  readonly share: number
  readonly margin: number
  readonly components: readonly Component[]
  readonly resilience?: RankResilience
  readonly endorsers: readonly Endorser[]
  readonly sources: readonly RecordSource[]
  readonly sentence: string
}

/** Interpretation of a search text. */
export interface Understanding {
  readonly way: WayInAnswer
  readonly words: readonly string[]
  readonly corrected: readonly { readonly from: string; readonly to: string }[]
  readonly left_out: readonly string[]
  readonly country: string | null
  readonly topics: readonly string[]
  /** Present only if no person was found. */
  readonly suggestions?: { readonly topics: readonly string[]; readonly names: readonly string[] }
}

type WayInAnswer =
  | 'identity'
  | 'topic'
  | 'name'
  | 'words'
  | 'related'
  | 'corrected'
  | 'likely-topic'
  | 'nobody'

export interface FacetCount {
  readonly key: string
  readonly count: number
}

export interface SearchAnswer extends AnswerEnvelope<Summary> {
  readonly query?: Understanding
  readonly facets?: Readonly<Record<string, readonly FacetCount[]>>
}

/** A person's rank and score in a snapshot. */
export interface HistoryMoment {
  readonly sdu: string
  readonly snapshot_id: string
  readonly at: string | null
  readonly topic: string | null
  readonly rank: number | null
  readonly authority_score: number | null
}

/** A person with a rank in one topic; null for a rank or a person that is not known. */
export interface TopicRankItem {
  readonly sdu: string | null
  readonly rank: number | null
  readonly explanation?: RankExplanation
}

/** A possible meaning of the typed text. */
export interface Suggestion {
  readonly kind: 'topic' | 'person' | 'handle'
  readonly text: string
  readonly sdu: string | null
  readonly name: string | null
  readonly topic: string | null
  readonly handle: string | null
  readonly authorities: number | null
}

export interface TopicItem {
  readonly topic: string
  readonly aliases: readonly string[]
  readonly authorities: number
}

export interface SnapshotItem {
  readonly id: string
  readonly created_at: string | null
  readonly published_at: string | null
  readonly authorities: number
  readonly topics: number
  readonly recipe: number
  readonly counts?: Readonly<Record<string, number>>
  readonly citation?: { readonly text: string }
}

/** A problem document (RFC 9457): the reason why there is no answer. */
export interface ProblemDocument {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail?: string
  readonly cost_usd?: number
  readonly balance_usd?: number
}
