/**
 * A service's table of its leases and of the sales that the database does not have yet. At every
 * moment, of each account and cap, less what is about to be given back,
 *
 *     sold and not told + not sold = granted - spent, as the database has it
 */

import type { FundNews } from '../books/account-rows.ts'
import type { Charge, ChargeBatch, Funds, FundsId, GoodKey, LiveFunds } from '../books/port.ts'
import { fundsOfCharge, summed } from '../books/sales.ts'
import { sessionMs } from '../books/session-rows.ts'
import { Contradiction } from '../sql/port.ts'
import {
  Holding,
  idleMicroUsd,
  idleMs,
  isQuiet,
  measure,
  nextWantOf,
  wantOf,
  wishToGive,
} from './holding.ts'
import { idOf, type Move, type Reply, type Settlement } from './settlement.ts'

/** Maximum wait of a window for its report, and interval of renewal of an idle session; ms. */
const tellMs = 400
const renewMs = sessionMs / 4
const neededMs = 1_500
const contentMs = 500
const soldMs = 1_000
/** Duration for which a recalled amount is left to other services, unless a request needs it; ms. */
const calledBackMs = 3_000
/** Maximum number of accounts leased for the first time in one settlement: it locks them all. */
const firstLeasesMax = 500

interface SoldWindow extends ChargeBatch {
  readonly soldAtMs: number
}

export class LeaseTable {
  readonly #holdings = new Map<FundsId, Holding>()
  /** Those that were sold from, or that something is to be done about. */
  readonly #busy = new Set<Holding>()
  readonly #unleased = new Set<Holding>()
  /** Those that the database does not have yet, in their order; apart from those that no lease pays for any more. */
  #windows: readonly SoldWindow[] = []
  #late: readonly ChargeBatch[] = []
  #number = 0
  #version = 1
  #lookedAtMs = Number.NEGATIVE_INFINITY
  #sentAtMs = Number.NEGATIVE_INFINITY

  get version(): number {
    return this.#version
  }

  get isIncomplete(): boolean {
    return this.#unleased.size > 0
  }

  /** The funds that changed after a version. They are the table's own and stay up to date. */
  fundsSince(version: number): readonly Funds[] {
    return [...this.#holdings.values()].filter((each) => each.version > version)
  }

  /** Whether the account of a key and its cap were leased once: before that, their funds are unknown. */
  isKnown({ accountNumber, id, terms }: Pick<GoodKey, 'accountNumber' | 'id' | 'terms'>): boolean {
    const isLeased = (each: FundsId) => (this.#holdings.get(each)?.version ?? 0) > 0
    return isLeased(accountNumber) && (terms?.cap === undefined || isLeased(id))
  }

  /** Whether a settlement of this session was answered for it. */
  #isLeased(holding: Holding): boolean {
    return !holding.isLost && !this.#unleased.has(holding)
  }

  /** @returns whether some accounts are others than before, under the same number. */
  note(news: readonly FundNews[]): boolean {
    return news.filter((each) => this.#note(each)).length > 0
  }

  #note(news: FundNews): boolean {
    const holding = this.#holdings.get(idOf(news)) ?? this.#add(news)
    const isKnown = holding.madeAtMs !== undefined && !holding.isLost
    const isOther = isKnown && holding.madeAtMs !== news.madeAtMs
    // The lease is of an account that is gone: nothing of it may be sold to this one.
    if (isOther) this.#drop(holding)
    holding.madeAtMs = news.madeAtMs
    if (holding.isLost) {
      holding.isLost = false
      holding.recalled = news.recalled
      this.#unleased.add(holding)
    }
    holding.balanceMicroUsd = news.grantedMicroUsd - news.spentMicroUsd
    holding.contentUntilMs = 0
    if (news.recalled > holding.recalled) {
      holding.recalled = news.recalled
      holding.givesAll = true
    }
    this.#busy.add(holding)
    this.#settle(holding)
    return isOther
  }

  /** The database does not have it any more: nothing is sold of it until it has it again. */
  #drop(holding: Holding): void {
    holding.isLost = true
    this.#empty(holding)
    holding.balanceMicroUsd = 0
    holding.neededMicroUsd = 0
    holding.givesAll = false
    this.#unleased.delete(holding)
    this.#busy.delete(holding)
    this.#settle(holding)
  }

  #add(news: FundNews): Holding {
    const holding = new Holding(news)
    this.#holdings.set(holding.id, holding)
    this.#unleased.add(holding)
    return holding
  }

  /** What the leases pay for, and what nothing does any more: they ended while it was sold. */
  #split(charges: readonly Charge[]): { paid: Charge[]; unpaid: Charge[] } {
    const costs = new Map<FundsId, number>()
    for (const charge of charges) {
      for (const id of fundsOfCharge(charge))
        costs.set(id, (costs.get(id) ?? 0) + charge.amountMicroUsd)
    }
    const isShort = (id: FundsId) => costs.get(id)! > (this.#holdings.get(id)?.roomMicroUsd ?? -1)
    // All of an account or none of it: one that is short of a cap is short for its leases ended.
    const short = new Set(
      charges.filter((each) => fundsOfCharge(each).some(isShort)).map((each) => each.accountNumber),
    )
    const isPaid = ({ accountNumber }: Charge) => !short.has(accountNumber)
    return { paid: charges.filter(isPaid), unpaid: charges.filter((each) => !isPaid(each)) }
  }

  outboxAgeMs(nowMs: number): number {
    return Math.max(0, nowMs - (this.#windows[0]?.soldAtMs ?? nowMs))
  }

  /** A number for a window or a settlement, above all before it, also in other sessions. */
  nextNumber(): number {
    this.#number += 1
    return this.#number
  }

  /** @param isOpen whether there is a session, whose leases may pay for them. */
  sold({ number, charges }: ChargeBatch, isOpen: boolean, nowMs: number) {
    const { paid, unpaid } = isOpen ? this.#split(charges) : { paid: [], unpaid: charges }
    if (paid.length > 0) {
      this.#windows = [...this.#windows, { number, charges: paid, soldAtMs: nowMs }]
    }
    if (unpaid.length > 0) this.#late = [...this.#late, { number, charges: unpaid }]
    const spend = (charge: Charge, isPaid: boolean) =>
      fundsOfCharge(charge).map((id) => this.#spend(id, charge.amountMicroUsd, isPaid, nowMs))
    const ofPaid = paid.flatMap((charge) => spend(charge, true))
    return { funds: [...ofPaid, ...unpaid.flatMap((charge) => spend(charge, false))], unpaid }
  }

  restore(windows: readonly ChargeBatch[], last: number, nowMs: number): void {
    const untold = windows.filter(({ number }) => number > last)
    this.#windows = untold.map((window) => ({ ...window, soldAtMs: nowMs }))
    this.#number = Math.max(last, ...windows.map(({ number }) => number))
  }

  /** Drops all windows: they are of another database, whose accounts are others under the same numbers. */
  forget(): void {
    this.#windows = []
    this.#late = []
    for (const holding of this.#holdings.values()) holding.madeAtMs = undefined
  }

  #spend(id: FundsId, costMicroUsd: number, isPaid: boolean, nowMs: number): Funds {
    const holding = this.#holdings.get(id)!
    holding.spentMicroUsd += costMicroUsd
    if (isPaid) holding.soldMicroUsd += costMicroUsd
    holding.soldSinceLookMicroUsd += costMicroUsd
    holding.soldAtMs = nowMs
    this.#busy.add(holding)
    return holding
  }

  /** To be sent until it is answered. What it gives back is not live any more. */
  nextSettlement(
    session: string,
    live: LiveFunds | undefined,
    nowMs: number,
  ): Settlement | undefined {
    this.#remember(live, nowMs)
    const moves = this.#moves(live, nowMs)
    const isDue =
      moves.length > 0 || this.outboxAgeMs(nowMs) >= tellMs || nowMs - this.#sentAtMs >= renewMs
    if (!isDue) return undefined
    this.#sentAtMs = nowMs
    const settlement = this.lastSettlement(session, moves)
    for (const charge of settlement.charges) {
      for (const id of fundsOfCharge(charge))
        this.#holdings.get(id)!.toldMicroUsd += charge.amountMicroUsd
    }
    return settlement
  }

  lastSettlement(session: string, moves: readonly Move[] = []): Settlement {
    const charges = chargesOf(this.#windows)
    const last = this.#late.at(-1)
    const late = last && { number: last.number, charges: chargesOf(this.#late) }
    return { session, number: this.nextNumber(), charges, moves, ...(late && { late }) }
  }

  #remember(live: LiveFunds | undefined, nowMs: number): void {
    for (const [id, costMicroUsd] of live?.takeMissed() ?? []) {
      const holding = this.#holdings.get(id)
      if (holding === undefined || holding.isLost) continue
      holding.neededMicroUsd = Math.max(holding.neededMicroUsd, costMicroUsd)
      holding.requestMicroUsd = Math.max(holding.requestMicroUsd, costMicroUsd)
      holding.neededUntilMs = nowMs + neededMs
      this.#busy.add(holding)
    }
  }

  #moves(live: LiveFunds | undefined, nowMs: number): Move[] {
    const seconds = Math.min((nowMs - this.#lookedAtMs) / 1_000, idleMs / 1_000)
    this.#lookedAtMs = nowMs
    const moves: Move[] = [...this.#unleased].slice(0, firstLeasesMax).map((holding) => {
      return { ...whose(holding), given: 0, want: wantOf(holding, idleMicroUsd, 0, false) }
    })
    const others = [...this.#busy].filter((each) => this.#isLeased(each))
    return moves.concat(
      others.flatMap((holding) => {
        const given = live === undefined ? 0 : this.#give(holding, live, nowMs)
        if (seconds > 0) measure(holding, seconds)
        const want = nextWantOf(holding, live, nowMs)
        if (want === undefined && isQuiet(holding, nowMs)) this.#busy.delete(holding)
        if (given === 0 && want === undefined) return []
        return { ...whose(holding), given, want }
      }),
    )
  }

  #give(holding: Holding, live: LiveFunds, nowMs: number): number {
    const wished = wishToGive(holding, live, nowMs)
    const given = wished > 0 ? live.withdraw(holding.id, wished) : 0
    if (holding.givesAll) holding.contentUntilMs = nowMs + calledBackMs
    holding.givesAll = false
    holding.leasedMicroUsd -= given
    holding.heldByOtherNodesMicroUsd += given
    return given
  }

  /** @throws Contradiction when the database knows less than before, as a late standby may. */
  take(settlement: Settlement, { leases, lost }: Reply, nowMs: number): void {
    this.#isTold(settlement.number)
    const wanted = new Map(
      settlement.moves.map((move) => [idOf(move), move.want?.amountMicroUsd ?? 0]),
    )
    const told = new Set(leases.map(idOf))
    for (const move of settlement.moves) {
      if (!told.has(idOf(move))) this.#drop(this.#holdings.get(idOf(move))!)
    }
    for (const number of lost) {
      const holding = this.#holdings.get(number)
      if (holding !== undefined) this.#drop(holding)
    }
    for (const lease of leases) {
      const id = idOf(lease)
      const holding = this.#holdings.get(id)!
      if (holding.isLost) continue
      const granted = lease.grantedMicroUsd - holding.leasedMicroUsd
      const { toldMicroUsd, soldMicroUsd } = holding
      const isSpentAsTold =
        lease.spentMicroUsd >= toldMicroUsd && lease.spentMicroUsd <= soldMicroUsd
      if (granted < 0 || !isSpentAsTold) {
        throw new Contradiction(
          `the lease of account ${lease.accountNumber} is another than agreed`,
        )
      }
      holding.leasedMicroUsd += granted
      holding.toldMicroUsd = lease.spentMicroUsd
      holding.balanceMicroUsd = lease.balanceMicroUsd
      this.#unleased.delete(holding)
      const isLess = granted < (wanted.get(id) ?? 0)
      const isSold = nowMs - holding.soldAtMs < soldMs
      if (isLess && !(isSold && granted > 0)) holding.contentUntilMs = nowMs + contentMs
      this.#busy.add(holding)
      this.#settle(holding)
    }
  }

  /**
   * The balance may already be without the charges that are on their way, and have what is given
   * back: so the lease is counted without both.
   */
  #settle(holding: Holding): void {
    const { toldMicroUsd, balanceMicroUsd, leasedMicroUsd } = holding
    holding.heldByOtherNodesMicroUsd = Math.max(
      0,
      balanceMicroUsd - (leasedMicroUsd - toldMicroUsd),
    )
    if (holding.version === 0 && !this.#isLeased(holding)) return
    this.#version += 1
    holding.version = this.#version
  }

  /**
   * Every lease is void, and charges that are not reported come too late: the next session reports
   * them as given away.
   */
  fence(last: number): readonly Charge[] {
    this.#isTold(last)
    const charges = chargesOf(this.#windows)
    this.#late = [...this.#late, ...this.#windows].sort((a, b) => a.number - b.number)
    this.#windows = []
    this.#sentAtMs = Number.NEGATIVE_INFINITY
    for (const holding of this.#holdings.values()) {
      if (holding.isLost) continue
      this.#empty(holding)
      this.#unleased.add(holding)
      this.#settle(holding)
    }
    return charges
  }

  #isTold(last: number): void {
    this.#windows = this.#windows.filter(({ number }) => number > last)
    this.#late = this.#late.filter(({ number }) => number > last)
  }

  #empty(holding: Holding): void {
    holding.leasedMicroUsd = 0
    holding.soldMicroUsd = 0
    holding.toldMicroUsd = 0
  }
}

function chargesOf(windows: readonly ChargeBatch[]): Charge[] {
  return summed(windows.flatMap(({ charges }) => charges))
}

function whose({ accountNumber, keyId }: Holding): Pick<Move, 'accountNumber' | 'keyId'> {
  return { accountNumber, ...(keyId !== undefined && { keyId }) }
}
