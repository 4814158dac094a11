/**
 * The keys that one serving thread accepts. A key that was seen before is found with one look-up of
 * its text; any other text is hashed and looked up once, and is remembered only if it is a key, or
 * for as long as nothing else is looked up: guesses never fill the memory. Nothing outlives the key
 * table it was checked against. If a ledger has more accounts than are held, an unknown key is sought
 * before it is refused.
 */
import { isWellFormedKey, keyHash } from '../key.ts'
import type { KeyTerms } from '../port.ts'
import { SoughtKeys } from './keys/sought-keys.ts'

/** The account that a request is charged to, and the restrictions of its key. */
export interface KeyOwner {
  readonly accountSlot: number
  readonly keyId: string
  /** The line that counts the sales to the key. */
  readonly line: number
  /** Purses from which its sales are taken: that of the account, then that of its cap, if it has one. */
  readonly purses: readonly number[]
  readonly terms?: PlacedTerms
}

/** The terms of a key, and the place of what is kept of it. */
export interface PlacedTerms extends KeyTerms {
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
  /** Set where keys of accounts that are not held may be good, too: they are sought when they are sent. */
  readonly isPart?: true
}

/** Results for keys that were sought: good ones for the table, and hashes of those that are not good. */
export interface FoundKeys extends KeyTable {
  readonly bad: readonly string[]
}

/** The keys of the newest table that this thread has been handed. */
export class Keyring {
  readonly #clock: () => number
  #byHash = new Map<string, KeyTableEntry>()
  #byText = new Map<string, KeyTableEntry>()
  /** The last text that was looked up, a key or not: comparing it costs less than looking it up. */
  #lastText = ''
  #lastEntry: KeyTableEntry | undefined
  #isPart = false
  readonly #sought: SoughtKeys

  /**
   * @param clock the ledger's: whether a key has expired is the same on every machine.
   * @param onSeek is called with the hash of a key that is to be sought.
   */
  constructor(clock: () => number, onSeek: (hash: string) => void = () => {}) {
    this.#clock = clock
    this.#sought = new SoughtKeys(clock, onSeek)
  }

  /** Takes the place of the table before; a revoked key is unknown from here on. */
  replace(table: KeyTable): void {
    this.#byHash = new Map(table.keys.map((entry) => [entry.hash, entry]))
    this.#byText = new Map()
    this.#lastText = ''
    this.#lastEntry = undefined
    this.#isPart = table.isPart === true
  }

  /** Adds keys that were found to the table, and remembers for a while which are not good. */
  add({ keys, bad }: FoundKeys): void {
    if (this.#lastEntry === undefined) this.#lastText = ''
    for (const entry of keys) {
      this.#byHash.set(entry.hash, entry)
      this.#sought.found(entry.hash)
    }
    for (const hash of bad) this.#sought.missed(hash)
  }

  /**
   * Whether a text without an owner may be a good key that is not here. It is sought then.
   * @param onGood is called when it is good, or when another request has it sought already.
   */
  isSought(presented: string, onGood: () => void): boolean {
    if (!this.#isPart || !isWellFormedKey(presented)) return false
    const hash = keyHash(presented)
    return !this.#byHash.has(hash) && this.#sought.isSought(hash, onGood)
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
