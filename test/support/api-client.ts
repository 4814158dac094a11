/**
 * Requests to the API without a socket. Unless a test says otherwise the clock moves by a millisecond each time it
 * is read, and all request ids are the same, so that every answer is known to the digit.
 */

import type { ActiveSnapshot } from '../../src/api/active-snapshot.ts'
import { Api } from '../../src/api/api.ts'
import { type ApiReply, type ApiRequest, headersOf, type OnReply } from '../../src/api/exchange.ts'
import { RequestIds } from '../../src/api/pipeline/request-ids.ts'

export type Item = Record<string, unknown> & { readonly sdu: string; readonly rank: number }

export interface Envelope {
  readonly duration: number
  readonly request_id?: string
  readonly results: readonly Item[]
  readonly [field: string]: unknown
}

/** A reply with its headers by lower-case name and its body parsed; `text` is '' without a body. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly json: Envelope
}

export const requestId = '00000000-0000-4000-8000-000000000000'

interface Surroundings {
  /** How far the clock moves each time it is read. */
  readonly durationMs?: number
  readonly onError?: (error: unknown) => void
  readonly onReply?: OnReply
}

export function newApi(served: ActiveSnapshot | undefined, surroundings: Surroundings = {}): Api {
  const { durationMs = 1, onError = rethrow, onReply } = surroundings
  let readings = 0
  return new Api({
    served: () => served,
    clock: () => durationMs * readings++,
    ids: sameIds(),
    onError,
    onReply,
  })
}

/** The API over what is served first, and what swaps it, as a service does; its clock stands. */
export function swapping(first: ActiveSnapshot) {
  const state = { served: first }
  const context = { clock: () => 0, ids: sameIds(), onError: rethrow }
  const api = new Api({ served: () => state.served, ...context })
  return { api, swap: (next: ActiveSnapshot) => Object.assign(state, { served: next }) }
}

export function sameIds(): RequestIds {
  return new RequestIds((block) => block.fill(0))
}

export function rethrow(error: unknown): never {
  throw error
}

export function read(reply: ApiReply): Reply {
  const { status, body } = reply
  const headers = headersOf(reply)
  const text = Buffer.from(body).toString()
  return {
    status,
    headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
    text,
    json: text === '' ? { duration: 0, results: [] } : JSON.parse(text),
  }
}

export function ask(api: Api, target: string, fields: Partial<ApiRequest> = {}): Reply {
  const [path = '', query = ''] = target.split(/\?(.*)/s)
  return read(api.answer({ method: 'GET', path, query, ...fields }))
}
