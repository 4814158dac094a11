/**
 * Changes in the database that a service needs: new, credited or recalled accounts, and valid keys. The
 * service polls for them; where the database sends notifications, it looks at once. A service holds all accounts
 * of a ledger while it has room for them; of a larger ledger, those whose keys were sent to it.
 */
import { dayOf } from '../account-records.ts'
import { goodKeysOf } from '../keys/key-changes.ts'
import { accountsMax, type GoodKey } from '../port.ts'
import { capNews } from '../postgres/caps/cap-rows.ts'
import type { Database } from '../postgres/database.ts'
import { accountsAmong, accountsOfKeys, changedAccounts } from '../postgres/held/held-rows.ts'
import { databaseMs, keysOfAccounts, selectKeyRecords } from '../postgres/key-rows.ts'
import type { RunStatement } from '../sql/port.ts'
import type { AccountNews } from './holding.ts'
import type { LeaseOptions } from './reaching.ts'

/** The changes that one poll found. */
interface News {
  /** Whether these are all the accounts that there are. */
  readonly isComplete: boolean
  readonly accounts: readonly AccountNews[]
  /** Every good key of the accounts that are held, when any key changed. */
  readonly keys: readonly GoodKey[] | undefined
}

/** The accounts and keys that a look-up of sent keys found. */
interface FoundNews {
  readonly accounts: readonly AccountNews[]
  /** The good keys of these accounts. */
  readonly keys: readonly GoodKey[]
  /** Hashes that belong to no good key. */
  readonly bad: readonly string[]
}

/** The most keys of one look-up, and the most that wait: a key beyond that is looked up when it is sent again. */
const soughtAtOnceMax = 250
const soughtMax = 5_000

/** Wait after a refusal until the next attempt to listen, ms: some databases cannot. */
const listenAgainMs = 600_000

/** Follows one database. */
export class NewsFollower {
  /** A connection of its own, so that polls and settlements do not wait for each other. */
  readonly #database: Database
  #accountsSeen = -1
  /** The accounts that are held; those of an earlier connection are read again. */
  readonly #held = new Set<number>()
  /** Whether the ledger has more accounts than this service has room for. */
  #isPart = false
  readonly #sought = new Set<string>()
  readonly #roomMax: number
  readonly #report: LeaseOptions['report']
  #isFull = false
  readonly #query: RunStatement = (text, values) => this.#database.query(text, values)
  /** By the clock of the database: with another, caps have other periods. */
  #daySeen = ''
  /** The good keys that have caps. */
  #capped: ReadonlySet<string> = new Set()
  #keysSeen = -1
  #connectionsSeen = 0
  #listensOn = 0
  #refusedAtMs = Number.NEGATIVE_INFINITY

  /** @param database calls its followers when a session announces a change. */
  constructor(
    database: Database,
    { accountsMax: roomMax = accountsMax, report }: Pick<LeaseOptions, 'accountsMax' | 'report'>,
  ) {
    this.#database = database
    this.#roomMax = roomMax
    this.#report = report
  }

  /**
   * Returns the changes since the last look; everything at the first look of a connection.
   * @throws Refusal `ledger-refused`.
   */
  async look(): Promise<News> {
    const rows = await this.#database.query<{ topic: string; n: number; now: number }>(
      'select topic, n, now_ms() as now from ledger_change',
    )
    // A standby that came too late counts on from less, and may come to the same number by other changes.
    if (this.#connectionsSeen !== this.#database.connections) this.#forget()
    const now = new Map(rows.map(({ topic, n }) => [topic, n]))
    // Reads the numbers before their contents: changes in between are read twice.
    const [accounts, keys] = [now.get('accounts') ?? 0, now.get('keys') ?? 0]
    const day = dayOf(rows[0]!.now)
    const wasPart = this.#isPart
    const changed = accounts === this.#accountsSeen ? [] : await this.#accounts()
    // This follows the look at accounts: only then is it known whether all accounts are held.
    const ofHeld = this.#isPart ? [...this.#held] : undefined
    const isSame = keys === this.#keysSeen && wasPart === this.#isPart
    const good = isSame ? undefined : await this.#goodKeys(ofHeld)
    const caps = await this.#caps(good, accounts, day)
    const news = {
      isComplete: this.#accountsSeen === -1,
      accounts: [...changed, ...caps],
      keys: good,
    }
    this.#accountsSeen = accounts
    this.#daySeen = day
    this.#keysSeen = keys
    return news
  }

  #forget(): void {
    this.#connectionsSeen = this.#database.connections
    this.#accountsSeen = -1
    this.#keysSeen = -1
    this.#capped = new Set()
  }

  /** Whether other accounts than those that are held may have good keys. */
  get isPart(): boolean {
    return this.#isPart
  }

  /** Has a key sought by its hash; see `findSought`. */
  seek(hash: string): void {
    if (this.#sought.size < soughtMax) this.#sought.add(hash)
  }

  /** Whether keys wait to be sought. */
  get isSeeking(): boolean {
    return this.#sought.size > 0
  }

  /**
   * Holds the accounts of some of the keys that were sought, as far as there is room for them.
   * @throws Refusal `ledger-refused`; then they are sought again.
   */
  async findSought(): Promise<FoundNews> {
    const hashes = [...this.#sought].slice(0, soughtAtOnceMax)
    const found = await this.#goodKeys(await accountsOfKeys(this.#query, hashes))
    const good = new Set(found.map(({ hash }) => hash))
    const asked = found.filter(({ hash }) => this.#sought.has(hash))
    const numbers = new Set(asked.map(({ accountNumber }) => accountNumber))
    const fresh = [...numbers].filter((number) => !this.#held.has(number))
    const room = this.#roomMax - this.#held.size
    if (fresh.length > room) this.#reportFull()
    const accounts = await accountsAmong(this.#query, fresh.slice(0, room))
    const admitted = new Set(accounts.map(({ id }) => id))
    const isHeld = (number: number) => this.#held.has(number) || admitted.has(number)
    const keys = found.filter(({ accountNumber }) => isHeld(accountNumber))
    const caps = await this.#capsOfFound(keys)
    for (const number of admitted) this.#held.add(number)
    for (const hash of hashes) this.#sought.delete(hash)
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

  /** Those of the accounts that are held which changed. New ones are held while there is room for all of them. */
  async #accounts(): Promise<readonly AccountNews[]> {
    const ofHeld = () => accountsAmong(this.#query, [...this.#held], this.#accountsSeen)
    if (this.#isPart) return ofHeld()
    const changed = await changedAccounts(this.#query, this.#accountsSeen, this.#roomMax + 1)
    const fresh = changed.filter(({ id }) => !this.#held.has(id))
    if (fresh.length <= this.#roomMax - this.#held.size) {
      for (const { id } of fresh) this.#held.add(id)
      return changed
    }
    this.#isPart = true
    return ofHeld()
  }

  /** Reports once that no more accounts fit: from then on this holds for every account that is not held. */
  #reportFull(): void {
    if (this.#isFull) return
    this.#isFull = true
    const reason = `this service has sold to ${this.#roomMax} accounts since its start, as many as it may hold`
    this.#report(`${reason}: others are answered 503 until it is started again`)
  }

  /** The caps of keys that were found, which are followed from then on. */
  async #capsOfFound(keys: readonly GoodKey[]): Promise<AccountNews[]> {
    const unknown = [...cappedOf(keys)].filter((keyId) => !this.#capped.has(keyId))
    if (unknown.length === 0) return []
    const caps = await this.#capNews({ seen: this.#accountsSeen, known: [], unknown })
    this.#capped = new Set([...this.#capped, ...unknown])
    return caps
  }

  async #capNews(order: Parameters<typeof capNews>[1]): Promise<AccountNews[]> {
    const caps = await capNews(this.#query, order)
    return caps.map(({ keyId, account: id, ...rest }) => ({ keyId, id, madeAtMs: 0, ...rest }))
  }

  /** Changes of the caps of good keys, each as if it were an account. */
  async #caps(
    keys: readonly GoodKey[] | undefined,
    accounts: number,
    day: string,
  ): Promise<AccountNews[]> {
    const capped = keys === undefined ? this.#capped : cappedOf(keys)
    const isKnown = (keyId: string) => day === this.#daySeen && this.#capped.has(keyId)
    const unknown = [...capped].filter((keyId) => !isKnown(keyId))
    const known = accounts === this.#accountsSeen ? [] : [...capped].filter(isKnown)
    const order = { seen: this.#accountsSeen, known, unknown }
    const caps = known.length + unknown.length === 0 ? [] : await this.#capNews(order)
    this.#capped = capped
    return caps
  }

  /** @param accounts whose; those of all accounts where it is absent. */
  async #goodKeys(accounts?: readonly number[]): Promise<GoodKey[]> {
    return this.#database.transaction(async (query, commit) => {
      const ofSome = accounts === undefined ? '' : `and id in list($1 as integer)`
      const [keys, nowMs, suspended] = await Promise.all([
        accounts === undefined ? selectKeyRecords(query) : keysOfAccounts(query, accounts),
        databaseMs(query),
        query<{ id: number }>(
          `select id from account where suspended_ms is not null ${ofSome}`,
          accounts === undefined ? [] : [accounts],
        ),
        commit(),
      ])
      const numbers = new Set(suspended.map(({ id }) => id))
      return goodKeysOf(keys, (number) => numbers.has(number), nowMs)
    })
  }
}

function cappedOf(keys: readonly GoodKey[]): ReadonlySet<string> {
  return new Set(keys.flatMap(({ id, terms }) => (terms?.cap === undefined ? [] : id)))
}
