/**
 * The keys that one serving thread accepts. A key that was seen before is found with one look-up of
 * its text; any other text is hashed and looked up once, and is remembered only if it is a key, or
 * for as long as nothing else is looked up: guesses never fill the memory. Nothing outlives the key
 * table it was checked against.
 */
import { isWellFormedKey, keyHash } from '../key.ts'
import type { LineageTerms } from '../port.ts'

/** Whom a request is charged to, and what restricts it. */
export interface KeyOwner {
  readonly accountSlot: number
  readonly keyId: string
  readonly lineage: string
  /** Where what it is sold is counted. */
  readonly line: number
  /** Where that is taken from: the purse of the account, then those of the caps that it is under. */
  readonly purses: readonly number[]
  /** Of its own lineage, then of those above it; absent where none has any. */
  readonly terms?: readonly PlacedTerms[]
}

/** The terms of a lineage, and the place of what is kept of it. */
export interface PlacedTerms extends LineageTerms {
  readonly place: number
}

/** A key in the table: its hash, its owner, and its end (Infinity where it has none). */
export interface KeyTableEntry extends KeyOwner {
  readonly hash: string
  readonly expiresAtMs: number
}

/** Every key that is not revoked: a plain value that the main thread posts to serving threads. */
export interface KeyTable {
  readonly keys: readonly KeyTableEntry[]
}

/** The keys of the newest table that this thread has been handed. */
export class Keyring {
  readonly #clock: () => number
  #byHash = new Map<string, KeyTableEntry>()
  #byText = new Map<string, KeyTableEntry>()
  /** What was looked up last, a key or not: to compare it costs less than to look it up. */
  #lastText = ''
  #lastEntry: KeyTableEntry | undefined

  /** @param clock the ledger's: whether a key has expired is the same on every machine. */
  constructor(clock: () => number) {
    this.#clock = clock
  }

  /** Takes the place of the table before; a revoked key is unknown from here on. */
  replace(table: KeyTable): void {
    this.#byHash = new Map(table.keys.map((entry) => [entry.hash, entry]))
    this.#byText = new Map()
    this.#lastText = ''
    this.#lastEntry = undefined
  }

  /** The owner of a key; undefined for a text that is no key, and for an unknown, revoked or expired one. */
  ownerOf(presented: string): KeyOwner | undefined {
    const entry = presented === this.#lastText ? this.#lastEntry : this.#lookUp(presented)
    if (entry === undefined) return undefined
    const lives =
      entry.expiresAtMs === Number.POSITIVE_INFINITY || this.#clock() < entry.expiresAtMs
    return lives ? entry : undefined
  }

  #lookUp(presented: string): KeyTableEntry | undefined {
    const entry = this.#byText.get(presented) ?? this.#lookUpHash(presented)
    this.#lastText = presented
    this.#lastEntry = entry
    return entry
  }

  /** Remembers at most one text for each key of the table, since only one text has its hash. */
  #lookUpHash(presented: string): KeyTableEntry | undefined {
    if (!isWellFormedKey(presented)) return undefined
    const entry = this.#byHash.get(keyHash(presented))
    if (entry !== undefined) this.#byText.set(presented, entry)
    return entry
  }
}
