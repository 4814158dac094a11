/**
 * What a service knows of its leases: how much of every account it may sell, what it sold and has not
 * told the database, and what it wants and gives back next. At every moment, of every account,
 *
 *     sold and not told + not sold = granted - spent, as the database has it
 *
 * less what is about to be given back. Nothing here waits or knows a database.
 */
import type { Charge, Funds, LiveFunds } from '../port.ts'
import { LeaseMismatch } from '../postgres/database.ts'
import { chargesByAccount, chargesByKey, sumOf, withNewestQuestions } from '../sales.ts'
import { type AccountNews, Holding, isQuiet, measure, noLease, wantOf } from './holding.ts'
import { idleMicroUsd, idleMs, leaseTargetOf, sessionMs, type Want } from './lease-policy.ts'
import type { Window } from './outbox.ts'
import type { Lease, Settlement } from './settlement.ts'
import type { LateCharge } from './uncharged.ts'

/** How long a window may wait to be told, and how often a session without any lives on. */
const tellMs = 400
const renewMs = sessionMs / 4
/** How long what was refused is asked for, and how often others are called to give back. */
const neededMs = 1_500
const recallMs = 400
const contentMs = 500
/** How long an account counts as sold from. */
const soldMs = 1_000
/** How long what was called back is left to the others, unless a request needs it. */
const calledBackMs = 3_000
/** So many accounts are leased for the first time in one settlement: it locks them all. */
const firstLeasesMax = 500

/** A window that the database does not have yet, and when it was sold, in milliseconds. */
interface SoldWindow extends Window {
  readonly soldAtMs: number
}

/** The leases of one service; see above. */
export class LeaseTable {
  readonly #holdings = new Map<number, Holding>()
  /** Those that were sold from, or that something is to be done about. */
  readonly #busy = new Set<Holding>()
  readonly #unleased = new Set<Holding>()
  #windows: SoldWindow[] = []
  #unsentSinceMs = 0
  #number = 0
  #version = 1
  #lookedAtMs = Number.NEGATIVE_INFINITY
  #sentAtMs = Number.NEGATIVE_INFINITY

  /** Counts up with every change of funds. */
  get version(): number {
    return this.#version
  }

  /** Whether accounts wait for their first lease. */
  get isIncomplete(): boolean {
    return this.#unleased.size > 0
  }

  /** The funds that changed after a version. They are the table's own and stay up to date. */
  fundsSince(version: number): readonly Funds[] {
    return [...this.#holdings.values()].filter((each) => each.version > version)
  }

  /** Whether some of the accounts whose funds changed after a version had none before it. */
  hasNewSince(version: number): boolean {
    return [...this.#holdings.values()].some((each) => each.firstVersion > version)
  }

  /**
   * Takes over what the database says of accounts.
   * @param isComplete whether these are all the accounts that it has.
   * @returns what was sold to accounts that are gone; see `lose`.
   */
  note(news: readonly AccountNews[], isComplete = false): readonly Charge[] {
    const made = new Map(news.map(({ id, madeAtUs }) => [id, madeAtUs]))
    const isGone = ({ accountNumber, madeAtUs }: Holding) =>
      (made.get(accountNumber) ?? (isComplete ? undefined : madeAtUs)) !== madeAtUs
    const gone = [...this.#holdings.values()].filter(isGone)
    const charges = this.lose(gone.map(({ accountNumber }) => accountNumber))
    for (const account of news) this.#note(account)
    return charges
  }

  #note(account: AccountNews): void {
    const holding = this.#holdings.get(account.id) ?? this.#add(account)
    if (holding.isLost) {
      holding.isLost = false
      holding.madeAtUs = account.madeAtUs
      holding.recalled = account.recalled
      this.#unleased.add(holding)
    }
    holding.told = { ...holding.told, balanceMicroUsd: account.balance }
    holding.contentUntilMs = 0
    if (account.recalled > holding.recalled) {
      holding.recalled = account.recalled
      holding.givesAll = true
    }
    this.#busy.add(holding)
    this.#settle(holding)
  }

  /**
   * Drops what is held of accounts that the database does not have any more. Nothing is sold to them until it
   * has them again.
   * @returns what was sold to them and is not told, which nobody can be charged for.
   */
  lose(accountNumbers: readonly number[]): readonly Charge[] {
    const lost = new Set(accountNumbers)
    if (lost.size === 0) return []
    const isLost = ({ accountNumber }: Charge) => lost.has(accountNumber)
    const charges = chargesOf(this.#windows).filter(isLost)
    this.#windows = this.#windows
      .map((window) => ({ ...window, charges: window.charges.filter((each) => !isLost(each)) }))
      .filter((window) => window.charges.length > 0)
    for (const accountNumber of lost) {
      const holding = this.#holdings.get(accountNumber)
      if (holding !== undefined) this.#drop(holding)
    }
    return charges
  }

  #drop(holding: Holding): void {
    holding.isLost = true
    this.#empty(holding)
    holding.told = noLease(holding.accountNumber, 0)
    holding.neededMicroUsd = 0
    holding.givesAll = false
    this.#unleased.delete(holding)
    this.#busy.delete(holding)
    this.#settle(holding)
  }

  /** The accounts that the database does not have any more. */
  lost(): readonly number[] {
    const lost = [...this.#holdings.values()].filter(({ isLost }) => isLost)
    return lost.map(({ accountNumber }) => accountNumber)
  }

  /** Whether the database is known not to have an account any more. */
  isLost(accountNumber: number): boolean {
    return this.#holdings.get(accountNumber)?.isLost === true
  }

  #add(account: AccountNews): Holding {
    const holding = new Holding(account)
    this.#holdings.set(account.id, holding)
    this.#unleased.add(holding)
    return holding
  }

  /**
   * Splits what was sold into what the leases pay for and what nothing pays for any more, because
   * they ended while it was sold: that is given away. Nothing changes by that.
   */
  split(charges: readonly Charge[]): { paid: Charge[]; unpaidCharges: Charge[] } {
    const isPaid = ([accountNumber, ofAccount]: readonly [number, readonly Charge[]]) =>
      ofAccount.reduce((sum, { sales }) => sum + sumOf(sales).costMicroUsd, 0) <=
      (this.#holdings.get(accountNumber)?.roomMicroUsd ?? -1)
    const all = chargesByAccount(charges)
    return {
      paid: all.filter(isPaid).flatMap(([, each]) => each),
      unpaidCharges: all.filter((each) => !isPaid(each)).flatMap(([, each]) => each),
    }
  }

  /** How long the oldest window waits to be settled; 0 where none does. Milliseconds. */
  outboxAgeMs(nowMs: number): number {
    return Math.max(0, nowMs - (this.#windows[0]?.soldAtMs ?? nowMs))
  }

  /** A number for a window or a settlement, above all before it. */
  nextNumber(): number {
    this.#number += 1
    return this.#number
  }

  /** Takes note of what was sold: a window that is durable, and what was given away with it. */
  sold(window: Window, unpaidCharges: readonly Charge[], nowMs: number): readonly Funds[] {
    if (this.#windows.length === 0) this.#unsentSinceMs = nowMs
    if (window.charges.length > 0) this.#windows.push({ ...window, soldAtMs: nowMs })
    const paid = window.charges.map((charge) => this.#spend(charge, true, nowMs))
    return [...paid, ...unpaidCharges.map((charge) => this.#spend(charge, false, nowMs))]
  }

  #spend({ accountNumber, sales }: Charge, isPaid: boolean, nowMs: number): Funds {
    const holding = this.#holdings.get(accountNumber)!
    const { costMicroUsd } = sumOf(sales)
    holding.spentMicroUsd += costMicroUsd
    if (isPaid) holding.soldMicroUsd += costMicroUsd
    else holding.grantedMicroUsd += costMicroUsd
    holding.soldSinceLookMicroUsd += costMicroUsd
    holding.soldAtMs = nowMs
    this.#busy.add(holding)
    return holding
  }

  /**
   * The next settlement, to be sent until it is answered; undefined while there is nothing to say. What it
   * gives back is not live any more.
   */
  nextSettlement(
    session: string,
    live: LiveFunds | undefined,
    nowMs: number,
  ): Settlement | undefined {
    this.#remember(live, nowMs)
    const gives = this.#gives(live, nowMs)
    const wants = this.#wants(live, nowMs)
    const isDue =
      gives.size > 0 ||
      wants.length > 0 ||
      (this.#windows.length > 0 && nowMs - this.#unsentSinceMs >= tellMs) ||
      nowMs - this.#sentAtMs >= renewMs
    if (!isDue) return undefined
    this.#sentAtMs = nowMs
    const charges = chargesOf(this.#windows)
    return { session, number: this.nextNumber(), charges, wants, gives }
  }

  /** What is left to be told, whatever is due. */
  lastSettlement(session: string): Settlement | undefined {
    if (this.#windows.length === 0) return undefined
    const charges = chargesOf(this.#windows)
    return { session, number: this.nextNumber(), charges, wants: [], gives: new Map() }
  }

  #remember(live: LiveFunds | undefined, nowMs: number): void {
    for (const [accountNumber, costMicroUsd] of live?.takeMissed() ?? []) {
      const holding = this.#holdings.get(accountNumber)
      if (holding === undefined || holding.isLost) continue
      holding.neededMicroUsd = Math.max(holding.neededMicroUsd, costMicroUsd)
      holding.requestMicroUsd = Math.max(holding.requestMicroUsd, costMicroUsd)
      holding.neededUntilMs = nowMs + neededMs
      this.#busy.add(holding)
    }
  }

  #gives(live: LiveFunds | undefined, nowMs: number): Map<number, number> {
    const gives = new Map<number, number>()
    for (const holding of this.#busy) {
      if (live === undefined || holding.isUnleased) continue
      const wished = this.#wishToGive(holding, live, nowMs)
      const given = wished > 0 ? live.withdraw(holding.accountNumber, wished) : 0
      if (holding.givesAll) holding.contentUntilMs = nowMs + calledBackMs
      holding.givesAll = false
      if (given === 0) continue
      holding.leasedMicroUsd -= given
      holding.grantedMicroUsd -= given
      holding.heldByOtherNodesMicroUsd += given
      gives.set(holding.accountNumber, given)
    }
    return gives
  }

  /** All of it when other nodes need it; most of it when it is not sold from. */
  #wishToGive(holding: Holding, live: LiveFunds, nowMs: number): number {
    const liveMicroUsd = live.liveMicroUsd(holding.accountNumber)
    if (holding.givesAll) return Math.max(0, liveMicroUsd)
    if (nowMs - holding.soldAtMs < idleMs) return 0
    return liveMicroUsd > 2 * idleMicroUsd ? liveMicroUsd - idleMicroUsd : 0
  }

  #wants(live: LiveFunds | undefined, nowMs: number): Want[] {
    const seconds = Math.min((nowMs - this.#lookedAtMs) / 1_000, idleMs / 1_000)
    this.#lookedAtMs = nowMs
    const wants: Want[] = []
    for (const holding of [...this.#unleased].slice(0, firstLeasesMax)) {
      wants.push(wantOf(holding, idleMicroUsd, 0, false))
    }
    for (const holding of this.#busy) {
      if (holding.isUnleased) continue
      if (seconds > 0) measure(holding, seconds)
      const want = this.#wantOf(holding, live, nowMs)
      if (want !== undefined) wants.push(want)
      else if (isQuiet(holding, nowMs)) this.#busy.delete(holding)
    }
    return wants
  }

  #wantOf(holding: Holding, live: LiveFunds | undefined, nowMs: number): Want | undefined {
    const liveMicroUsd = live?.liveMicroUsd(holding.accountNumber) ?? holding.roomMicroUsd
    const lacking = Math.max(0, holding.neededMicroUsd - liveMicroUsd)
    if (nowMs >= holding.neededUntilMs || lacking === 0) holding.neededMicroUsd = 0
    const target = leaseTargetOf(holding.rate) + holding.neededMicroUsd
    if (holding.neededMicroUsd > 0) {
      const recalls = nowMs - holding.recalledAtMs >= recallMs
      if (recalls) holding.recalledAtMs = nowMs
      return wantOf(holding, Math.max(target - liveMicroUsd, lacking), lacking, recalls)
    }
    const isContent = nowMs < holding.contentUntilMs || holding.heldByOtherNodesMicroUsd === 0
    if (isContent || liveMicroUsd >= target / 2) return undefined
    return wantOf(holding, target - liveMicroUsd, 0, false)
  }

  /**
   * Takes over what the database says in reply to a settlement.
   * @throws Contradiction when it knows less than it said before, as a standby may that came too late.
   */
  take(settlement: Settlement, leases: readonly Lease[], nowMs: number): void {
    this.#windows = this.#windows.filter(({ number }) => number > settlement.number)
    this.#unsentSinceMs = nowMs
    const wanted = new Map(
      settlement.wants.map((want) => [want.accountNumber, want.amountMicroUsd]),
    )
    for (const lease of leases) {
      const holding = this.#holdings.get(lease.accountNumber)!
      if (holding.isLost) continue
      const granted = lease.grantedMicroUsd - holding.leasedMicroUsd
      if (granted < 0 || lease.spentMicroUsd > holding.soldMicroUsd) {
        throw new LeaseMismatch(
          `the lease of account ${lease.accountNumber} is another than agreed`,
        )
      }
      holding.leasedMicroUsd += granted
      holding.grantedMicroUsd += granted
      holding.told = lease
      holding.isUnleased = false
      this.#unleased.delete(holding)
      const isLess = granted < (wanted.get(lease.accountNumber) ?? 0)
      const isSold = nowMs - holding.soldAtMs < soldMs
      if (isLess && !(isSold && granted > 0)) holding.contentUntilMs = nowMs + contentMs
      this.#busy.add(holding)
      this.#settle(holding)
    }
  }

  /** What the account has besides: all of it, less what the lease is left with. */
  #settle(holding: Holding): void {
    const { balanceMicroUsd, grantedMicroUsd, spentMicroUsd } = holding.told
    holding.heldByOtherNodesMicroUsd = Math.max(
      0,
      balanceMicroUsd - (grantedMicroUsd - spentMicroUsd),
    )
    if (holding.isUnleased && holding.version === 0) return
    this.#version += 1
    holding.version = this.#version
    if (holding.firstVersion === 0) holding.firstVersion = this.#version
  }

  /**
   * Every lease is void: what was not sold is not ours, and what was not told is given away.
   * @param last the number of the last settlement that the database has.
   * @returns what was not told.
   */
  fence(last: number): LateCharge[] {
    const unpaidCharges = lateChargesOf(this.#windows, last)
    this.#windows = []
    this.#number = 0
    this.#sentAtMs = Number.NEGATIVE_INFINITY
    for (const holding of this.#holdings.values()) {
      if (holding.isLost) continue
      this.#empty(holding)
      holding.told = noLease(holding.accountNumber, holding.told.balanceMicroUsd)
      this.#unleased.add(holding)
      this.#settle(holding)
    }
    return unpaidCharges
  }

  /** What was not sold is not ours any more. */
  #empty(holding: Holding): void {
    holding.grantedMicroUsd -= holding.roomMicroUsd
    holding.leasedMicroUsd = 0
    holding.soldMicroUsd = 0
    holding.isUnleased = true
  }
}

/** What stands in windows that came after a settlement. */
export function lateChargesOf(windows: readonly Window[], last: number): LateCharge[] {
  return windows
    .filter(({ number }) => number > last)
    .flatMap(({ number, charges }) => charges.map((charge) => ({ number, ...charge })))
}

/** All that was sold in some windows, by account and lineage, with the newest of what was paid under keys. */
export function chargesOf(windows: readonly Window[]): Charge[] {
  return withNewestQuestions(chargesByKey(windows.flatMap(({ charges }) => charges)))
}
