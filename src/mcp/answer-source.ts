/**
 * The source of answers for the MCP tools: the API of this process, or another service. Both use the published paths
 * and envelope, so a tool cannot distinguish them.
 */

import type { ServerContext } from '@modelcontextprotocol/server'
import type { ActiveSnapshot } from '../api/active-snapshot.ts'
import type { Api } from '../api/api.ts'
import type { ApiReply, ApiRequest } from '../api/exchange.ts'
import { asData } from './record-texts.ts'

/** The status of an answer and its body, parsed; with status 200 `json` holds `results`. */
export interface Answer {
  readonly status: number
  readonly json: Readonly<Record<string, unknown>>
}

export interface Asker {
  /** The id of the message with whose answer the question is charged; absent outside of messages. */
  readonly message?: string | number | undefined
  /** The key under which a repeat is not charged again; absent if the caller gave none. */
  readonly idempotencyKey?: string | undefined
}

/** A request to a route: a JSON body, or a query string. */
export interface Question extends Asker {
  readonly path: string
  readonly query?: string
  readonly body?: string
}

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
}

/** Bounds of a line in the description of a tool. */
export const largestTopicsMax = 8
const topicCharactersMax = 40

/** A label as that line names it. */
export function briefTopic(label: string): string {
  return asData(label).slice(0, topicCharactersMax)
}

export function largestTopicsOf(served: ActiveSnapshot | undefined): string[] {
  if (served === undefined) return []
  const { catalog, suggestions } = served
  const largest = suggestions.topicsBySize.subarray(0, largestTopicsMax)
  return Array.from(largest, (topic) => briefTopic(catalog.labelOf(topic)))
}

export function requestOf({ path, query = '', body, idempotencyKey = '' }: Question): ApiRequest {
  const asked = { path, query, idempotencyKey: () => idempotencyKey }
  if (body === undefined) return { method: 'GET', ...asked }
  return { method: 'POST', ...asked, body: Buffer.from(body), contentType: 'application/json' }
}

/** The member of `_meta` in which a message has the key of its question. */
const keyMember = 'authority-index/idempotency-key'

/** Empty where a tool is called without a message. */
export function askerOf(context: ServerContext | undefined): Asker {
  if (context === undefined) return {}
  const { id: message, _meta } = context.mcpReq
  const key = _meta?.[keyMember]
  return { message, idempotencyKey: key === undefined ? undefined : String(key) }
}

export const authorityUri = 'authority-index://authority'

export const topicsUri = 'authority-index://topics'

export function parsedAnswer({ status, body }: Pick<ApiReply, 'status' | 'body'>): Answer {
  return { status, json: JSON.parse(Buffer.from(body).toString()) }
}

/** @param api one that needs no key, so that nothing is charged. */
export function askingOf(api: Api): AnswerSource['ask'] {
  return async (question) => parsedAnswer(api.answer(requestOf(question)))
}
