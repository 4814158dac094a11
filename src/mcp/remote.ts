/** The answer source over another service. A failure on the way is an answer, so that a tool can name the way out. */
import { operations } from '../operations.ts'
import { causeMessage } from '../problems.ts'
import {
  type Answer,
  type AnswerSource,
  largestNamesOf,
  type McpOffer,
  type Question,
  type Topics,
  topicsUri,
} from './answer-source.ts'

/** A page of the topics, as `resources.ts` writes it. */
type TopicsPage = Topics & { readonly next?: string }

/** Maximum number of pages of that list to read: a thousand topics of any length. */
const pagesMax = 50

/** The protocol revision that needs no session. */
const protocolVersion = '2026-07-28'

/** What a message of that revision says of its sender. */
const sender = {
  'io.modelcontextprotocol/protocolVersion': protocolVersion,
  'io.modelcontextprotocol/clientInfo': { name: 'authority-index', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

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
  const endpoint = `${url}${operations.mcp.paths[0]}`
  // The largest are on the first page.
  const first = await askTopics(endpoint, headers, 1, AbortSignal.timeout(topicsWaitMs))
  return {
    ...offer,
    largestTopics: largestNamesOf(first),
    ask: (question) => askRoute(url, question, headers),
    topics: () => askTopics(endpoint, headers, pagesMax),
  }
}

async function askRoute(
  url: string,
  { path, query, body, idempotencyKey }: Question,
  sent: Record<string, string>,
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
    const response = await fetch(address, { ...posted, headers, redirect: 'error' })
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

/** Undefined if the host is unreachable or another service, or the key is not valid: tools say which. */
async function askTopics(
  address: string,
  headers: Record<string, string>,
  pages: number,
  signal?: AbortSignal,
): Promise<Topics | undefined> {
  const found: Topics['topics'][number][] = []
  let first: TopicsPage | undefined
  let uri: string | undefined = topicsUri
  try {
    for (let page = 0; page < pages && uri !== undefined; page += 1) {
      const list = await askPage(address, headers, uri, signal)
      first ??= list
      found.push(...list.topics)
      uri = list.next
    }
  } catch {
    return undefined
  }
  return first && { ...first, topics: found }
}

async function askPage(
  address: string,
  headers: Record<string, string>,
  uri: string,
  signal: AbortSignal | undefined,
): Promise<TopicsPage> {
  const method = 'resources/read'
  const response = await fetch(address, {
    method: 'POST',
    redirect: 'error',
    ...(signal && { signal }),
    headers: {
      ...headers,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': protocolVersion,
      'Mcp-Method': method,
      'Mcp-Name': uri,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { uri, _meta: sender } }),
  })
  const { result } = (await response.json()) as { result: { contents: [{ text: string }] } }
  return JSON.parse(result.contents[0].text)
}
