/**
 * What a session hears of its ledger: the accounts, caps and keys that changed, and the keys that
 * were sent. Of a ledger with more accounts than there is room for, it holds those whose keys were
 * sent. An account that is held stays so, as it has a slot in shared memory. A key is handed over
 * once the funds of its account and cap are known.
 */
import { dayNumber } from '../books/account-records.ts'
import { accountNews, changedSince, type FundNews } from '../books/account-rows.ts'
import { capNews } from '../books/caps/cap-rows.ts'
import { keepEvents } from '../books/events.ts'
import { goodKeysWith } from '../books/key-rows.ts'
import { accountsMax, type Changes, type GoodKey, keysMax } from '../books/port.ts'
import type { RunStatement, Sql } from '../sql/port.ts'

/** Options of every session. */
export interface SessionOptions {
  readonly directory: string
  /** Maximum number of accounts that are held; as many as shared memory has slots for, where it is absent. */
  readonly accountsMax?: number
  /** Amount below which a balance is low; absent where none is. */
  readonly lowMicroUsd?: number
  /** Name of the session for people. */
  readonly node: string
  /** Is called with one line when something is lost or fails, and when it works again. */
  readonly report: (line: string) => void
}

/** The number of the last change that was seen, and the day by the clock of the ledger. */
const nothingSeen = { change: -1, day: -1 }

type KeyNews = Pick<Changes, 'changedKeys' | 'keys' | 'badKeys'>

interface News extends KeyNews {
  readonly seen: typeof nothingSeen
  readonly sought: readonly string[]
  readonly funds: readonly FundNews[]
}

/** The most keys that wait to be looked up: one beyond that is looked up when it is sent again. */
const soughtMax = 5_000

const keepEventsMs = 60_000

export class NewsFollower {
  #seen = nothingSeen
  readonly #accounts = new Set<number>()
  readonly #capped = new Set<string>()
  readonly #sought = new Set<string>()
  readonly #found = new Map<string, GoodKey>()
  #badKeys: string[] = []
  #changedKeys: KeyNews['changedKeys'] = []
  readonly #roomMax: number
  readonly #report: (line: string) => void
  /** Whether the ledger has accounts that are not held, too. */
  #isPart = false
  #isFull = false
  #eventsKeptAtMs = Number.NEGATIVE_INFINITY

  constructor({
    accountsMax: roomMax = accountsMax,
    report,
  }: Pick<SessionOptions, 'accountsMax' | 'report'>) {
    this.#roomMax = roomMax
    this.#report = report
  }

  get isSeeking(): boolean {
    return this.#sought.size > 0
  }

  seek(hash: string): void {
    if (this.#sought.size < soughtMax) this.#sought.add(hash)
  }

  /** @param isAnew whether all is to be read; is called within the transaction, which sees one moment. */
  async look(sql: Sql, isAnew = () => false) {
    const news = await sql.snapshot((query) =>
      this.#read(query, isAnew() ? nothingSeen : this.#seen),
    )
    this.#seen = news.seen
    for (const hash of news.sought) this.#sought.delete(hash)
    this.#add(news)
    const { funds, sought, changedKeys } = news
    return { funds, isNews: funds.length + sought.length + changedKeys.length > 0 }
  }

  /** Writes the events that time causes, and forgets old ones, once in a while. @param nowMs from any origin. */
  async keepEvents(sql: Sql, nowMs: number): Promise<void> {
    if (nowMs - this.#eventsKeptAtMs < keepEventsMs) return
    this.#eventsKeptAtMs = nowMs
    await keepEvents(sql)
  }

  forgetKeys(): void {
    this.#add({ changedKeys: 'all', keys: [], badKeys: [] })
  }

  take(isKnown: (key: GoodKey) => boolean): KeyNews {
    const keys = [...this.#found.values()].filter(isKnown)
    for (const { hash } of keys) this.#found.delete(hash)
    const taken = { changedKeys: this.#changedKeys, keys, badKeys: this.#badKeys }
    this.#changedKeys = []
    this.#badKeys = []
    return taken
  }

  /** Keys that wait and have changed are sought again, unless they were found with the change. */
  #add({ changedKeys, keys, badKeys }: KeyNews): void {
    const isAll = changedKeys === 'all' || this.#changedKeys === 'all'
    this.#changedKeys = isAll ? 'all' : [...this.#changedKeys, ...changedKeys]
    const ids = new Set(changedKeys === 'all' ? [] : changedKeys)
    for (const { id, hash } of this.#found.values()) {
      if (changedKeys !== 'all' && !ids.has(id)) continue
      this.#found.delete(hash)
      if (!keys.some((key) => key.hash === hash)) this.seek(hash)
    }
    for (const key of keys) this.#found.set(key.hash, key)
    this.#badKeys.push(...badKeys)
  }

  async #read(query: RunStatement, seen: typeof nothingSeen): Promise<News> {
    const [row] = await query<{ n: number; now: number }>(
      'select n, now_ms() as now from ledger_change',
    )
    const [change, day] = [row!.n, dayNumber(row!.now)]
    const isChanged = change !== seen.change
    const changed = isChanged ? await this.#changed(query, seen.change) : []
    const ids = isChanged ? await this.#changedIds(query, seen.change) : []
    const isAll = seen.change === nothingSeen.change || ids.length > keysMax
    const sought = [...this.#sought]
    // A key that a service knows before it is sent keeps no request waiting, and no other one sent behind it.
    const ahead = this.#isPart ? [] : ids.slice(0, keysMax)
    const good = await goodKeysWith(query, sought, ahead)
    const hashes = new Set(good.map(({ hash }) => hash))
    this.#hold(good)
    const held = good.filter(({ accountNumber }) => this.#accounts.has(accountNumber))
    const numbers = new Set([...changed, ...held.map(({ accountNumber }) => accountNumber)])
    // In another period all caps have spent nothing.
    const since = day === seen.day ? seen.change : nothingSeen.change
    const caps = isChanged || day !== seen.day ? [...this.#capped] : []
    const capped = held.flatMap(({ id, terms }) => (terms?.cap === undefined ? [] : id))
    for (const keyId of capped) this.#capped.add(keyId)
    return {
      seen: { change, day },
      sought,
      funds: [
        ...(await accountNews(query, [...numbers])),
        ...(await capNews(query, caps, since)),
        ...(await capNews(query, capped, nothingSeen.change)),
      ],
      changedKeys: isAll ? 'all' : ids,
      keys: held,
      badKeys: sought.filter((hash) => !hashes.has(hash)),
    }
  }

  /** The numbers of those that are held and changed after a change. New ones are held while there is room for all of them. */
  async #changed(query: RunStatement, seen: number): Promise<readonly number[]> {
    const changed = await changedSince<number>(query, 'account', seen, this.#roomMax + 1)
    const fresh = this.#isPart ? [] : changed.filter((number) => !this.#accounts.has(number))
    if (fresh.length > this.#roomMax - this.#accounts.size) this.#isPart = true
    else for (const number of fresh) this.#accounts.add(number)
    if (changed.length > this.#roomMax) return [...this.#accounts]
    return changed.filter((number) => this.#accounts.has(number))
  }

  async #changedIds(query: RunStatement, seen: number): Promise<readonly string[]> {
    const isNeeded = !this.#isPart || seen !== nothingSeen.change
    return isNeeded ? changedSince<string>(query, 'api_key', seen, keysMax + 1) : []
  }

  #hold(keys: readonly GoodKey[]): void {
    const numbers = new Set(keys.map(({ accountNumber }) => accountNumber))
    const fresh = [...numbers].filter((number) => !this.#accounts.has(number))
    const room = this.#roomMax - this.#accounts.size
    if (fresh.length > room) this.#reportFull()
    for (const number of fresh.slice(0, room)) this.#accounts.add(number)
  }

  #reportFull(): void {
    if (this.#isFull) return
    this.#isFull = true
    const reason = `this service has sold to ${this.#roomMax} accounts since its start, as many as it may hold`
    this.#report(`${reason}: others are answered 503 until it is started again`)
  }
}
