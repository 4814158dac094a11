/**
 * A service's session with a ledger in a database that other services sell from, too. It sells from leases of a
 * few seconds that it renews, and writes each sale to its outbox before the sale counts. Without the database
 * it sells until its leases end. Settlements go one after the other on one connection; the rest on a second.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { thrownMessage } from '../../problems.ts'
import type { Lock } from '../../process/lock.ts'
import { keepEvents, keepEventsMs, setLowMicroUsd } from '../books/event-rows.ts'
import type {
  Changes,
  Charge,
  ChargeBatch,
  Funds,
  LedgerSession,
  LiveFunds,
} from '../books/port.ts'
import { ServiceBooks } from '../books/service-books.ts'
import {
  closeLeases,
  openLeases,
  reap,
  reaperSteadyMs,
  type SessionState,
  sessionMs,
  sessionStateOf,
} from '../books/session-rows.ts'
import { Contradiction } from '../sql/port.ts'
import { Database } from '../sql/postgres/database.ts'
import { refuseUnlessLocked } from '../sql/sqlite/held-file.ts'
import { FoundKeys, type KeyNews } from './found-keys.ts'
import { sellShare } from './lease-policy.ts'
import { LeaseTable } from './lease-table.ts'
import { NewsFollower, nothingSeen } from './news.ts'
import { tellLeftOver } from './outbox/left-over.ts'
import type { Outbox, Window } from './outbox/outbox.ts'
import { type LateCharge, Uncharged } from './outbox/uncharged.ts'
import { type LeaseOptions, whenReached } from './reaching.ts'
import { type Settlement, settle } from './settlement.ts'

/** Intervals of looks for work, and of looks for changes in the database; ms. */
const roundMs = 20
const lookMs = 400
/** Pause after a failure; ms. */
const failedMs = 200
/**
 * Maximum age of the balances by which a request may be refused for lack of funds: a second, or a few times as
 * long as the database takes to answer, if that is more.
 */
const knownMs = 1_000
const looksKnown = 5
const reapMs = 1_000
/** Time for which another service may be showing the key of the first account that it made, ms. */
const firstKeyMsMax = 60_000

/** The lock, the database and the outbox of a session. */
interface Parts {
  readonly lock: Lock
  readonly database: Database
  readonly outbox: Outbox
}

/** The session of an open ledger. */
export class LeaseSession implements LedgerSession {
  readonly books: ServiceBooks
  readonly #options: LeaseOptions
  readonly #parts: Parts
  /** A second connection, for what the leases do not wait for. */
  readonly #side: Database
  readonly #news: NewsFollower
  readonly #leases = new LeaseTable()
  /** Undefined between a session that was ended by others and the next. */
  #id: string | undefined
  /** The last session there was, for what was sold in none. */
  #lastId = ''
  /** Identity of the database that has the last session. */
  #identity = ''
  /** Lead of the clock of the database over that of this service. */
  #aheadMs: number
  #live: LiveFunds | undefined
  #heldUntilMs = 0
  #knownAtMs = Number.NEGATIVE_INFINITY
  /** Sent, and perhaps not carried out: it is sent again as it was. */
  #pending: Settlement | undefined
  #toldUntil = 0
  readonly #keys = new FoundKeys()
  readonly #uncharged: Uncharged
  #steadySinceMs: number | undefined
  #isLookDue = true
  #seen = nothingSeen
  /** The connection of the last look. */
  #connectionsSeen = 0
  #lookTookMs = 0
  #reapedAtMs = Number.NEGATIVE_INFINITY
  #eventsKeptAtMs = Number.NEGATIVE_INFINITY
  /** Tasks that are failing at the moment. */
  readonly #failing = new Set<() => Promise<void>>()
  #isClosing = false
  #rounds: Promise<void> = Promise.resolve()
  readonly #timer: NodeJS.Timeout

  constructor(options: LeaseOptions, parts: Parts) {
    this.#options = options
    this.#parts = parts
    this.#aheadMs = options.wallClock() - options.clock()
    this.#uncharged = new Uncharged(parts.database, options.report)
    this.#side = new Database(options.uri, undefined, () => {
      this.#isLookDue = true
    })
    this.books = new ServiceBooks(this.#side, {
      showMsMax: firstKeyMsMax,
      start: (work) => whenReached(options, work),
    })
    this.#news = new NewsFollower(options)
    this.#timer = setInterval(() => this.#sayWhetherKnown(), roundMs)
    this.#timer.unref()
  }

  /** Tells what the last run had left, and waits for the first leases; before anything else. */
  async begin(): Promise<void> {
    await setLowMicroUsd(this.#parts.database, this.#options.lowMicroUsd ?? 0)
    await tellLeftOver(this.#parts, this.#uncharged, this.#options.clock)
    await this.#open()
    do {
      await this.#sideRound()
      await this.#settlementRound()
    } while (this.#leases.isIncomplete)
    this.#rounds = this.#goRound()
  }

  readonly bind = (live: LiveFunds): void => {
    this.#live = live
  }

  readonly heldUntilMs = (): number => this.#heldUntilMs

  readonly givenAwayMicroUsd = (): number => this.#uncharged.givenAwayMicroUsd

  readonly writtenOffMicroUsd = (): number => this.#uncharged.writtenOffMicroUsd

  readonly outboxAgeMs = (): number => this.#leases.outboxAgeMs(this.#options.clock())

  readonly nowMs = (): number => this.#options.clock() + this.#aheadMs

  readonly seek = (keyHash: string): void => this.#news.seek(keyHash)

  /** The cursor is the version of funds. */
  async readChanges(since: string | undefined): Promise<Changes> {
    refuseUnlessLocked(this.#parts.lock, this.#options.directory)
    return {
      cursor: String(this.#leases.version),
      funds: this.#leases.fundsSince(Number(since ?? 0)),
      ...this.#keys.take((key) => this.#leases.isKnown(key)),
    }
  }

  /** Writes a batch to the outbox, but for what no lease pays for. */
  async commit({ charges }: ChargeBatch): Promise<readonly Funds[]> {
    refuseUnlessLocked(this.#parts.lock, this.#options.directory)
    const { paid, unpaidCharges } =
      this.#id === undefined ? { paid: [], unpaidCharges: charges } : this.#leases.split(charges)
    const window: Window = { number: this.#leases.nextNumber(), charges: paid }
    if (paid.length > 0) this.#parts.outbox.add(window, this.#toldUntil)
    const isLost = ({ accountNumber }: Charge) => this.#leases.isLost(accountNumber)
    this.#uncharged.writeOff(unpaidCharges.filter(isLost))
    const late = unpaidCharges.filter((charge) => !isLost(charge))
    this.#writeOffLate(
      this.#id ?? this.#lastId,
      late.map((charge) => ({ number: window.number, ...charge })),
    )
    return this.#leases.sold(window, unpaidCharges, this.#options.clock())
  }

  /** Tells what is left, and gives back what was not sold. */
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
    await this.#side.close()
    await this.#parts.database.close()
  }

  async #sayGoodbye(): Promise<void> {
    const { database, outbox } = this.#parts
    if (this.#pending !== undefined) await this.#send(this.#pending)
    const settlement = this.#id === undefined ? undefined : this.#leases.lastSettlement(this.#id)
    if (settlement !== undefined) await this.#send(settlement)
    if (this.#id !== undefined) await closeLeases(database, this.#id)
    await this.#uncharged.write()
    outbox.begin('', this.#identity)
  }

  /** Opens a session. An outbox for another database is left to that one: its charges cannot be made here. */
  async #open(): Promise<void> {
    const { outbox, database } = this.#parts
    const id = randomUUID()
    const sentAtMs = this.#options.clock()
    this.#identity = await openLeases(database, id, this.#options.node)
    if (outbox.database !== undefined && outbox.database !== this.#identity) {
      const which = `of database ${outbox.database}, and this is ${this.#identity}`
      await outbox.leave(`the outbox is ${which}`, this.#toldUntil)
    }
    outbox.begin(id, this.#identity)
    this.#heldUntilMs = sentAtMs + sellShare * sessionMs
    this.#toldUntil = 0
    this.#lastId = id
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
    if (this.#id === undefined) await this.#open()
    const nowMs = this.#options.clock()
    this.#pending ??= this.#leases.nextSettlement(this.#id!, this.#live, nowMs)
    if (this.#pending !== undefined) await this.#send(this.#pending)
    await this.#uncharged.write()
  }

  async #sideRound(): Promise<void> {
    const nowMs = this.#options.clock()
    const isDue = this.#isLookDue || this.#news.isSeeking
    if (isDue || nowMs - this.#knownAtMs >= lookMs) await this.#look(nowMs)
    this.#steadySinceMs ??= nowMs
    const isSteady = nowMs - this.#steadySinceMs >= reaperSteadyMs
    if (!isSteady || nowMs - this.#reapedAtMs < reapMs) return
    this.#reapedAtMs = nowMs
    await reap(this.#side)
    if (nowMs - this.#eventsKeptAtMs < keepEventsMs) return
    this.#eventsKeptAtMs = nowMs
    await keepEvents(this.#side)
  }

  /**
   * Looks for changes; for everything, on the first look of a connection: a standby that came too late counts on from less,
   * and may come to the same number by other changes; another database has other accounts of the same numbers.
   */
  async #look(nowMs: number): Promise<void> {
    this.#isLookDue = false
    const { news, connection, isFirst } = await this.#side.snapshot(async (query) => {
      const { connections: connection } = this.#side
      const isFirst = connection !== this.#connectionsSeen
      const news = await this.#news.look(query, isFirst ? nothingSeen : this.#seen)
      return { news, connection, isFirst }
    })
    this.#connectionsSeen = connection
    this.#seen = news.seen
    this.#knownAtMs = nowMs
    this.#lookTookMs = this.#options.clock() - nowMs
    this.#news.over(news)
    this.#writeOffLost(() => this.#leases.note(news.funds, isFirst))
    this.#takeKeys(news)
    const count = news.funds.length + news.changedKeys.length + news.sought.length
    if (count > 0) this.#live?.follow()
  }

  /** Accounts of keys that were found are leased next, and then their keys are good here. */
  #takeKeys(news: KeyNews): void {
    for (const hash of this.#keys.add(news)) this.#news.seek(hash)
  }

  /** The lease is counted from before the settlement was sent: that is the earliest it can have begun. */
  async #send(settlement: Settlement): Promise<void> {
    const sentAtMs = this.#options.clock()
    const reply = await settle(this.#parts.database, settlement, this.#options.clock)
    this.#pending = undefined
    if (reply.identity !== this.#identity) return this.#leaveDatabase()
    this.#aheadMs = reply.aheadMs
    this.#writeOffLost(() => this.#leases.lose(reply.lost))
    if (reply.closed !== undefined) return this.#fence(reply.closed)
    this.#heldUntilMs = sentAtMs + sellShare * sessionMs
    this.#toldUntil = settlement.number
    this.#refuseUnpaid(settlement, reply.unpaid)
    this.#leases.take(settlement, reply.leases, this.#options.clock())
    this.#live?.follow()
  }

  /** @throws Contradiction when the database has lost some of what it had leased. */
  #refuseUnpaid({ charges }: Settlement, unpaid: readonly number[]): void {
    if (unpaid.length === 0) return
    this.#uncharged.giveAway(charges.filter((each) => unpaid.includes(each.accountNumber)))
    throw new Contradiction(`the leases of accounts ${unpaid.join(', ')} are others than agreed`)
  }

  /**
   * The database is another one: the sales so far are for the other, and a session is opened here. Its accounts have the
   * same numbers, so that no key from before may be good meanwhile.
   */
  #leaveDatabase(): void {
    this.#takeKeys({ changedKeys: 'all', keys: [], bad: [] })
    this.#isLookDue = true
    this.#id = undefined
    this.#heldUntilMs = 0
    this.#uncharged.writeOff(this.#leases.fence(this.#toldUntil))
    this.#live?.follow()
    this.#options.report(
      'this is another database than before: its accounts are sold to from here on',
    )
  }

  /** Another process ended this session, because it was not heard of: nothing is sold until the next session. */
  #fence({ last }: Pick<SessionState, 'last'>): void {
    const session = this.#id!
    this.#id = undefined
    this.#heldUntilMs = 0
    this.#writeOffLate(session, this.#leases.fence(last))
    this.#live?.follow()
    this.#options.report('the leases of this service were ended, as it was not heard of in time')
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
    this.#fence(await sessionState)
  }

  /** Takes over that the database has lost accounts, and says of which that is news. */
  #writeOffLost(lose: () => readonly Charge[]): void {
    const before = new Set(this.#leases.lost())
    this.#uncharged.writeOff(lose())
    this.#uncharged.reportLost(this.#leases.lost().filter((number) => !before.has(number)))
  }

  #writeOffLate(session: string, unpaidCharges: readonly LateCharge[]): void {
    this.#uncharged.writeOffLate(session, this.#identity, unpaidCharges)
  }

  #sayWhetherKnown(): void {
    const knownMsMax = Math.max(knownMs, looksKnown * this.#lookTookMs)
    this.#live?.setUncertain(this.#options.clock() - this.#knownAtMs > knownMsMax)
  }
}
