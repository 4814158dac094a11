/**
 * Codes that the printed address of the explorer holds in the place of a key: each is exchanged for its key
 * once, within ten minutes. They live in the memory of the main thread only, so that no two threads
 * can exchange the same one, and a restart ends them all. Only the digest of a code is kept.
 */
import { createHash, randomBytes } from 'node:crypto'

export const linkCodeMs = 10 * 60_000

/** Maximum number of codes that wait at once; one more ends the oldest. */
const codesMax = 16

interface Waiting {
  readonly key: string
  readonly endsAtMs: number
}

interface LinkCodesContext {
  /** Milliseconds of a clock that only goes forward. */
  readonly clock: () => number
  readonly random?: (bytes: number) => Uint8Array
}

export class LinkCodes {
  readonly #waiting = new Map<string, Waiting>()
  readonly #clock: () => number
  readonly #random: (bytes: number) => Uint8Array

  constructor({ clock, random = randomBytes }: LinkCodesContext) {
    this.#clock = clock
    this.#random = random
  }

  /** A new code for a key: 192 random bits as base64url. */
  issue(key: string): string {
    this.#forgetOld()
    while (this.#waiting.size >= codesMax) this.#waiting.delete(this.#waiting.keys().next().value!)
    const code = Buffer.from(this.#random(24)).toString('base64url')
    this.#waiting.set(digestOf(code), { key, endsAtMs: this.#clock() + linkCodeMs })
    return code
  }

  /** The key of a code, which is used up by that; undefined for one that is unknown, used or too old. */
  exchange(code: string): string | undefined {
    this.#forgetOld()
    const digest = digestOf(code)
    const found = this.#waiting.get(digest)
    this.#waiting.delete(digest)
    return found?.key
  }

  #forgetOld(): void {
    const nowMs = this.#clock()
    for (const [digest, { endsAtMs }] of this.#waiting) {
      if (endsAtMs <= nowMs) this.#waiting.delete(digest)
    }
  }
}

/** A look-up by a digest takes as long for a code that is nearly right as for any other. */
function digestOf(code: string): string {
  return createHash('sha256').update(code).digest('base64url')
}
