/**
 * The keys that one serving thread accepts. A key that it was not handed is looked up on the main
 * thread, once for all requests that wait for it, and remembered until it changes; so many at most,
 * and no guess. One that is not good is remembered for a second; guesses take the places of earlier
 * guesses.
 */
import { isWellFormedKey, keyHash, keyLength } from '../books/key.ts'
import { type KeyTerms, keysMax } from '../books/port.ts'

/** The account that a request is charged to, and the restrictions of its key. */
export interface KeyOwner {
  readonly accountSlot: number
  readonly keyId: string
  readonly line: number
  /** Purses from which its sales are taken: that of the account, then that of its cap, if it has one. */
  readonly purses: readonly number[]
  readonly terms?: PlacedTerms
}

export interface PlacedTerms extends KeyTerms {
  readonly place: number
}

export interface KeyEntry extends KeyOwner {
  readonly hash: string
  readonly expiresAtMs: number
}

/** News of keys: a plain value that the main thread posts to serving threads. */
export interface KeyNews {
  /** Those that are still good are handed over again, or looked up when they are sent. */
  readonly changed: readonly string[]
  readonly keys: readonly KeyEntry[]
  readonly bad: readonly string[]
}

interface SoughtKey {
  /** Done when it was found or is not good, or was waited for long enough. */
  readonly soon: Promise<void>
  readonly end: () => void
}

/** Longest wait for a look-up, and duration for which a key that is not good is remembered. Milliseconds. */
const soughtMsMax = 2_000
const badMs = 1_000
const guessesMax = 10_000

const scheme = /^Bearer +([\x21-\x7e]+) *$/i
const usualScheme = 'Bearer '
const usualLength = usualScheme.length + keyLength

export class Keyring {
  readonly #clock: () => number
  readonly #onSeek: (hash: string) => void
  readonly #byHeader = new Map<string, KeyEntry>()
  readonly #byHash = new Map<string, KeyEntry>()
  /** The header that was found last: a text of a new request is compared in a tenth of the time that hashing it takes. */
  #lastHeader = ''
  #lastEntry: KeyEntry | undefined
  readonly #sought = new Map<string, SoughtKey>()
  readonly #bad = new Map<string, number>()

  /** @param clock the ledger's: whether a key has expired is the same on every machine. */
  constructor(clock: () => number, onSeek: (hash: string) => void = () => {}) {
    this.#clock = clock
    this.#onSeek = onSeek
  }

  take({ changed, keys, bad }: KeyNews): void {
    const replaced = keys.flatMap(({ hash }) => (this.#byHash.has(hash) ? hash : []))
    if (changed.length + replaced.length > 0) this.#forget(new Set([...changed, ...replaced]))
    for (const entry of keys) {
      putNewest(this.#byHash, entry.hash, entry, keysMax)
      this.#bad.delete(entry.hash)
      this.#endSeek(entry.hash)
    }
    for (const hash of bad) {
      if (this.#endSeek(hash)) putNewest(this.#bad, hash, this.#clock() + badMs, guessesMax)
    }
  }

  #forget(hashes: ReadonlySet<string>): void {
    this.#lastHeader = ''
    this.#lastEntry = undefined
    for (const hash of hashes) this.#byHash.delete(hash)
    for (const [header, { hash }] of this.#byHeader) {
      if (hashes.has(hash)) this.#byHeader.delete(header)
    }
  }

  /** The one look-up of a key, begun if none is under way; undefined where the key cannot be good. */
  seek(authorization: string): Promise<void> | undefined {
    const key = keyIn(authorization)
    if (key === undefined) return undefined
    const hash = keyHash(key)
    if (this.#clock() < (this.#bad.get(hash) ?? 0)) return undefined
    return this.#sought.get(hash)?.soon ?? this.#beginSeek(hash)
  }

  #beginSeek(hash: string): Promise<void> {
    if (this.#sought.size === guessesMax) this.#endSeek(this.#sought.keys().next().value!)
    let over = () => {}
    const soon = new Promise<void>((resolve) => {
      over = resolve
    })
    const timer = setTimeout(() => this.#endSeek(hash), soughtMsMax).unref()
    const end = () => {
      clearTimeout(timer)
      over()
    }
    this.#sought.set(hash, { soon, end })
    this.#onSeek(hash)
    return soon
  }

  /** @returns whether it was sought. */
  #endSeek(hash: string): boolean {
    this.#sought.get(hash)?.end()
    return this.#sought.delete(hash)
  }

  /** Undefined for any other text, for an expired key, and for one that was not looked up. */
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
    if (entry !== undefined) putNewest(this.#byHeader, usual, entry, keysMax)
    return entry
  }
}

function putNewest<T>(entries: Map<string, T>, name: string, entry: T, entriesMax: number): void {
  entries.delete(name)
  if (entries.size === entriesMax) entries.delete(entries.keys().next().value!)
  entries.set(name, entry)
}

function isUsual(authorization: string): boolean {
  return authorization.length === usualLength && authorization.startsWith(usualScheme)
}

function keyIn(authorization: string): string | undefined {
  const key = isUsual(authorization)
    ? authorization.slice(usualScheme.length)
    : scheme.exec(authorization)?.[1]
  return key !== undefined && isWellFormedKey(key) ? key : undefined
}
