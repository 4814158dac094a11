/**
 * The keys that one serving thread accepts, by the headers that they were sent in. A key that it was not handed is looked
 * up on the main thread, once for all requests that wait for it, and is then remembered until it changes; so many keys
 * are remembered at most, and no guess is.
 */
import { isWellFormedKey, keyHash, keyLength } from '../books/key.ts'
import { type KeyTerms, keysMax } from '../books/port.ts'
import { SoughtKeys } from './sought-keys.ts'

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

/** News of keys: a plain value that the main thread posts to serving threads. */
export interface KeyNews {
  /** Hashes of keys that threads may have and that changed or ended: those that are still good are handed over again, or looked up when they are sent. */
  readonly changed: readonly string[]
  /** Good ones, looked up or not. */
  readonly keys: readonly KeyEntry[]
  /** Hashes of those that were looked up and are not good. */
  readonly bad: readonly string[]
}

const scheme = /^Bearer +([\x21-\x7e]+) *$/i
const usualScheme = 'Bearer '
const usualLength = usualScheme.length + keyLength

/** The keys that were sent to this thread. */
export class Keyring {
  readonly #clock: () => number
  /** By the header `Authorization`, as it is usually spelled. */
  readonly #byHeader = new Map<string, KeyEntry>()
  /** By the hashes of their secrets: a key that was handed over is good before it is sent. */
  readonly #byHash = new Map<string, KeyEntry>()
  /** The header that was found last: a text of a new request is compared in a tenth of the time that hashing it takes. */
  #lastHeader = ''
  #lastEntry: KeyEntry | undefined
  readonly #sought: SoughtKeys

  /**
   * @param clock the ledger's: whether a key has expired is the same on every machine.
   * @param onSeek is called with the hash of a key that is to be looked up.
   */
  constructor(clock: () => number, onSeek: (hash: string) => void = () => {}) {
    this.#clock = clock
    this.#sought = new SoughtKeys(clock, onSeek)
  }

  /** Takes over news. */
  take({ changed, keys, bad }: KeyNews): void {
    const replaced = keys.flatMap(({ hash }) => (this.#byHash.has(hash) ? hash : []))
    if (changed.length + replaced.length > 0) this.#forget(new Set([...changed, ...replaced]))
    for (const entry of keys) {
      putNewest(this.#byHash, entry.hash, entry)
      this.#sought.found(entry.hash)
    }
    for (const hash of bad) this.#sought.missed(hash)
  }

  #forget(hashes: ReadonlySet<string>): void {
    this.#lastHeader = ''
    this.#lastEntry = undefined
    for (const hash of hashes) this.#byHash.delete(hash)
    for (const [header, { hash }] of this.#byHeader) {
      if (hashes.has(hash)) this.#byHeader.delete(header)
    }
  }

  /**
   * The look-up of the key of a header without an owner, which is begun if none is under way: done when its owner is known,
   * or that it has none. Undefined where the key cannot be good.
   */
  seek(authorization: string): Promise<void> | undefined {
    const key = keyIn(authorization)
    return key === undefined ? undefined : this.#sought.seek(keyHash(key))
  }

  /**
   * The owner of the key in an `Authorization` header; undefined for any other text, for an expired key, and for one that
   * was not looked up.
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
    const key = keyIn(authorization)
    if (key === undefined) return undefined
    const usual = `${usualScheme}${key}`
    const entry = this.#byHeader.get(usual) ?? this.#byHash.get(keyHash(key))
    if (entry !== undefined) putNewest(this.#byHeader, usual, entry)
    return entry
  }
}

function putNewest(entries: Map<string, KeyEntry>, name: string, entry: KeyEntry): void {
  entries.delete(name)
  if (entries.size === keysMax) entries.delete(entries.keys().next().value!)
  entries.set(name, entry)
}

function isUsual(authorization: string): boolean {
  return authorization.length === usualLength && authorization.startsWith(usualScheme)
}

/** The key in a header; undefined for a header that cannot hold one. */
function keyIn(authorization: string): string | undefined {
  const key = isUsual(authorization)
    ? authorization.slice(usualScheme.length)
    : scheme.exec(authorization)?.[1]
  return key !== undefined && isWellFormedKey(key) ? key : undefined
}
