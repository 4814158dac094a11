/**
 * Changes in the database that a service needs: new, credited or recalled accounts that it holds, and keys that changed.
 * The service polls for them; where the database sends notifications, it looks at once. Keys are found when they are sought.
 */
import { dayOf } from '../account-records.ts'
import { capNews } from '../books/caps/cap-rows.ts'
import { accountsAmong } from '../books/held-rows.ts'
import { changedKeys, databaseMs, goodKeysWith } from '../books/key-rows.ts'
import { HeldAccounts, type HeldOptions, noneSeen } from '../held-accounts.ts'
import { SoughtHashes } from '../keys/sought.ts'
import type { Changes, GoodKey } from '../port.ts'
import type { RunStatement } from '../sql/port.ts'
import type { Database } from '../sql/postgres/database.ts'
import type { AccountNews } from './holding.ts'

/** The changes that one poll found. */
interface News {
  /** Whether these are all the accounts that are held. */
  readonly isComplete: boolean
  readonly accounts: readonly AccountNews[]
  readonly changedKeys: Changes['changedKeys']
}

/** The accounts and keys that a look-up of sent keys found. */
interface FoundNews {
  readonly accounts: readonly AccountNews[]
  /** The good keys of accounts that are held. */
  readonly keys: readonly GoodKey[]
  /** Hashes that belong to no good key. */
  readonly bad: readonly string[]
}

/** Wait after a refusal until the next attempt to listen, ms: some databases cannot. */
const listenAgainMs = 600_000

/** Follows one database. */
export class NewsFollower {
  /** A connection of its own, so that polls and settlements do not wait for each other. */
  readonly #database: Database
  readonly #held: HeldAccounts
  readonly #sought = new SoughtHashes()
  readonly #query: RunStatement = (text, values) => this.#database.query(text, values)
  #accountsSeen = noneSeen
  #keysSeen = 0
  /** By the clock of the database: with another, caps have other periods. */
  #daySeen = ''
  /** The keys that were found and have caps. */
  readonly #capped = new Set<string>()
  #connectionsSeen = 0
  #listensOn = 0
  #refusedAtMs = Number.NEGATIVE_INFINITY

  /** @param database calls its followers when a session announces a change. */
  constructor(database: Database, options: HeldOptions) {
    this.#database = database
    this.#held = new HeldAccounts(options)
  }

  /**
   * Returns the changes since the last look; everything at the first look of a connection.
   * @throws Refusal `ledger-refused`.
   */
  async look(): Promise<News> {
    const rows = await this.#database.query<{ topic: string; n: number; now: number }>(
      'select topic, n, now_ms() as now from ledger_change',
    )
    if (this.isAnew) this.#accountsSeen = noneSeen
    this.#connectionsSeen = this.#database.connections
    const now = new Map(rows.map(({ topic, n }) => [topic, n]))
    // Reads the numbers before their contents: changes in between are read twice.
    const [accounts, keys] = [now.get('accounts') ?? 0, now.get('keys') ?? 0]
    const day = dayOf(rows[0]!.now)
    const isComplete = this.#accountsSeen === noneSeen
    const changed = accounts === this.#accountsSeen ? [] : await this.#accounts()
    const caps = await this.#caps(accounts, isComplete || day !== this.#daySeen)
    const news = {
      isComplete,
      accounts: [...changed, ...caps],
      changedKeys: await this.#changedKeys(isComplete, keys),
    }
    this.#accountsSeen = accounts
    this.#daySeen = day
    this.#keysSeen = keys
    return news
  }

  /**
   * Whether the database was reached anew since the last look. A standby that came too late counts on from less, and may
   * come to the same number by other changes; another database has other accounts of the same numbers.
   */
  get isAnew(): boolean {
    return this.#connectionsSeen !== this.#database.connections
  }

  async #changedKeys(isAll: boolean, keys: number): Promise<Changes['changedKeys']> {
    if (isAll) return 'all'
    return keys === this.#keysSeen ? [] : changedKeys(this.#query, this.#keysSeen)
  }

  /** Has a key sought by its hash; see `findSought`. */
  seek(hash: string): void {
    this.#sought.seek(hash)
  }

  /** Whether keys wait to be sought. */
  get isSeeking(): boolean {
    return !this.#sought.isEmpty
  }

  /**
   * Holds the accounts of some of the keys that were sought, as far as there is room for them; none of a database that was
   * reached anew, before the look at what is held of the one before.
   * @throws Refusal `ledger-refused`; then they are sought again.
   */
  async findSought(): Promise<FoundNews> {
    const hashes = this.#sought.next()
    const found = await this.#database.transaction(async (query) =>
      goodKeysWith(query, hashes, await databaseMs(query)),
    )
    if (this.isAnew) return { accounts: [], keys: [], bad: [] }
    const numbers = found.map(({ accountNumber }) => accountNumber)
    const accounts = await accountsAmong(this.#query, this.#held.hold(numbers))
    const keys = found.filter(({ accountNumber }) => this.#held.isHeld(accountNumber))
    const caps = await this.#capsOfFound(keys)
    this.#sought.over(hashes)
    const good = new Set(found.map(({ hash }) => hash))
    return {
      accounts: [...accounts, ...caps],
      keys,
      bad: hashes.filter((hash) => !good.has(hash)),
    }
  }

  /** Subscribes this connection to announcements of changes, where the database has them. */
  async listen(nowMs: number): Promise<void> {
    const { connections } = this.#database
    if (this.#listensOn === connections || nowMs - this.#refusedAtMs < listenAgainMs) return
    if (await this.#database.listen()) this.#listensOn = connections
    else this.#refusedAtMs = nowMs
  }

  async #accounts(): Promise<readonly AccountNews[]> {
    return accountsAmong(this.#query, await this.#held.changed(this.#query, this.#accountsSeen))
  }

  /** The caps of keys that were found, which are followed from then on. */
  async #capsOfFound(keys: readonly GoodKey[]): Promise<AccountNews[]> {
    const capped = keys.flatMap(({ id, terms }) => (terms?.cap === undefined ? [] : id))
    const unknown = capped.filter((keyId) => !this.#capped.has(keyId))
    if (unknown.length === 0) return []
    const caps = await this.#capNews({ seen: this.#accountsSeen, known: [], unknown })
    for (const keyId of unknown) this.#capped.add(keyId)
    return caps
  }

  /** Changes of the caps of keys that were found, each as if it were an account; of all of them in another period. */
  async #caps(accounts: number, areAllNew: boolean): Promise<AccountNews[]> {
    const isSame = accounts === this.#accountsSeen && !areAllNew
    if (isSame || this.#capped.size === 0) return []
    const capped = [...this.#capped]
    const seen = this.#accountsSeen
    return this.#capNews(
      areAllNew ? { seen, known: [], unknown: capped } : { seen, known: capped, unknown: [] },
    )
  }

  async #capNews(order: Parameters<typeof capNews>[1]): Promise<AccountNews[]> {
    const caps = await capNews(this.#query, order)
    return caps.map(({ keyId, account: id, ...rest }) => ({ keyId, id, madeAtMs: 0, ...rest }))
  }
}
