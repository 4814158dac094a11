/**
 * What a session hears of its ledger: the accounts, caps and keys that changed, and the keys that were sent to the service.
 * It holds a part of a ledger: of one that has no more accounts than there is room for these are all accounts; of a larger
 * one, those whose keys were sent. An account that is held stays so, as it has a slot in shared memory.
 */
import { dayNumber } from '../books/account-records.ts'
import { accountNews, changedNumbers, type FundNews } from '../books/account-rows.ts'
import { capNews } from '../books/caps/cap-rows.ts'
import { changedKeys, databaseMs, goodKeysWith } from '../books/key-rows.ts'
import { accountsMax, type Changes, type GoodKey } from '../books/port.ts'
import type { RunStatement } from '../sql/port.ts'

/** Options of what is held. */
export interface NewsOptions {
  /** As many as shared memory has slots for, where it is absent. */
  readonly accountsMax?: number
  /** Is called with one line once there is no room for more. */
  readonly report: (line: string) => void
}

/** The numbers of the last changes that were seen, and the day by the clock of the ledger. */
export interface Seen {
  readonly accounts: number
  readonly keys: number
  readonly day: number
}

/** Before any change. */
export const nothingSeen: Seen = { accounts: -1, keys: -1, day: -1 }

/** What one look found. */
interface News {
  readonly seen: Seen
  /** Of accounts and caps that are held. */
  readonly funds: readonly FundNews[]
  readonly changedKeys: Changes['changedKeys']
}

/** What a look-up of keys found. */
interface Found {
  /** Hashes of the keys that were looked up. */
  readonly sought: readonly string[]
  /** The good keys of accounts that are held, and the funds of these. */
  readonly keys: readonly GoodKey[]
  readonly funds: readonly FundNews[]
  /** Hashes that belong to no good key. */
  readonly bad: readonly string[]
}

/** The most keys that wait to be looked up: one beyond that is looked up when it is sent again. */
const soughtMax = 5_000

/** The news of one session. Each look is in a transaction that sees one moment. */
export class NewsFollower {
  readonly #accounts = new Set<number>()
  /** Keys that were found and have caps. */
  readonly #capped = new Set<string>()
  readonly #sought = new Set<string>()
  readonly #roomMax: number
  readonly #report: (line: string) => void
  #isPart = false
  #isFull = false

  constructor({ accountsMax: roomMax = accountsMax, report }: NewsOptions) {
    this.#roomMax = roomMax
    this.#report = report
  }

  /** Whether the ledger has accounts that are not held, too. */
  get isPart(): boolean {
    return this.#isPart
  }

  /** Whether keys wait to be looked up. */
  get isSeeking(): boolean {
    return this.#sought.size > 0
  }

  /** Has a key looked up by the hash of its secret; see `find`. */
  seek(hash: string): void {
    if (this.#sought.size < soughtMax) this.#sought.add(hash)
  }

  /** The changes since those that were seen. @throws Refusal `ledger-refused`. */
  async look(query: RunStatement, seen: Seen): Promise<News> {
    const rows = await query<{ topic: 'accounts' | 'keys'; n: number; now: number }>(
      'select topic, n, now_ms() as now from ledger_change',
    )
    const numberOf = (topic: string) => rows.find((row) => row.topic === topic)!.n
    const [accounts, keys] = [numberOf('accounts'), numberOf('keys')]
    const day = dayNumber(rows[0]!.now)
    const isChanged = accounts !== seen.accounts
    const changed = isChanged ? await this.#changed(query, seen.accounts) : []
    // In another period all caps have spent nothing.
    const since = day === seen.day ? seen.accounts : nothingSeen.accounts
    const caps = isChanged || day !== seen.day ? [...this.#capped] : []
    const isFirst = seen.keys === nothingSeen.keys
    const keyChanges = isFirst || keys === seen.keys ? [] : await changedKeys(query, seen.keys)
    return {
      seen: { accounts, keys, day },
      funds: [...(await accountNews(query, changed)), ...(await capNews(query, caps, since))],
      changedKeys: isFirst ? 'all' : keyChanges,
    }
  }

  /** The numbers of those that are held and changed after a change. New ones are held while there is room for all of them. */
  async #changed(query: RunStatement, seen: number): Promise<readonly number[]> {
    const changed = await changedNumbers(query, seen, this.#roomMax + 1)
    const fresh = this.#isPart ? [] : changed.filter((number) => !this.#accounts.has(number))
    if (fresh.length > this.#roomMax - this.#accounts.size) this.#isPart = true
    else for (const number of fresh) this.#accounts.add(number)
    if (changed.length > this.#roomMax) return [...this.#accounts]
    return changed.filter((number) => this.#accounts.has(number))
  }

  /**
   * Looks up the keys that are sought, and holds their accounts as far as there is room. Until `over` they stay sought.
   * @param ahead hashes of keys that are looked up before they are sent.
   * @throws Refusal `ledger-refused`.
   */
  async find(query: RunStatement, ahead: readonly string[] = []): Promise<Found> {
    const sought = [...this.#sought]
    const hashes = [...new Set([...sought, ...ahead])]
    if (hashes.length === 0) return { sought, keys: [], funds: [], bad: [] }
    const good = await goodKeysWith(query, hashes, await databaseMs(query))
    this.#hold(good)
    const keys = good.filter(({ accountNumber }) => this.#accounts.has(accountNumber))
    const capped = keys.flatMap(({ id, terms }) => (terms?.cap === undefined ? [] : id))
    for (const keyId of capped) this.#capped.add(keyId)
    const accounts = [...new Set(keys.map(({ accountNumber }) => accountNumber))]
    const caps = await capNews(query, capped, nothingSeen.accounts)
    const found = new Set(good.map(({ hash }) => hash))
    return {
      sought,
      keys,
      funds: [...(await accountNews(query, accounts)), ...caps],
      bad: sought.filter((hash) => !found.has(hash)),
    }
  }

  /** Takes note that keys were looked up. */
  over({ sought }: Found): void {
    for (const hash of sought) this.#sought.delete(hash)
  }

  #hold(keys: readonly GoodKey[]): void {
    const numbers = new Set(keys.map(({ accountNumber }) => accountNumber))
    const fresh = [...numbers].filter((number) => !this.#accounts.has(number))
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
