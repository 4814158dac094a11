/**
 * Changes in the database that a service needs: new, credited or recalled accounts that it holds, and keys that changed.
 * The service polls for them; where the database sends notifications, it looks at once. Keys are found when they are sought.
 */
import { dayOf } from '../account-records.ts'
import { accountsAmong } from '../books/account-rows.ts'
import { capNews } from '../books/caps/cap-rows.ts'
import { changedKeys, databaseMs } from '../books/key-rows.ts'
import { Held, type HeldOptions, noneSeen } from '../held.ts'
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
  readonly #held: Held
  readonly #query: RunStatement = (text, values) => this.#database.query(text, values)
  #accountsSeen = noneSeen
  #keysSeen = 0
  /** By the clock of the database: with another, caps have other periods. */
  #daySeen = ''
  #connectionsSeen = 0
  #listensOn = 0
  #refusedAtMs = Number.NEGATIVE_INFINITY

  /** @param database calls its followers when a session announces a change. */
  constructor(database: Database, options: HeldOptions) {
    this.#database = database
    this.#held = new Held(options)
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
    const seen = this.#accountsSeen
    const areSame = accounts === seen
    const changed = areSame ? [] : await this.#held.changed(this.#query, seen)
    // In another period all of them have spent nothing.
    const areCapsNew = isComplete || day !== this.#daySeen
    const capped = areSame && !areCapsNew ? [] : this.#held.capped
    const caps = await this.#capsOf(capped, areCapsNew ? noneSeen : seen)
    const news = {
      isComplete,
      accounts: [...(await accountsAmong(this.#query, changed)), ...caps],
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
    if (keys === this.#keysSeen) return []
    return (await changedKeys(this.#query, this.#keysSeen)).changed
  }

  /** Has a key sought by its hash; see `findSought`. */
  seek(hash: string): void {
    this.#held.seek(hash)
  }

  /** Whether keys wait to be sought. */
  get isSeeking(): boolean {
    return this.#held.isSeeking
  }

  /**
   * Holds the accounts of some of the keys that were sought, as far as there is room for them; none of a database that was
   * reached anew, before the look at what is held of the one before.
   * @throws Refusal `ledger-refused`; then they are sought again.
   */
  async findSought(): Promise<FoundNews> {
    const found = await this.#database.transaction(async (query) =>
      this.#held.find(query, await databaseMs(query)),
    )
    if (this.isAnew) return { accounts: [], keys: [], bad: [] }
    const { accounts, capped, keys, bad } = this.#held.hold(found)
    const news = await accountsAmong(this.#query, accounts)
    const caps = await this.#capsOf(capped, noneSeen)
    this.#held.over(found)
    return { accounts: [...news, ...caps], keys, bad }
  }

  /** Subscribes this connection to announcements of changes, where the database has them. */
  async listen(nowMs: number): Promise<void> {
    const { connections } = this.#database
    if (this.#listensOn === connections || nowMs - this.#refusedAtMs < listenAgainMs) return
    if (await this.#database.listen()) this.#listensOn = connections
    else this.#refusedAtMs = nowMs
  }

  /** The changes of caps after a change, each as if it were an account. */
  async #capsOf(keyIds: readonly string[], change: number): Promise<AccountNews[]> {
    if (keyIds.length === 0) return []
    const caps = await capNews(this.#query, keyIds, change)
    return caps.map(({ keyId, account: id, ...rest }) => ({ keyId, id, madeAtMs: 0, ...rest }))
  }
}
