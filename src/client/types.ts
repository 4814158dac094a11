/**
 * The types of the client's methods: the types of the contract, with what every answer says of its price and origin.
 * Names of parameters and fields are those of the HTTP API.
 */
import type { Bodies, QueryParameters, Schemas } from './contract/contract.ts'

/** Members of every answer beside its results. */
export interface AnswerMeta {
  /** USD charged for this answer; of a coalesced call its share. 0 for what is free, cached or replayed. */
  cost: number
  /** USD that the account can still spend; null if the answer does not say. */
  balance: number | null
  /** The id of the snapshot that answered. */
  snapshot: string
  /** `X-Request-Id` of the request that was answered. */
  requestId: string
  /** Whether an earlier attempt had been charged, so that this answer was not. */
  isReplay: boolean
}

/** A schema of the contract as an answer. */
export type AnswerOf<Body extends { results: unknown[] }, Item = Body['results'][number]> = Omit<
  Body,
  'results' | 'duration' | 'request_id'
> &
  AnswerMeta & { results: Item[] }

/** The items of an answer: all fields, or those that `fields` names. */
export type FieldsOf<Item, Params> = Params extends { fields: string | readonly string[] }
  ? Schemas['Chosen'] & Pick<Partial<Schemas['Match']>, 'handle'>
  : Item

/** The items of an answer to a list; with `aligned` they may be null. */
export type AlignedOf<Item, Params> = Params extends { aligned: true }
  ? FieldsOf<Item, Params> | null
  : FieldsOf<Item, Params>

/** Parameters beside the main one. */
export type SearchParams = Omit<QueryParameters['search'], 'query'>
/** Parameters of peers beside the handles. */
export type PeersParams = Omit<QueryParameters['peers'], 'handles'>
/** Parameters of a match beside the handles; `aligned` is for lists. */
export type MatchParams = Omit<Bodies['match'], 'handles'>
/** Parameters of a detail beside the SDUs; `aligned` is for lists. */
export type DetailParams = Omit<Bodies['detail'], 'sdus'>
/** Parameters of a rank beside the sources. */
export type RankParams = Omit<Bodies['rank'], 'sources'>
/** Parameters of suggestions beside the text. */
export type SuggestParams = Omit<QueryParameters['autocomplete'], 'query'>
/** Parameters of changes beside the snapshot that they begin at. */
export type ChangesParams = Omit<QueryParameters['changes'], 'since'>
/** Parameters of a history beside the SDUs. */
export type HistoryParams = Omit<QueryParameters['history'], 'sdus'>

/** The items of a rank: the fields that are always there, and those that `fields` names or all. */
export type RankedOf<Params> = Params extends { fields: readonly string[] }
  ? Schemas['Source']
  : Schemas['Source'] &
      Required<Pick<Schemas['Source'], 'sdu' | 'name' | 'authority_score' | 'rank' | 'topic'>>
