/**
 * The keys that a serving thread has sought among the accounts that are not held, each by its hash and for a short
 * time: which are being sought, and which are not good. Guesses take the places of earlier guesses.
 */

/** Duration until a key is sought again, and for which a key that is not good is remembered. Milliseconds. */
const soughtMs = 2_000
const badMs = 10_000
/** Maximum number of each that is remembered. */
const rememberedMax = 10_000

interface Remembered {
  readonly untilMs: number
}

interface SoughtKey extends Remembered {
  readonly onGood: () => void
}

export class SoughtKeys {
  readonly #clock: () => number
  readonly #onSeek: (hash: string) => void
  readonly #bad = new Map<string, Remembered>()
  readonly #sought = new Map<string, SoughtKey>()

  /** @param onSeek is called with the hash of a key that is to be sought. */
  constructor(clock: () => number, onSeek: (hash: string) => void) {
    this.#clock = clock
    this.#onSeek = onSeek
  }

  /**
   * Whether a key is sought; false for one that is known not to be good.
   * @param onGood is called when it is good, or when another request has it sought already.
   */
  isSought(hash: string, onGood: () => void): boolean {
    const nowMs = this.#clock()
    if (isWithin(this.#bad.get(hash), nowMs)) return false
    if (isWithin(this.#sought.get(hash), nowMs)) {
      onGood()
      return true
    }
    remember(this.#sought, hash, { untilMs: nowMs + soughtMs, onGood })
    this.#onSeek(hash)
    return true
  }

  /** Takes note that a key is good. */
  found(hash: string): void {
    this.#sought.get(hash)?.onGood()
    this.#sought.delete(hash)
  }

  /** Takes note that a key is not good. */
  missed(hash: string): void {
    remember(this.#bad, hash, { untilMs: this.#clock() + badMs })
  }
}

/** Remembers a hash; forgets the oldest one for it if there is no room. */
function remember<R extends Remembered>(all: Map<string, R>, hash: string, one: R): void {
  all.delete(hash)
  if (all.size >= rememberedMax) all.delete(all.keys().next().value!)
  all.set(hash, one)
}

function isWithin(one: Remembered | undefined, nowMs: number): boolean {
  return one !== undefined && nowMs < one.untilMs
}
