/**
 * Requests by `fetch`: in browsers, Deno, Bun and workers. It neither chooses nor sees connections, so a
 * failure before the answer counts as one of a reused connection once its address has answered before.
 */
import {
  bodyText,
  type SentRequest,
  type Transport,
  type WireAnswer,
  WireFailure,
} from './transport.ts'

/** Sends requests by `fetch`. */
export class FetchTransport implements Transport {
  readonly #fetch: typeof fetch
  readonly #answered = new Set<string>()

  constructor(send: typeof fetch) {
    this.#fetch = send
  }

  async send({ url, method, headers, body, signal }: SentRequest): Promise<WireAnswer> {
    const { origin } = new URL(url)
    const wasReused = this.#answered.has(origin)
    let hasBegun = false
    try {
      const answer = await this.#fetch.call(globalThis, url, {
        method,
        headers,
        signal,
        cache: 'no-store',
        ...(body !== undefined && { body }),
      })
      hasBegun = true
      const text = bodyText(await answer.arrayBuffer())
      this.#answered.add(origin)
      return { status: answer.status, headers: Object.fromEntries(answer.headers), text }
    } catch (cause) {
      // Until it answers again, a further failure is an outage, not a connection that was too old.
      this.#answered.delete(origin)
      throw new WireFailure(cause, { wasReused, hasBegun })
    }
  }

  close(): void {
    this.#answered.clear()
  }
}
