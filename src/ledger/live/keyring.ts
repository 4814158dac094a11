/**
 * The keys that one serving thread accepts, as the main thread hands them over: those that came or changed, and those
 * that are good no more. A key is found by the header that it was sent in, once it was found by its hash; only headers
 * of good keys are remembered, and so many at most, so that guesses never fill the memory. If a ledger has more accounts
 * than are held, an unknown key is sought before it is refused.
 */
import { isWellFormedKey, keyHash, keyLength } from '../key.ts'
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

/** A good key: the hash of its secret, its owner, and its end (Infinity where it has none). */
export interface KeyEntry extends KeyOwner {
  readonly hash: string
  readonly expiresAtMs: number
}

/** Changes of keys: a plain value that the main thread posts to serving threads. */
export interface KeyNews {
  /** Those that came or changed. */
  readonly keys: readonly KeyEntry[]
  /** Hashes of those that were good or sought, and are not good. */
  readonly bad: readonly string[]
  /** Set where keys of accounts that are not held may be good, too: they are sought when they are sent. */
  readonly isPart?: true
}

/** Headers that are remembered at most. */
const headersMax = 10_000

const scheme = /^Bearer +([\x21-\x7e]+) *$/i
const usualScheme = 'Bearer '
const usualLength = usualScheme.length + keyLength

/** The keys that this thread was handed. */
export class Keyring {
  readonly #clock: () => number
  readonly #byHash = new Map<string, KeyEntry>()
  /** By the header `Authorization`. */
  readonly #byHeader = new Map<string, KeyEntry>()
  /** The header that was found last: a text of a new request is compared in a tenth of the time that hashing it takes. */
  #lastHeader = ''
  #lastEntry: KeyEntry | undefined
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

  /** Takes over changes; a key that is good no more is unknown from here on. */
  take({ keys, bad, isPart }: KeyNews): void {
    const isHere = (hash: string) => this.#byHash.has(hash)
    const areOthers = bad.some(isHere) || keys.some(({ hash }) => isHere(hash))
    for (const hash of bad) {
      this.#byHash.delete(hash)
      this.#sought.missed(hash)
    }
    for (const entry of keys) {
      this.#byHash.set(entry.hash, entry)
      this.#sought.found(entry.hash)
    }
    this.#isPart = isPart === true
    if (!areOthers) return
    this.#lastHeader = ''
    this.#lastEntry = undefined
    for (const [header, entry] of this.#byHeader) {
      if (this.#byHash.get(entry.hash) !== entry) this.#byHeader.delete(header)
    }
  }

  /**
   * Whether the key of a header without an owner may be good all the same. It is sought then.
   * @param onGood is called when it is good, or when another request has it sought already.
   */
  isSought(authorization: string, onGood: () => void): boolean {
    const hash = this.#isPart ? hashIn(authorization) : undefined
    return hash !== undefined && !this.#byHash.has(hash) && this.#sought.isSought(hash, onGood)
  }

  /**
   * The owner of the key in an `Authorization` header; undefined for any other text, and for an unknown, revoked or
   * expired key.
   */
  ownerOf(authorization: string): KeyOwner | undefined {
    const entry = authorization === this.#lastHeader ? this.#lastEntry : this.#find(authorization)
    if (entry === undefined) return undefined
    const lives =
      entry.expiresAtMs === Number.POSITIVE_INFINITY || this.#clock() < entry.expiresAtMs
    return lives ? entry : undefined
  }

  #find(authorization: string): KeyEntry | undefined {
    const entry = this.#byHeader.get(authorization) ?? this.#findByHash(authorization)
    if (entry !== undefined) {
      this.#lastHeader = authorization
      this.#lastEntry = entry
    }
    return entry
  }

  #findByHash(authorization: string): KeyEntry | undefined {
    const hash = hashIn(authorization)
    const entry = hash === undefined ? undefined : this.#byHash.get(hash)
    // A header with more spaces than it needs could be as long as all others together.
    if (entry === undefined || authorization.length !== usualLength) return entry
    if (this.#byHeader.size === headersMax) {
      this.#byHeader.delete(this.#byHeader.keys().next().value!)
    }
    this.#byHeader.set(authorization, entry)
    return entry
  }
}

/** The hash of the key in a header; undefined for a header that cannot hold one. */
function hashIn(authorization: string): string | undefined {
  const key = keyIn(authorization)
  return key !== undefined && isWellFormedKey(key) ? keyHash(key) : undefined
}

/** Returns the text after the scheme; undefined if the header is not of that form. */
function keyIn(authorization: string): string | undefined {
  // The usual spelling first: the pattern takes longer.
  if (authorization.length === usualLength && authorization.startsWith(usualScheme)) {
    return authorization.slice(usualScheme.length)
  }
  return scheme.exec(authorization)?.[1]
}
