/** A request and a reply without a wire. It imports nothing of the API, so that every maker of replies can import it. */
import type { ReservedCharge } from '../ledger/live/reservations.ts'
import type { RouteName } from '../operations.ts'
import type { Problem } from '../problems.ts'

export type HeaderPairs = readonly (readonly [name: string, value: string])[]

export interface ApiRequest {
  readonly method: string
  readonly path: string
  /** Set if the listener has found it; the path then holds no value. */
  readonly route?: RouteName | undefined
  /** The query string without `?`, still encoded. */
  readonly query: string
  readonly body?: Uint8Array
  readonly contentType?: string
  /** '' and absent are the same. */
  readonly ifNoneMatch?: string
  readonly authorization?: string
  /** '' and absent are the same. To be called as `address` is. */
  idempotencyKey?(): string
  /** Whether the caller asks again when the reply says `soon`. */
  readonly canWait?: boolean
  /** Whether the limit of its account has counted it, or the request that it is a part of. */
  readonly isCounted?: boolean
  /** The answer of the limit of its account, if that counted it before its body was read. */
  readonly takenNs?: number | undefined
  /** The client's address; to be called only while the request is being answered. */
  address?(): string
  /** '' and absent are the same. To be called as `address` is. */
  acceptEncoding?(): string
}

/** The outcome of reading a request, or a part of one. */
export type Parsed<T> =
  | { readonly value: T; readonly problem?: undefined }
  | { readonly problem: Problem; readonly value?: undefined }

export function invalid(detail: string): { readonly problem: Problem } {
  return { problem: { code: 'invalid-parameter', detail } }
}

/** Number of the values of a request that the first items of its answer answer, each different value counted once. */
export type AnsweredValues = (items: number) => number

/** A reply, valid until the next request to the same API: `copiedReply` makes one that outlives it. */
export interface ApiReply {
  readonly status: number
  /** The value of `X-Request-Id` and then all other lines as on the wire; `headers` then has only lines beside them. */
  readonly head?: Uint8Array | undefined
  readonly headers: HeaderPairs
  readonly body: Uint8Array
  /** Reserved for this reply, to be charged when it is written. */
  readonly charge?: ReservedCharge | undefined
  /** Makes the count of what a part answers; undefined where all items answer all values. */
  readonly answeredValues?: (() => AnsweredValues | undefined) | undefined
  readonly seconds: number
  /** Whether the connection ends with it. */
  readonly isLast?: boolean
  /**
   * Set where the key of a request that can wait is being looked up; settles within two seconds. The reply is not to be
   * sent: ask again, without waiting.
   */
  readonly soon?: Promise<void> | undefined
}

/** Called with every reply before it is written. */
export type OnReply = (request: ApiRequest, reply: ApiReply) => void

export type CountedRefusal =
  | 'insufficient_balance_total'
  | 'rate_limited_total'
  | 'failed_keys_limited_total'
  | 'text_errors_total'

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

export function copiedReply<R extends Omit<ApiReply, 'seconds'>>(reply: R): R {
  const { head, body } = reply
  const values = reply.answeredValues?.()
  return {
    ...reply,
    head: head && copiedBytes(head),
    body: copiedBytes(body),
    answeredValues: values && (() => values),
  }
}
