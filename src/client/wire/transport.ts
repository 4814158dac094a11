/**
 * The seam between the client and the network: one request on the wire and its whole answer, or a
 * `WireFailure` with the known facts of the connection. It knows nothing of retries, keys and meaning.
 */

/** One request on the wire. */
export interface SentRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  /** Ends the request and its connection. */
  readonly signal: AbortSignal
  /** Whether the request needs a connection that carried no other. */
  readonly isFresh: boolean
}

/** A whole answer; header names in lower case. */
export interface WireAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** Sends requests. */
export interface Transport {
  /** @throws WireFailure without a whole answer. */
  send(request: SentRequest): Promise<WireAnswer>
  /** Closes idle connections. */
  close(): void
}

/** A connection that brought no whole answer. */
export class WireFailure extends Error {
  /** Whether the connection had carried a request before. */
  readonly wasReused: boolean
  /** Whether a byte of the answer had come. */
  readonly hasBegun: boolean

  constructor(cause: unknown, { wasReused, hasBegun }: { wasReused: boolean; hasBegun: boolean }) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.name = 'WireFailure'
    this.wasReused = wasReused
    this.hasBegun = hasBegun
  }
}

/** The text of a body. @throws TypeError if it is not UTF-8: a damaged answer. */
export function bodyText(bytes: Uint8Array | ArrayBuffer): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
}
