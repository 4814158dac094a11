/**
 * The source of answers for the MCP tools: the API of this process, or another service. Both use the published paths
 * and envelope, so a tool cannot distinguish them.
 */

import type { ApiRequest } from '../api/exchange.ts'
import type { TopicSize } from '../engine/catalog.ts'
import { asData } from './record-texts.ts'

/** The status of an answer and its body, parsed; with status 200 `json` holds `results`. */
export interface Answer {
  readonly status: number
  readonly json: Readonly<Record<string, unknown>>
}

/** The largest topics, largest first. */
export interface Topics {
  readonly total: number
  readonly topics: readonly TopicSize[]
  /** The countries of people in the index, as the records write them. */
  readonly countries: readonly string[]
}

export interface Asker {
  /** The id of the message with whose answer the question is charged; absent outside of messages. */
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

/** The facts of an index that the operator decides, and a model learns before its first call. */
export interface McpOffer {
  /** Whether answers are charged to an account. */
  readonly isCharged: boolean
  readonly searchFetch: boolean
  /** Null if it is not known. */
  readonly publicUrl: string | null
}

export interface AnswerSource extends McpOffer {
  /** Largest first; empty if they are not known. */
  readonly largestTopics: readonly string[]
  /** Asks a route; a failure is an answer too, with its problem document. */
  readonly ask: (question: Question) => Promise<Answer>
  /** Undefined while no snapshot is served. Free of charge. */
  readonly topics: () => Promise<Topics | undefined>
}

/** Bounds of a line in the description of a tool. */
const largestTopicsMax = 8
const topicCharactersMax = 40

export function largestNamesOf(topics: Topics | undefined): string[] {
  const largest = (topics?.topics ?? []).slice(0, largestTopicsMax)
  return largest.map(({ topic }) => asData(topic).slice(0, topicCharactersMax))
}

export function requestOf({ path, query, body, idempotencyKey = '' }: Question): ApiRequest {
  const more = { idempotencyKey: () => idempotencyKey }
  if (body === undefined) return { method: 'GET', path, query, ...more }
  const contentType = 'application/json'
  return { method: 'POST', path, query: '', body: Buffer.from(body), contentType, ...more }
}

/** The member of `_meta` in which a message has the key of its question. */
const keyMember = 'authority-index/idempotency-key'

interface MessageContext {
  readonly mcpReq: {
    readonly id: string | number
    readonly _meta?: Readonly<Record<string, unknown>> | undefined
  }
}

/** Empty where a tool is called without a message. */
export function askerOf(context: MessageContext | undefined): Asker {
  if (context === undefined) return {}
  const { id: message, _meta } = context.mcpReq
  const key = _meta?.[keyMember]
  return { message, idempotencyKey: key === undefined ? undefined : String(key) }
}

export const authorityUri = 'authority-index://authority'

export const topicsUri = 'authority-index://topics'
