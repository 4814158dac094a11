/**
 * A service's session with a database that other services sell from, too. It sells from leases of a
 * few seconds that it renews, and writes each sale to its outbox before the sale counts.
 * Settlements go one after the other on one connection; the rest on a second.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { thrownMessage } from '../../problems.ts'
import type { Lock } from '../../process/lock.ts'
import { setLowMicroUsd } from '../books/events.ts'
import type { Changes, ChargeBatch, Funds, LedgerSession, LiveFunds } from '../books/port.ts'
import { makeTables } from '../books/schema.ts'
import {
  closeLeases,
  databaseIdentityOf,
  openSession,
  reap,
  reaperSteadyMs,
  sessionMs,
  sessionStateOf,
} from '../books/session-rows.ts'
import { Contradiction, type RunStatement } from '../sql/port.ts'
import { Database } from '../sql/postgres/database.ts'
import { lockDirectory, refuseUnlessLocked } from '../sql/sqlite/held-file.ts'
import { sellShare } from './holding.ts'
import { LeaseTable } from './lease-table.ts'
import { NewsFollower, type SessionOptions } from './news.ts'
import { Outbox } from './outbox.ts'
import { type Reaching, whenReached } from './reaching.ts'
import { type Settlement, settle } from './settlement.ts'
import { Uncharged } from './uncharged.ts'

/** Intervals of looks for work, and of looks for changes in the database; ms. */
const roundMs = 20
const lookMs = 400
const failedMs = 200
/** Age of balances up to which a request may be refused; more where the database is slow. */
const knownMs = 1_000
const looksKnown = 5
const reapMs = 1_000

/** The directory is that of the outbox; one service has it at a time. */
interface LeaseOptions extends Reaching, SessionOptions {
  readonly uri: string
  /** Milliseconds since the epoch, as this machine believes. */
  readonly wallClock: () => number
}

interface Parts {
  readonly lock: Lock
  readonly database: Database
  readonly outbox: Outbox
}

export class LeaseSession implements LedgerSession {
  /** Time for which another service may be showing the key of the first account that it made, ms. */
  readonly showMsMax = 60_000
  /** A second connection, for what the leases do not wait for. */
  readonly sql: Database
  readonly #options: LeaseOptions
  readonly #parts: Parts
  readonly #news: NewsFollower
  readonly #leases = new LeaseTable()
  /** Undefined while this node has no open session. */
  #id: string | undefined
  /** Lead of the clock of the database over that of this service. */
  #aheadMs: number
  #live: LiveFunds | undefined
  #follow = () => {}
  #heldUntilMs = 0
  #knownAtMs = Number.NEGATIVE_INFINITY
  /** Sent, and perhaps not carried out: it is sent again as it was. */
  #pending: Settlement | undefined
  #toldUntil = 0
  readonly #uncharged: Uncharged
  #isRefuted = false
  #steadySinceMs: number | undefined
  #connectionsSeen = 0
  /** Version of the funds that were read last. */
  #versionRead = 0
  #lookTookMs = 0
  #reapedAtMs = Number.NEGATIVE_INFINITY
  readonly #failing = new Set<() => Promise<void>>()
  #isClosing = false
  #rounds: Promise<void> = Promise.resolve()
  readonly #timer: NodeJS.Timeout

  constructor(options: LeaseOptions, parts: Parts) {
    this.#options = options
    this.#parts = parts
    this.#aheadMs = options.wallClock() - options.clock()
    this.#uncharged = new Uncharged(options.report)
    this.sql = new Database(options.uri)
    this.#news = new NewsFollower(options)
    this.#timer = setInterval(() => this.#sayWhetherKnown(), roundMs)
    this.#timer.unref()
  }

  async begin(): Promise<void> {
    await setLowMicroUsd(this.#parts.database, this.#options.lowMicroUsd ?? 0)
    await this.#tellLeftOver()
    await this.#open()
    do {
      await this.#sideRound()
      await this.#settlementRound()
    } while (this.#leases.isIncomplete)
    this.#rounds = this.#goRound()
  }

  /** Does a transaction of a start: again, while the database cannot be reached. */
  readonly atStart = <T>(work: (query: RunStatement) => Promise<T>): Promise<T> =>
    whenReached(this.#options, () => this.sql.transaction(work))

  readonly bind = (live: LiveFunds, follow: () => void): void => {
    this.#live = live
    this.#follow = follow
  }

  readonly heldUntilMs = (): number => this.#heldUntilMs

  readonly givenAwayMicroUsd = (): number => this.#uncharged.givenAwayMicroUsd

  readonly outboxAgeMs = (): number => this.#leases.outboxAgeMs(this.#options.clock())

  readonly nowMs = (): number => this.#options.clock() + this.#aheadMs

  readonly seek = (keyHash: string): void => this.#news.seek(keyHash)

  async readChanges(): Promise<Changes> {
    refuseUnlessLocked(this.#parts.lock, this.#options.directory)
    const funds = this.#leases.fundsSince(this.#versionRead)
    this.#versionRead = this.#leases.version
    return {
      funds,
      ...this.#news.take((key) => this.#leases.isKnown(key)),
    }
  }

  async commit({ charges }: ChargeBatch): Promise<readonly Funds[]> {
    refuseUnlessLocked(this.#parts.lock, this.#options.directory)
    const window = { number: this.#leases.nextNumber(), charges }
    this.#parts.outbox.add(window, this.#toldUntil)
    const isOpen = this.#id !== undefined
    const { funds, unpaid } = this.#leases.sold(window, isOpen, this.#options.clock())
    this.#uncharged.giveAway(unpaid)
    return funds
  }

  async close(): Promise<void> {
    this.#isClosing = true
    await this.#rounds
    const { outbox, lock } = this.#parts
    try {
      await this.#sayGoodbye()
    } catch (error) {
      const reason = 'what was sold stands in the outbox, and is charged at the next start'
      this.#options.report(`${thrownMessage(error)}; ${reason}`)
    }
    await this.letGo()
    await outbox.close()
    lock.release()
  }

  /** Ends its connections and its timer, and nothing else. */
  async letGo(): Promise<void> {
    clearInterval(this.#timer)
    await this.sql.close()
    await this.#parts.database.close()
  }

  async #sayGoodbye(): Promise<void> {
    const { database, outbox } = this.#parts
    if (this.#pending !== undefined) await this.#send(this.#pending)
    // What was sold in one that was ended is told in another.
    if (this.#id === undefined) await this.#open()
    await this.#send(this.#leases.lastSettlement(this.#id!))
    if (this.#id === undefined) return
    await closeLeases(database, this.#id)
    outbox.begin('', outbox.database!, this.#toldUntil)
  }

  /** That session may still be open. An outbox that contradicts the database is set aside. */
  async #tellLeftOver(): Promise<void> {
    const { outbox, database } = this.#parts
    const { session = '' } = outbox
    const identity = await database.transaction(databaseIdentityOf)
    if (outbox.database !== identity || session === '') return
    const { last } = await database.transaction((query) => sessionStateOf(query, session))
    this.#leases.restore(outbox.windows(), last, this.#options.clock())
    const settlement = this.#leases.lastSettlement(session)
    try {
      const reply = await settle(database, settlement, this.#options.clock)
      // What comes too late for a session is told in another.
      if (reply.closed === undefined) {
        await closeLeases(database, session)
        this.#uncharged.note(settlement.charges, reply)
      }
      this.#end(reply.closed?.last ?? settlement.number)
    } catch (error) {
      if (!(error instanceof Contradiction)) throw error
      await outbox.leave(`the outbox contradicts the database: ${error.message}`)
      this.#leases.forget()
    }
  }

  /**
   * Opens a session. An outbox for another database is left to that one: its charges cannot be made
   * here, and no key from before is good, as other accounts have the same numbers.
   */
  async #open(): Promise<void> {
    const { outbox, database } = this.#parts
    const id = randomUUID()
    const sentAtMs = this.#options.clock()
    const identity = await openSession(database, { id, node: this.#options.node })
    if (outbox.database !== undefined && outbox.database !== identity) {
      const which = `of database ${outbox.database}, and this is ${identity}`
      await outbox.leave(`the outbox is ${which}`, this.#toldUntil)
      this.#options.report('this is another database than before: its accounts are sold to now')
      this.#leases.forget()
      // Accounts that a look has found to be others are those of the new session.
      this.#isRefuted = false
      this.#news.forgetKeys()
      this.#knownAtMs = Number.NEGATIVE_INFINITY
      this.#follow()
    }
    outbox.begin(id, identity, this.#toldUntil)
    this.#heldUntilMs = sentAtMs + sellShare * sessionMs
    this.#id = id
  }

  /** Settles again and again, and beside them all else, so that leases live on however far the database is. */
  async #goRound(): Promise<void> {
    await Promise.all([
      this.#repeat(() => this.#settlementRound()),
      this.#repeat(() => this.#sideRound()),
    ])
  }

  async #repeat(work: () => Promise<void>): Promise<void> {
    while (!this.#isClosing) {
      try {
        await work()
        const isLast = this.#failing.delete(work) && this.#failing.size === 0
        if (isLast) this.#options.report('the database of the ledger is reached again')
      } catch (error) {
        if (this.#failing.size === 0)
          this.#options.report(`what is held is sold, no more: ${thrownMessage(error)}`)
        this.#failing.add(work)
        this.#steadySinceMs = undefined
        if (error instanceof Contradiction) await this.#beginAnew()
        await sleep(failedMs)
      }
      await sleep(roundMs)
    }
  }

  async #settlementRound(): Promise<void> {
    const isRefuted = this.#isRefuted && this.#id !== undefined
    this.#isRefuted = false
    if (isRefuted) throw new Contradiction('accounts are others than those that were leased')
    if (this.#id === undefined) await this.#open()
    const nowMs = this.#options.clock()
    this.#pending ??= this.#leases.nextSettlement(this.#id!, this.#live, nowMs)
    if (this.#pending !== undefined) await this.#send(this.#pending)
  }

  async #sideRound(): Promise<void> {
    const nowMs = this.#options.clock()
    const isDue = this.#news.isSeeking || nowMs - this.#knownAtMs >= lookMs
    if (isDue) await this.#look(nowMs)
    this.#steadySinceMs ??= nowMs
    const isSteady = nowMs - this.#steadySinceMs >= reaperSteadyMs
    if (!isSteady || nowMs - this.#reapedAtMs < reapMs) return
    this.#reapedAtMs = nowMs
    await reap(this.sql)
    await this.#news.keepEvents(this.sql, nowMs)
  }

  /**
   * Everything is read on the first look of a connection: a standby that came too late may come to
   * the same number by other changes; another database has other accounts of the same numbers.
   */
  async #look(nowMs: number): Promise<void> {
    let connection = 0
    const news = await this.#news.look(this.sql, () => {
      connection = this.sql.connections
      return connection !== this.#connectionsSeen
    })
    this.#connectionsSeen = connection
    this.#knownAtMs = nowMs
    this.#lookTookMs = this.#options.clock() - nowMs
    if (this.#leases.note(news.funds)) this.#isRefuted = true
    if (news.isNews) this.#follow()
  }

  /** The lease is counted from before the settlement was sent: that is the earliest it can have begun. */
  async #send(settlement: Settlement): Promise<void> {
    const sentAtMs = this.#options.clock()
    const reply = await settle(this.#parts.database, settlement, this.#options.clock)
    this.#pending = undefined
    this.#aheadMs = reply.aheadMs
    if (reply.closed !== undefined) return this.#fence(reply.closed.last)
    this.#heldUntilMs = sentAtMs + sellShare * sessionMs
    this.#toldUntil = settlement.number
    this.#uncharged.note(settlement.charges, reply)
    if (reply.unpaid.length > 0) {
      const accounts = reply.unpaid.join(', ')
      throw new Contradiction(`the leases of accounts ${accounts} are others than agreed`)
    }
    this.#leases.take(settlement, reply, this.#options.clock())
    this.#follow()
  }

  #fence(last: number): void {
    this.#end(last)
    this.#options.report('the leases of this service were ended, as it was not heard of in time')
  }

  /** @param last the number of the last settlement that the database has. */
  #end(last: number): void {
    this.#id = undefined
    this.#heldUntilMs = 0
    // A standby that came too late may know less than was told.
    this.#toldUntil = Math.max(last, this.#toldUntil)
    this.#uncharged.giveAway(this.#leases.fence(last))
    this.#follow()
  }

  /** The database has lost what it had agreed to: its side counts, and charges not yet reported are given away. */
  async #beginAnew(): Promise<void> {
    const { database } = this.#parts
    const id = this.#id
    if (id === undefined) return
    // If that fails, other services end the session when it is overdue.
    await closeLeases(database, id).catch(() => {})
    const unknown = { last: this.#toldUntil }
    const sessionState = database
      .transaction((query) => sessionStateOf(query, id))
      .catch(() => unknown)
    this.#pending = undefined
    this.#fence((await sessionState).last)
  }

  #sayWhetherKnown(): void {
    const knownMsMax = Math.max(knownMs, looksKnown * this.#lookTookMs)
    this.#live?.setUncertain(this.#options.clock() - this.#knownAtMs > knownMsMax)
  }
}

/**
 * Until the database is reached the outbox keeps its content: a try that fails half-way disturbs no
 * other.
 * @throws Refusal `already-running` when another service has the outbox, `ledger-refused` when the
 * database cannot be used, or is not reached within the wait.
 */
export async function openLeaseSession(options: LeaseOptions): Promise<LeaseSession> {
  const lock = await lockDirectory(options.directory)
  try {
    const { directory, wallClock: clock, report } = options
    const outbox = await Outbox.open({ directory, clock, report })
    return await whenReached(options, () => begun(options, lock, outbox)).catch(async (error) => {
      await outbox.close()
      throw error
    })
  } catch (error) {
    lock.release()
    throw error
  }
}

async function begun(options: LeaseOptions, lock: Lock, outbox: Outbox): Promise<LeaseSession> {
  const database = new Database(options.uri)
  const session = new LeaseSession(options, { lock, database, outbox })
  let isDone = false
  // Statements that a database does not answer end with its connection.
  void options.ended.then(() => (isDone ? undefined : session.letGo()))
  try {
    await makeTables(database)
    await session.begin()
    return session
  } catch (error) {
    await session.letGo()
    throw error
  } finally {
    isDone = true
  }
}
