/**
 * A service's session with a ledger in a database that others sell from, too. What it sells stands
 * in its outbox before it counts as written; what it may sell it was leased, for a few seconds, and
 * that again and again. Without the database it sells what it holds until its leases end, and then
 * nothing. Whatever it does with the database is done one thing after the other.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { formatUsd } from '../../money.ts'
import { Refusal } from '../../problems.ts'
import type { Lock } from '../../process/lock.ts'
import type { Batch, Changes, Funds, GoodKey, LedgerSession, LiveFunds } from '../port.ts'
import { removeClosed } from '../postgres/closed-sessions.ts'
import { Contradiction, type Database } from '../postgres/database.ts'
import { insertFirstAccount, markShown } from '../postgres/key-rows.ts'
import { tell } from '../postgres/notice.ts'
import { cursorKey } from '../postgres/secret-rows.ts'
import { reaperSteadyMs, sellShare, sessionKeptMs, sessionMs } from './lease-policy.ts'
import { chargesOf, giftsOf, LeaseTable } from './lease-table.ts'
import { NewsFollower } from './news.ts'
import type { Outbox, Window } from './outbox.ts'
import { type Reaching, whenReached } from './reaching.ts'
import {
  carryOut,
  closeLeases,
  type Gift,
  lastChargeOf,
  noteGifts,
  openLeases,
  reap,
  type Standing,
  standingOf,
  sumOf,
  type Tick,
} from './tick.ts'

/** What a session works with. */
export interface LeaseOptions extends Reaching {
  /** Of the database. */
  readonly uri: string
  /** Where the outbox is; one service has it at a time. */
  readonly directory: string
  /** What the session is called for people. */
  readonly node: string
  /** Whole milliseconds. */
  readonly clock: () => number
  /** Is called with one line when something is lost or fails, and when it works again. */
  readonly report: (line: string) => void
}

/** How often there is a look at what is to be done, and at what changed in the database. */
const roundMs = 20
const lookMs = 400
/** How long after a failure nothing is tried. */
const failedMs = 200
/** How old what is known of the accounts may be to refuse a request for want of money. */
const knownMs = 1_000
const reapMs = 1_000

/** Of a tick that only tells. */
const nothingMore = { wants: [], gives: new Map<number, number>() } as const

/** What it holds on to. */
export interface Parts {
  readonly lock: Lock
  readonly database: Database
  readonly outbox: Outbox
}

/** The session of an open ledger. */
export class LeaseSession implements LedgerSession {
  readonly #options: LeaseOptions
  readonly #parts: Parts
  readonly #news: NewsFollower
  readonly #leases = new LeaseTable()
  /** Undefined between a session that was ended by others and the next. */
  #id: string | undefined
  /** The last session there was, for what was sold in none. */
  #lastId = ''
  #live: LiveFunds | undefined
  #heldUntilMs = 0
  #knownAtMs = Number.NEGATIVE_INFINITY
  /** Sent, and perhaps not carried out: it is sent again as it was. */
  #pending: Tick | undefined
  #toldUntil = 0
  #keys: readonly GoodKey[] = []
  #keysVersion = 0
  /** Given away, and not written down. */
  #gifts: { readonly session: string; readonly gifts: readonly Gift[] }[] = []
  #givenAwayMicroUsd = 0
  #steadySinceMs: number | undefined
  #isLookDue = true
  #lookedAtMs = Number.NEGATIVE_INFINITY
  #reapedAtMs = Number.NEGATIVE_INFINITY
  #isFailing = false
  #isClosing = false
  #rounds: Promise<void> = Promise.resolve()
  readonly #timer: NodeJS.Timeout

  constructor(options: LeaseOptions, parts: Parts) {
    this.#options = options
    this.#parts = parts
    const onTold = () => {
      this.#isLookDue = true
    }
    this.#news = new NewsFollower(parts.database, options.uri, options.clock, onTold)
    this.#timer = setInterval(() => this.#sayWhetherKnown(), roundMs)
    this.#timer.unref()
  }

  /** Tells what the last run had left, and waits for the first leases; before anything else. */
  async begin(): Promise<void> {
    await this.#tellLeftOver()
    do await this.#round()
    while (this.#leases.isIncomplete)
    this.#rounds = this.#goRound()
  }

  readonly bind = (live: LiveFunds): void => {
    this.#live = live
  }

  readonly heldUntilMs = (): number => this.#heldUntilMs

  readonly givenAwayMicroUsd = (): number => this.#givenAwayMicroUsd

  async createFirstAccount(): Promise<string | undefined> {
    const { database } = this.#parts
    const key = await whenReached(this.#options, () =>
      database.transaction((query) => insertFirstAccount(query, randomBytes)),
    )
    if (key === undefined) return undefined
    await tell(database)
    const isThere = () => this.#keys.length > 0 && !this.#leases.isIncomplete
    for (this.#isLookDue = true; !isThere(); ) await sleep(roundMs)
    return key
  }

  async firstKeyShown(): Promise<void> {
    const { database } = this.#parts
    await whenReached(this.#options, () => database.transaction(markShown))
  }

  async cursorKey(): Promise<Uint8Array> {
    const { database } = this.#parts
    return whenReached(this.#options, () => database.transaction(cursorKey))
  }

  /** The cursor holds the versions of funds and of keys; keys are told again with new accounts. */
  async readChanges(since: string | undefined): Promise<Changes> {
    this.#refuseUnlessHeld()
    const [fundsSeen = 0, keysSeen = -1] = since?.split(' ').map(Number) ?? []
    const isNewToKeys = this.#keysVersion !== keysSeen || this.#leases.hasNewSince(fundsSeen)
    return {
      cursor: `${this.#leases.version} ${this.#keysVersion}`,
      funds: this.#leases.fundsSince(fundsSeen),
      keys: isNewToKeys ? this.#keys : undefined,
    }
  }

  /** Writes a batch to the outbox, but for what no lease pays for. */
  async commit({ charges }: Batch): Promise<readonly Funds[]> {
    this.#refuseUnlessHeld()
    const { paid, gifts } =
      this.#id === undefined ? { paid: [], gifts: charges } : this.#leases.split(charges)
    const window: Window = { number: this.#leases.nextNumber(), charges: paid }
    if (paid.length > 0) this.#parts.outbox.add(window, this.#toldUntil)
    this.#giveAway(
      this.#id ?? this.#lastId,
      gifts.map((charge) => ({ number: window.number, ...charge })),
    )
    return this.#leases.sold(window, gifts, this.#options.clock())
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
      this.#options.report(`${messageOf(error)}; ${reason}`)
    }
    await this.letGo()
    await outbox.close()
    lock.release()
  }

  /** Ends its connections and its timer, and nothing else. */
  async letGo(): Promise<void> {
    clearInterval(this.#timer)
    await this.#news.close()
    await this.#parts.database.close()
  }

  async #sayGoodbye(): Promise<void> {
    const { database, outbox } = this.#parts
    if (this.#pending !== undefined) await this.#send(this.#pending)
    const tick = this.#id === undefined ? undefined : this.#leases.lastTick(this.#id)
    if (tick !== undefined) await this.#send(tick)
    if (this.#id !== undefined) await closeLeases(database, this.#id)
    await this.#writeGifts()
    outbox.begin('')
  }

  /** What the last run had not told: late, but perhaps nobody has ended its session yet. */
  async #tellLeftOver(): Promise<void> {
    const { outbox } = this.#parts
    const { session } = outbox
    if (session !== undefined && session !== '') await this.#tell(session, outbox.windows())
    await this.#open()
  }

  async #tell(session: string, windows: readonly Window[]): Promise<void> {
    const { database } = this.#parts
    const numbers = chargesOf(windows).map(({ accountNumber }) => accountNumber)
    const last = await database.transaction(async (query) =>
      Math.max(
        (await standingOf(query, session)).last,
        await lastChargeOf(query, session, numbers),
      ),
    )
    const charges = chargesOf(windows.filter(({ number }) => number > last))
    const number = Math.max(last, windows.at(-1)?.number ?? 0)
    const { closed } = await carryOut(database, { session, number, charges, ...nothingMore })
    if (closed === undefined) await closeLeases(database, session)
    else this.#giveAway(session, giftsOf(windows, last))
    await this.#writeGifts()
  }

  async #open(): Promise<void> {
    const id = randomUUID()
    this.#parts.outbox.begin(id)
    const sentAtMs = this.#options.clock()
    await openLeases(this.#parts.database, id, this.#options.node)
    this.#heldUntilMs = sentAtMs + sellShare * sessionMs
    this.#toldUntil = 0
    this.#lastId = id
    this.#id = id
  }

  async #goRound(): Promise<void> {
    while (!this.#isClosing) {
      try {
        await this.#round()
        if (this.#isFailing) this.#options.report('the database of the ledger is reached again')
        this.#isFailing = false
      } catch (error) {
        if (!this.#isFailing)
          this.#options.report(`what is held is sold, no more: ${messageOf(error)}`)
        this.#isFailing = true
        this.#steadySinceMs = undefined
        if (error instanceof Contradiction) await this.#beginAnew()
        await sleep(failedMs)
      }
      await sleep(roundMs)
    }
  }

  /** Whatever is due. */
  async #round(): Promise<void> {
    const nowMs = this.#options.clock()
    if (this.#id === undefined) await this.#open()
    await this.#writeGifts()
    if (this.#isLookDue || nowMs - this.#lookedAtMs >= lookMs) await this.#look(nowMs)
    this.#pending ??= this.#leases.nextTick(this.#id!, this.#live, nowMs)
    if (this.#pending !== undefined) await this.#send(this.#pending)
    this.#steadySinceMs ??= nowMs
    const isSteady = nowMs - this.#steadySinceMs >= reaperSteadyMs
    if (isSteady && nowMs - this.#reapedAtMs >= reapMs) {
      this.#reapedAtMs = nowMs
      await reap(this.#parts.database)
      await removeClosed(this.#parts.database, sessionKeptMs)
    }
    this.#news.listen()
  }

  async #look(nowMs: number): Promise<void> {
    this.#isLookDue = false
    const { accounts, keys } = await this.#news.look()
    this.#lookedAtMs = nowMs
    this.#knownAtMs = nowMs
    this.#leases.note(accounts)
    if (keys !== undefined) {
      this.#keys = keys
      this.#keysVersion += 1
    }
    if (keys !== undefined || accounts.length > 0) this.#live?.follow()
  }

  /** The lease is counted from before the tick was sent: that is the earliest it can have begun. */
  async #send(tick: Tick): Promise<void> {
    const sentAtMs = this.#options.clock()
    const { leases, closed } = await carryOut(this.#parts.database, tick)
    this.#pending = undefined
    if (closed !== undefined) return this.#fence(closed)
    this.#heldUntilMs = sentAtMs + sellShare * sessionMs
    this.#toldUntil = tick.number
    this.#leases.take(tick, leases, this.#options.clock())
    this.#live?.follow()
  }

  /** Somebody ended this session, because it was not heard of: nothing is sold until the next. */
  #fence({ last }: Standing): void {
    const session = this.#id!
    this.#id = undefined
    this.#heldUntilMs = 0
    this.#giveAway(session, this.#leases.fence(last))
    this.#live?.follow()
    this.#options.report('the leases of this service were ended, as it was not heard of in time')
  }

  /** The database has lost what it had agreed to: its side counts, and what was not told is given away. */
  async #beginAnew(): Promise<void> {
    const { database } = this.#parts
    const id = this.#id
    if (id === undefined) return
    // Where that fails, others end the session when it is overdue.
    await closeLeases(database, id).catch(() => {})
    const unknown: Standing = { last: this.#toldUntil, isClosed: true }
    const standing = database.transaction((query) => standingOf(query, id)).catch(() => unknown)
    this.#pending = undefined
    this.#fence(await standing)
  }

  #giveAway(session: string, gifts: readonly Gift[]): void {
    if (gifts.length === 0) return
    this.#gifts.push({ session, gifts })
    const microUsd = gifts.reduce((sum, { sales }) => sum + sumOf(sales).costMicroUsd, 0)
    this.#givenAwayMicroUsd += microUsd
    this.#options.report(
      `${formatUsd(microUsd)} USD came too late to be charged and are given away`,
    )
  }

  async #writeGifts(): Promise<void> {
    for (const { session, gifts } of this.#gifts) {
      await noteGifts(this.#parts.database, session, gifts)
      this.#gifts = this.#gifts.filter((each) => each.gifts !== gifts)
    }
  }

  #sayWhetherKnown(): void {
    this.#live?.setUncertain(this.#options.clock() - this.#knownAtMs > knownMs)
  }

  #refuseUnlessHeld(): void {
    if (this.#parts.lock.isHeld()) return
    const { directory } = this.#options
    const reason = `another process took the lock of ${directory} while this one stood still`
    throw new Refusal('already-running', `${reason}; stop this service`)
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
