/**
 * The keys that a serving thread is having looked up, and for a second those that are not good. All
 * requests with a key wait for its one look-up. Guesses take the places of earlier guesses.
 */

/** Longest wait for a look-up, and duration for which a key that is not good is remembered. Milliseconds. */
const soughtMsMax = 2_000
const badMs = 1_000
const rememberedMax = 10_000

interface SoughtKey {
  /** Done when it was found or is not good, or was waited for long enough. */
  readonly soon: Promise<void>
  readonly end: () => void
}

export class SoughtKeys {
  readonly #clock: () => number
  readonly #onSeek: (hash: string) => void
  readonly #bad = new Map<string, number>()
  readonly #sought = new Map<string, SoughtKey>()

  constructor(clock: () => number, onSeek: (hash: string) => void) {
    this.#clock = clock
    this.#onSeek = onSeek
  }

  /** The one look-up of a key; undefined for one that is known not to be good. */
  seek(hash: string): Promise<void> | undefined {
    if (this.#clock() < (this.#bad.get(hash) ?? 0)) return undefined
    return this.#sought.get(hash)?.soon ?? this.#begin(hash)
  }

  #begin(hash: string): Promise<void> {
    makeRoom(this.#sought, (oldest) => this.#end(oldest))
    let over = () => {}
    const soon = new Promise<void>((resolve) => {
      over = resolve
    })
    const timer = setTimeout(() => this.#end(hash), soughtMsMax).unref()
    const end = () => {
      clearTimeout(timer)
      over()
    }
    this.#sought.set(hash, { soon, end })
    this.#onSeek(hash)
    return soon
  }

  found(hash: string): void {
    this.#bad.delete(hash)
    this.#end(hash)
  }

  missed(hash: string): void {
    if (this.#end(hash) === undefined) return
    makeRoom(this.#bad, (oldest) => this.#bad.delete(oldest))
    this.#bad.set(hash, this.#clock() + badMs)
  }

  #end(hash: string): SoughtKey | undefined {
    const sought = this.#sought.get(hash)
    this.#sought.delete(hash)
    sought?.end()
    return sought
  }
}

function makeRoom(all: ReadonlyMap<string, unknown>, forget: (oldest: string) => void): void {
  if (all.size >= rememberedMax) forget(all.keys().next().value!)
}
