/**
 * The part of a ledger that a service's session holds: the accounts that it may sell from, and the keys that it was asked
 * for. Of a ledger that has no more accounts than there is room for these are all accounts; of a larger one, those whose
 * keys were sent. An account that is held stays so, as it has a slot in shared memory.
 */
import { changedNumbers } from './books/account-rows.ts'
import { goodKeysWith } from './books/key-rows.ts'
import { accountsMax, type GoodKey } from './port.ts'
import type { RunStatement } from './sql/port.ts'

/** Options of what is held. */
export interface HeldOptions {
  /** As many as shared memory has slots for, where it is absent. */
  readonly accountsMax?: number
  /** Is called with one line once there is no room for more. */
  readonly report: (line: string) => void
}

/** The number of a change before which there was none. */
export const noneSeen = -1

/** The most keys of one look-up, and the most that wait: a key beyond that is looked up when it is sent again. */
const soughtAtOnceMax = 250
const soughtMax = 5_000

/** What a look-up found. */
interface Found {
  /** Hashes of keys that were sought. */
  readonly sought: readonly string[]
  readonly good: readonly GoodKey[]
}

/** What of it is held. */
interface FoundHeld {
  /** The good keys of accounts that are held. */
  readonly keys: readonly GoodKey[]
  /** Hashes of keys that were sought and are not good. */
  readonly bad: readonly string[]
  /** Their accounts, and those of them that have caps. */
  readonly accounts: readonly number[]
  readonly capped: readonly string[]
}

export class Held {
  readonly #accounts = new Set<number>()
  readonly #capped = new Set<string>()
  readonly #sought = new Set<string>()
  readonly #roomMax: number
  readonly #report: (line: string) => void
  #isPart = false
  #isFull = false

  constructor({ accountsMax: roomMax = accountsMax, report }: HeldOptions) {
    this.#roomMax = roomMax
    this.#report = report
  }

  /** Whether the ledger has other accounts, too. */
  get isPart(): boolean {
    return this.#isPart
  }

  /** The keys that were found and have caps. */
  get capped(): readonly string[] {
    return [...this.#capped]
  }

  /** The numbers of those that are held and changed after a change. New ones are held while there is room for all of them. */
  async changed(query: RunStatement, seen: number): Promise<readonly number[]> {
    const changed = await changedNumbers(query, seen, this.#roomMax + 1)
    const fresh = this.#isPart ? [] : changed.filter((number) => !this.#accounts.has(number))
    if (fresh.length > this.#roomMax - this.#accounts.size) this.#isPart = true
    else for (const number of fresh) this.#accounts.add(number)
    if (changed.length > this.#roomMax) return [...this.#accounts]
    return changed.filter((number) => this.#accounts.has(number))
  }

  /** Has a key sought by the hash of its secret. */
  seek(hash: string): void {
    if (this.#sought.size < soughtMax) this.#sought.add(hash)
  }

  /** Whether keys wait to be sought. */
  get isSeeking(): boolean {
    return this.#sought.size > 0
  }

  /** Looks up some of the keys that are sought, and others. */
  async find(query: RunStatement, nowMs: number, others: readonly string[] = []): Promise<Found> {
    const sought = [...this.#sought].slice(0, soughtAtOnceMax)
    const hashes = [...new Set([...sought, ...others])]
    return { sought, good: hashes.length === 0 ? [] : await goodKeysWith(query, hashes, nowMs) }
  }

  /** Holds the accounts of keys that were found as far as there is room, and their caps. Until `over` they stay sought. */
  hold({ sought, good }: Found): FoundHeld {
    this.#holdAccounts(good.map(({ accountNumber }) => accountNumber))
    const keys = good.filter(({ accountNumber }) => this.#accounts.has(accountNumber))
    const capped = keys.flatMap(({ id, terms }) => (terms?.cap === undefined ? [] : id))
    for (const keyId of capped) this.#capped.add(keyId)
    const found = new Set(good.map(({ hash }) => hash))
    return {
      keys,
      bad: sought.filter((hash) => !found.has(hash)),
      accounts: [...new Set(keys.map(({ accountNumber }) => accountNumber))],
      capped,
    }
  }

  /** Takes note that keys were looked for. */
  over({ sought }: Found): void {
    for (const hash of sought) this.#sought.delete(hash)
  }

  #holdAccounts(numbers: readonly number[]): void {
    const fresh = [...new Set(numbers)].filter((number) => !this.#accounts.has(number))
    const room = this.#roomMax - this.#accounts.size
    if (fresh.length > room) this.#reportFull()
    for (const number of fresh.slice(0, room)) this.#accounts.add(number)
  }

  /** Reports once that no more accounts fit: from then on this holds for every account that is not held. */
  #reportFull(): void {
    if (this.#isFull) return
    this.#isFull = true
    const reason = `this service has sold to ${this.#roomMax} accounts since its start, as many as it may hold`
    this.#report(`${reason}: others are answered 503 until it is started again`)
  }
}
