/**
 * What is remembered for minutes, and lost with the process: codes, and what may be used once. Every map has a bound
 * and a life, and what fills it needs a good key or a login.
 */
import type { TermsChange } from '../ledger/checks/checked-terms.ts'

/** The consent of a person. */
export interface Grant {
  /** The digest of the client's id. */
  readonly client: string
  readonly redirect: string
  /** Of PKCE: SHA-256 of the verifier in base64url. */
  readonly challenge: string
  /** The account that pays; '' for that of the parent. */
  readonly account: string
  /** The id of the key that the new key is a child of; absent where a login named an account only. */
  readonly parent?: string
  readonly cap: NonNullable<TermsChange['cap']>
  readonly label: string
}

/** A code that was given. */
export interface KeptCode {
  readonly grant: Grant
  readonly untilMs: number
  /** What came of its use: the lineage of the keys; absent before it was used. */
  lineage?: Promise<string | undefined>
}

/** How much is remembered, and for how long. */
export interface RecentBounds {
  readonly lifeMs: number
  readonly entriesMax: number
  /** Milliseconds since the epoch. */
  readonly clock: () => number
}

/** A map that forgets what is older than a life, and takes no more than it has room for. */
export class RecentMap<V> {
  readonly #entries = new Map<string, { readonly value: V; readonly untilMs: number }>()
  readonly #options: RecentBounds

  constructor(options: RecentBounds) {
    this.#options = options
  }

  /** False where there is no room, or it is there already. */
  add(name: string, value: V): boolean {
    const nowMs = this.#options.clock()
    // They are in the order of their ends.
    for (const [each, { untilMs }] of this.#entries) {
      if (untilMs > nowMs) break
      this.#entries.delete(each)
    }
    if (this.#entries.size >= this.#options.entriesMax || this.#entries.has(name)) return false
    this.#entries.set(name, { value, untilMs: nowMs + this.#options.lifeMs })
    return true
  }

  /** Undefined for what is too old, too. */
  get(name: string): V | undefined {
    const found = this.#entries.get(name)
    return found !== undefined && this.#options.clock() < found.untilMs ? found.value : undefined
  }
}
