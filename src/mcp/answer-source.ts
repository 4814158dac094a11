/**
 * The source of answers for the MCP tools: the API of this process, or another service. Both use the
 * published paths and envelope, so a tool cannot distinguish them, and no part of search, detail, peers,
 * match or billing is implemented twice.
 */

import type { ApiRequest } from '../api/exchange.ts'
import type { TopicSize } from '../engine/catalog.ts'
import { asData } from './record-texts.ts'

/** The status of an answer and its body, parsed; with status 200 `json` holds `results`. */
export interface Answer {
  readonly status: number
  readonly json: Readonly<Record<string, unknown>>
}

/** The largest topics, largest first, and the number of all topics. */
export interface Topics {
  readonly total: number
  readonly topics: readonly TopicSize[]
  /** The countries of people in the index, as the records write them. */
  readonly countries: readonly string[]
}

/** What a question has of the message that asks it. */
export interface Asker {
  /** The id of the message, with whose answer the question is charged; absent outside of messages. */
  readonly message?: string | number | undefined
  /** The key under which a repeat is not charged again; absent if the caller gave none. */
  readonly idempotencyKey?: string | undefined
}

/** A request to a route: a query string or a JSON body. */
export type Question = { readonly path: string } & Asker &
  (
    | { readonly query: string; readonly body?: never }
    | { readonly body: string; readonly query?: never }
  )

/** Facts that a model learns about an index before its first call. */
interface IndexFacts {
  /** Whether answers are charged to an account. */
  readonly isCharged: boolean
  /** The names of the largest topics, largest first; empty if they are not known. */
  readonly largestTopics: readonly string[]
  /** Whether the tools `search` and `fetch` are offered. */
  readonly searchFetch: boolean
  /** The address by which clients reach the service; null if that is not known. */
  readonly publicUrl: string | null
}

/** The facts of an index that the operator decides. */
export type McpOffer = Omit<IndexFacts, 'largestTopics'>

/** A source of answers on behalf of one caller. */
export interface AnswerSource extends IndexFacts {
  /** Asks a route; a failure is an answer too, with its problem document. */
  readonly ask: (question: Question) => Promise<Answer>
  /** The topics to browse; undefined while no snapshot is served. Free of charge. */
  readonly topics: () => Promise<Topics | undefined>
}

/** Maximum number of topics that a model learns, and of characters of each: a line in the description of a tool. */
const largestTopicsMax = 8
const topicCharactersMax = 40

/** The names of the largest topics, as a model reads them. */
export function largestNamesOf(topics: Topics | undefined): string[] {
  const largest = (topics?.topics ?? []).slice(0, largestTopicsMax)
  return largest.map(({ topic }) => asData(topic).slice(0, topicCharactersMax))
}

/** A question as the API of this process takes it. */
export function requestOf({ path, query, body, idempotencyKey = '' }: Question): ApiRequest {
  const more = { idempotencyKey: () => idempotencyKey }
  if (body === undefined) return { method: 'GET', path, query, ...more }
  const contentType = 'application/json'
  return { method: 'POST', path, query: '', body: Buffer.from(body), contentType, ...more }
}

/** The member of `_meta` in which a message has the key of its question. */
const keyMember = 'authority-index/idempotency-key'

/** The context of a message beside its arguments. */
interface MessageContext {
  readonly mcpReq: {
    readonly id: string | number
    readonly _meta?: Readonly<Record<string, unknown>> | undefined
  }
}

/** What a message gives its questions; nothing where a tool is called without one. */
export function askerOf(context: MessageContext | undefined): Asker {
  if (context === undefined) return {}
  const { id: message, _meta } = context.mcpReq
  const key = _meta?.[keyMember]
  return { message, idempotencyKey: key === undefined ? undefined : String(key) }
}

/** Base URI of people as resources, each by SDU. */
export const authorityUri = 'authority-index://authority'

/** URI of the list of topics as a resource. */
export const topicsUri = 'authority-index://topics'
