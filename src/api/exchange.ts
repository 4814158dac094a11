/**
 * A request and a reply of the API, without a wire. It imports nothing of the API, so that every maker of
 * replies can import it.
 */
import type { ReservedCharge } from '../ledger/live/reservations.ts'
import type { RouteName } from '../operations.ts'

/** Names and values of headers in their order. */
export type HeaderPairs = readonly (readonly [name: string, value: string])[]

/** The parts of a request that the API needs. */
export interface ApiRequest {
  readonly method: string
  readonly path: string
  /**
   * The route of method and path, if the listener has found it before; the path
   * then holds no value.
   */
  readonly route?: RouteName | undefined
  /** The query string without `?`, still encoded. */
  readonly query: string
  /** Body of a POST; absent without one. */
  readonly body?: Uint8Array
  /** Media type of the body: the header `Content-Type`. */
  readonly contentType?: string
  /** The `If-None-Match` header; '' and absent are the same. */
  readonly ifNoneMatch?: string
  readonly authorization?: string
  /** The key under which a repeat is not charged; '' and absent are the same. To be called as `address` is. */
  idempotencyKey?(): string
  /** Whether the caller asks again when the reply says `soon`. */
  readonly canWait?: boolean
  /** Whether the limit of its account has counted it before, or the request that it is a part of. */
  readonly isCounted?: boolean
  /** The answer of the limit of its account, if that counted it before its body was read. */
  readonly takenNs?: number
  /** The client's address; to be called only while the request is being answered. */
  address?(): string
  /** The `Accept-Encoding` header; '' and absent are the same. To be called as `address` is. */
  acceptEncoding?(): string
}

/** Number of the values of a request that the first items of its answer answer, each different value counted once. */
export type AnsweredValues = (items: number) => number

/** A reply, valid until the next request to the same API: `copiedReply` makes one that outlives it. */
export interface ApiReply {
  readonly status: number
  /**
   * All header lines of an answer, as one value: that of `X-Request-Id`, then the other lines as
   * they are to stand on the wire. `headers` then has only lines that few answers need besides.
   */
  readonly head?: Uint8Array | undefined
  readonly headers: HeaderPairs
  readonly body: Uint8Array
  /** Reserved for this reply, to be charged when it is written. */
  readonly charge?: ReservedCharge | undefined
  /**
   * Of an answer whose items are for one of several values each: makes the count of what a part of it answers.
   * Undefined where all items answer all values.
   */
  readonly answeredValues?: (() => AnsweredValues | undefined) | undefined
  /** Duration of answering. */
  readonly seconds: number
  /** Whether the connection ends with it. */
  readonly isLast?: boolean
  /**
   * Set where the key of a request that can wait is being looked up: done then, or after two seconds. The reply is not
   * to be sent; the request is to be asked again, without waiting.
   */
  readonly soon?: Promise<void> | undefined
}

/** Called with every reply before it is written. */
export type OnReply = (request: ApiRequest, reply: ApiReply) => void

/** Refusals that metrics count by their kinds. */
export type CountedRefusal =
  | 'insufficient_balance_total'
  | 'rate_limited_total'
  | 'failed_keys_limited_total'
  | 'text_errors_total'

/** The headers of a reply, also of one that has them as one value. */
export function headersOf({ head, headers }: ApiReply): HeaderPairs {
  if (head === undefined) return headers
  const lines = `X-Request-Id: ${Buffer.from(head).toString('latin1')}`.split('\r\n')
  const pairs = lines.map((line): [string, string] => {
    const colon = line.indexOf(': ')
    return [line.slice(0, colon), line.slice(colon + 2)]
  })
  return [...pairs, ...headers]
}

/** A copy with memory of its own. Bodies are Buffers, whose `slice` shares the memory of the next answer. */
export function copiedBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes)
}

/** A reply that outlives the next request. */
export function copiedReply(reply: ApiReply): ApiReply {
  const { head, body } = reply
  const values = reply.answeredValues?.()
  return {
    ...reply,
    head: head && copiedBytes(head),
    body: copiedBytes(body),
    answeredValues: values && (() => values),
  }
}
