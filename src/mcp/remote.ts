/** The answer source over another service. A failure on the way is an answer, so that a tool can name the way out. */
import type { Item } from '../api/operations/items.ts'
import { operations } from '../operations.ts'
import { causeMessage } from '../problems.ts'
import {
  type Answer,
  type AnswerSource,
  briefTopic,
  largestTopicsMax,
  type McpOffer,
  type Question,
} from './answer-source.ts'

/** A session does not wait longer for the topics. */
const topicsWaitMs = 3_000

/** @param pasted may end in `/mcp` or lack `https://`. */
export function serviceAddress(pasted: string): string {
  const text = pasted.trim()
  const isHere = /^(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/]|$)/i.test(text)
  const whole = /^[a-z]+:\/\//i.test(text) ? text : `${isHere ? 'http' : 'https'}://${text}`
  return whole.replace(/\/+$/, '').replace(/\/mcp$/, '')
}

/** @param pasted may be the whole value of the header. */
export function pastedKey(pasted: string): string {
  return pasted.trim().replace(/^Bearer\s+/i, '')
}

/**
 * @param url the address of the service, without a path of its own: `https://host`.
 * @param key sent with every request, and to no other host.
 */
export async function remoteSource(
  url: string,
  key: string,
  offer: McpOffer,
): Promise<AnswerSource> {
  const headers = { Authorization: `Bearer ${key}` }
  const question = { path: operations.topics.paths[0], query: `limit=${largestTopicsMax}` }
  const { json } = await askRoute(url, question, headers, AbortSignal.timeout(topicsWaitMs))
  // None if the service cannot be reached, or the key is not valid: tools say which.
  const largest = json.results as readonly Item<'topics'>[]
  return {
    ...offer,
    largestTopics: largest.map(({ topic }) => briefTopic(String(topic))),
    ask: (question) => askRoute(url, question, headers),
  }
}

async function askRoute(
  url: string,
  { path, query, body, idempotencyKey }: Question,
  sent: Record<string, string>,
  signal: AbortSignal | null = null,
): Promise<Answer> {
  const headers = {
    ...sent,
    ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }),
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
  }
  const posted = body === undefined ? {} : { method: 'POST', body }
  const address = query === undefined ? `${url}${path}` : `${url}${path}?${query}`
  let status: number
  let json: Partial<Answer['json']> | null
  try {
    const response = await fetch(address, { ...posted, headers, redirect: 'error', signal })
    status = response.status
    json = (await response.json()) as typeof json
  } catch (error) {
    return unreachable(`${new URL(address).origin} did not answer: ${causeMessage(error)}`)
  }
  if (Array.isArray(json?.results)) return { status, json }
  return unreachable(`${new URL(address).origin} answered ${status} with something else`)
}

function unreachable(detail: string): Answer {
  return { status: 502, json: { detail, results: [] } }
}
