/**
 * Answers by question, all of one snapshot, bounded in bytes; empty answers too. Invariant: an answer is given
 * only while its snapshot was seen to be the served one within `freshMs`, or is seen so now, which is free.
 */

/** A kept answer. */
interface KeptAnswer {
  readonly results: readonly unknown[]
  readonly snapshot: string
}

/** Options of the cache. */
export interface CacheOptions {
  readonly bytesMax: number
  /** Duration for which a snapshot counts as the served one, ms. */
  readonly freshMs: number
  /** Monotonic milliseconds. */
  readonly now: () => number
  /** The id of the snapshot that is served, from a free request. */
  readonly served: () => Promise<string>
  /** Reads the people that changed since a snapshot; undefined if every person may have. */
  readonly changes?: ((since: string) => Promise<ChangedPeople | undefined>) | undefined
}

/** The people that changes are about. */
export interface ChangedPeople {
  readonly sdus: ReadonlySet<string>
  /** Handles that came or went, without their platform, letters and digits only, in lower case. */
  readonly handles: readonly string[]
}

interface Entry {
  readonly answer: KeptAnswer
  readonly bytes: number
  /** The people of the answer; undefined if it cannot be kept through changes of others. */
  readonly about: About | undefined
}

/** The subjects that an answer depends on: people and, of a handle, its text. */
export interface About {
  readonly sdus: readonly string[]
  readonly handle?: string | undefined
}

/** Keeps answers. */
export class KeptAnswers {
  readonly #options: CacheOptions
  /** The least recently used first. */
  readonly #entries = new Map<string, Entry>()
  #bytes = 0
  #snapshot = ''
  #seenMs = Number.NEGATIVE_INFINITY
  #check: Promise<void> | undefined

  constructor(options: CacheOptions) {
    this.#options = options
  }

  /** The kept answer to a question; undefined if there is none or it may be out of date. */
  async get(key: string): Promise<KeptAnswer | undefined> {
    if (!this.#entries.has(key)) return undefined
    const { now, freshMs } = this.#options
    if (now() - this.#seenMs > freshMs) {
      this.#check ??= this.#revalidate().finally(() => {
        this.#check = undefined
      })
      // If the served snapshot is unknown, the question is asked anew; its failure gives the reason.
      const isKnown = await this.#check.then(
        () => true,
        () => false,
      )
      if (!isKnown) return undefined
    }
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.answer
  }

  /** Keeps an answer. One of another snapshot ends the others, or waits until they follow. */
  put(key: string, answer: KeptAnswer, about?: About): void {
    if (!this.#see(answer.snapshot)) return
    const bytes = 2 * (JSON.stringify(answer).length + key.length)
    this.#remove(key)
    this.#entries.set(key, { answer, bytes, about })
    this.#bytes += bytes
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#options.bytesMax) break
      this.#remove(oldest)
    }
  }

  #remove(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0
    this.#entries.delete(key)
  }

  /** A snapshot was seen to be served: whether it is that of the answers now. */
  #see(snapshot: string): boolean {
    const { changes, now } = this.#options
    const isOther = snapshot !== this.#snapshot
    if (isOther && changes !== undefined && this.#entries.size > 0) {
      this.#seenMs = Number.NEGATIVE_INFINITY
      return false
    }
    if (isOther) this.#clear()
    this.#snapshot = snapshot
    this.#seenMs = now()
    return true
  }

  #clear(): void {
    this.#entries.clear()
    this.#bytes = 0
  }

  async #revalidate(): Promise<void> {
    const served = await this.#options.served()
    if (served !== this.#snapshot) {
      const changed = await this.#options.changes?.(this.#snapshot)
      if (changed === undefined) this.#clear()
      else this.#keepUnchanged(changed, served)
      this.#snapshot = served
    }
    this.#seenMs = this.#options.now()
  }

  #keepUnchanged(changed: ChangedPeople, snapshot: string): void {
    for (const [key, { about, answer, bytes }] of [...this.#entries]) {
      if (about === undefined || isChanged(about, changed)) this.#remove(key)
      else this.#entries.set(key, { about, bytes, answer: { ...answer, snapshot } })
    }
  }
}

function isChanged({ sdus, handle }: About, changed: ChangedPeople): boolean {
  if (sdus.some((sdu) => changed.sdus.has(sdu))) return true
  if (handle === undefined) return false
  // Beyond ASCII and in escapes one handle has many spellings.
  if (/[^ -~]|%/.test(handle)) return true
  const text = lettersAndDigits(handle)
  return changed.handles.some((each) => text.includes(each))
}

/** Letters and digits of a text, in lower case. */
export function lettersAndDigits(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}
