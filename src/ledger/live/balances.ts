/**
 * The live balances, in memory that all threads share. A purse holds what may be sold: an account
 * has one, and so has a key with a cap. Its balance is what the ledger has less what has been
 * reserved since; no sale takes it below zero, not even for a moment. A line counts what was sold
 * to one key. Every serving thread has a region that it alone writes, with what it took of each
 * purse and what it sold on each line; a reader adds the regions up.
 *
 * Doubles are exact up to 2⁵³, which no account may pass, and V8 reads and writes them in one piece
 * on every 64-bit machine. Taking from one purse never waits and costs one atomic exchange;
 * recording costs none. Neither allocates.
 */
import {
  createSharedDoubles,
  SharedDoubles,
  type SharedDoublesMemory,
} from '../../memory/shared-doubles.ts'
import { byRoute, type RouteName, routeNames } from '../../operations.ts'
import { accountsMax, soldKeysMax, termsMax } from '../books/port.ts'
import { SharedLocks } from './shared-locks.ts'

/** The memory itself: a plain value to hand to a worker thread. */
export interface SharedBalances {
  readonly balances: SharedDoublesMemory
  readonly regions: SharedArrayBuffer
  readonly locks: SharedArrayBuffer
  readonly status: SharedArrayBuffer
  readonly times: SharedArrayBuffer
  readonly heldByOtherNodes: SharedArrayBuffer
  readonly missed: SharedArrayBuffer
}

const unavailableCell = 0
const uncertainCell = 1
const missesCell = 2

/** The time until which sales may go on, and the lead of the ledger's clock; ms. */
const sellUntilCell = 0
const aheadCell = 1

export const behindLookMs = 50

/** Purses of accounts come first, then those of keys with terms. */
const pursesMax = accountsMax + termsMax

/** The cells of a purse: the amount that was recorded, and what was taken and not released. */
export const purseCells = { recorded: 0, taken: 1 } as const
const cellsPerPurse = 2

/** The cells of a line: the queries of each route, in the order of the routes. */
export const cellOf = byRoute((route) => routeNames.indexOf(route))
export const cellsPerLine = routeNames.length
const linesAt = pursesMax * cellsPerPurse
/** Whole cache lines of 64 bytes, so that threads do not take each other's. */
const cellsPerRegion = Math.ceil((linesAt + soldKeysMax * cellsPerLine) / 8) * 8
const bytesPerRegion = cellsPerRegion * Float64Array.BYTES_PER_ELEMENT

/** 3 MiB of balances and some 25 MiB for each thread, untouched pages of which cost nothing. */
export function createSharedBalances(threads: number): SharedBalances {
  const times = new SharedArrayBuffer(2 * Float64Array.BYTES_PER_ELEMENT)
  // Where nothing commits, nothing stops the sale.
  new Float64Array(times)[sellUntilCell] = Number.POSITIVE_INFINITY
  return {
    balances: createSharedDoubles(pursesMax),
    regions: new SharedArrayBuffer(threads * bytesPerRegion),
    locks: new SharedArrayBuffer(accountsMax * Int32Array.BYTES_PER_ELEMENT),
    status: new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT),
    times,
    heldByOtherNodes: new SharedArrayBuffer(pursesMax * Float64Array.BYTES_PER_ELEMENT),
    missed: new SharedArrayBuffer(pursesMax * Float64Array.BYTES_PER_ELEMENT),
  }
}

/** A view of the memory. `Slots` knows whose the places of purses and lines are. */
export class Balances {
  protected readonly balances: SharedDoubles
  protected readonly regions: readonly Float64Array[]
  readonly #status: Int32Array
  protected readonly times: Float64Array
  readonly #heldByOtherNodes: Float64Array
  readonly #missed: Float64Array

  constructor({ balances, regions, status, times, heldByOtherNodes, missed }: SharedBalances) {
    this.balances = new SharedDoubles(balances, pursesMax)
    this.regions = Array.from(
      { length: regions.byteLength / bytesPerRegion },
      (_, thread) => new Float64Array(regions, thread * bytesPerRegion, cellsPerRegion),
    )
    this.#status = new Int32Array(status)
    this.times = new Float64Array(times)
    this.#heldByOtherNodes = new Float64Array(heldByOtherNodes)
    this.#missed = new Float64Array(missed)
  }

  balanceMicroUsd(purse: number): number {
    return this.balances.values[purse]!
  }

  /** @throws RangeError for an amount, or a sum, that is no whole number of micro-USD up to 2⁵³. */
  credit(purse: number, amountMicroUsd: number): void {
    let balance: number
    do {
      balance = this.balances.values[purse]!
      const sum = balance + amountMicroUsd
      if (!Number.isSafeInteger(amountMicroUsd) || !Number.isSafeInteger(sum)) {
        throw new RangeError(`${amountMicroUsd} micro-USD cannot be added to ${balance}`)
      }
    } while (!this.balances.replace(purse, balance, balance + amountMicroUsd))
  }

  /**
   * The queries that all threads have sold on a line, of a route by its place. Read lines before
   * purses, and what was recorded before what was taken, so that nothing was recorded that was not
   * taken, whatever threads do meanwhile.
   */
  lineCell(line: number, cell: number): number {
    return this.#sumOf(linesAt + line * cellsPerLine + cell)
  }

  /** A cell of a purse, of all threads. */
  purseCell(purse: number, cell: number): number {
    return this.#sumOf(purse * cellsPerPurse + cell)
  }

  #sumOf(cell: number): number {
    let sum = 0
    for (const region of this.regions) sum += region[cell]!
    return sum
  }

  isUnavailable(): boolean {
    return Atomics.load(this.#status, unavailableCell) === 1
  }

  setUnavailable(unavailable: boolean): void {
    Atomics.store(this.#status, unavailableCell, unavailable ? 1 : 0)
  }

  heldByOtherNodesMicroUsd(slot: number): number {
    return this.#heldByOtherNodes[slot]!
  }

  setHeldByOtherNodes(slot: number, amountMicroUsd: number): void {
    this.#heldByOtherNodes[slot] = amountMicroUsd
  }

  /** Says whether it is not known for certain what other nodes hold of accounts. */
  setUncertain(uncertain: boolean): void {
    Atomics.store(this.#status, uncertainCell, uncertain ? 1 : 0)
  }

  /** Whether other nodes may hold what this node lacks. It is noted, so that it comes. */
  isHeldByOtherNodes(slot: number, costMicroUsd: number): boolean {
    const heldByOtherNodesMicroUsd = this.#heldByOtherNodes[slot]!
    const isUncertain = Atomics.load(this.#status, uncertainCell) === 1
    const hasIt =
      heldByOtherNodesMicroUsd > 0 &&
      this.balanceMicroUsd(slot) + heldByOtherNodesMicroUsd >= costMicroUsd
    if (!isUncertain && !hasIt) return false
    // If two threads note at once, one note may be lost: the thread's next request notes again.
    this.#missed[slot] = Math.max(this.#missed[slot]!, costMicroUsd)
    Atomics.add(this.#status, missesCell, 1)
    return true
  }

  get misses(): number {
    return Atomics.load(this.#status, missesCell)
  }

  takeMissed(slot: number): number {
    const missed = this.#missed[slot]!
    if (missed !== 0) this.#missed[slot] = 0
    return missed
  }

  withdraw(slot: number, amountMicroUsd: number): number {
    let balance = this.balances.values[slot]!
    while (balance > 0) {
      const taken = Math.min(balance, amountMicroUsd)
      if (this.balances.replace(slot, balance, balance - taken)) return taken
      balance = this.balances.values[slot]!
    }
    return 0
  }

  /** Says how far the ledger's clock is ahead of that which the threads share; whole milliseconds. */
  setLedgerClock(aheadMs: number): void {
    this.times[aheadCell] = Math.round(aheadMs)
  }

  /** The time by the ledger's clock, at a time of the clock that the threads share. */
  ledgerMs(nowMs: number): number {
    return nowMs + this.times[aheadCell]!
  }

  /** Stops the sale after a time, unless a later one is set before. */
  setSellUntil(untilMs: number): void {
    this.times[sellUntilCell] = untilMs
  }
}

export class ThreadBalances extends Balances {
  readonly #cells: Float64Array
  readonly #locks: SharedLocks
  #isBehind = false

  /** @param thread the place of the thread, from 0; no two that run at a time have the same. */
  constructor(shared: SharedBalances, thread: number) {
    super(shared)
    const cells = this.regions[thread]
    if (cells === undefined) throw new Error(`the balances have no place ${thread}`)
    this.#cells = cells
    this.#locks = new SharedLocks(shared.locks, thread)
  }

  /**
   * Looks whether a crash would lose more than it may: the committing thread cannot report a commit
   * that hangs. For every `behindLookMs` of a thread that sells; in between a sale costs no look at
   * the clock.
   */
  lookAtCommits(nowMs: number): void {
    this.#isBehind = nowMs > this.times[sellUntilCell]!
  }

  override isUnavailable(): boolean {
    return this.#isBehind || super.isUnavailable()
  }

  /**
   * Takes from the purses of the account and of its cap. Returns what is left of the account; or
   * takes nothing and returns -1 when the balance is below the cost, -2 when the cap is.
   */
  take(purses: readonly number[], costMicroUsd: number): number {
    const account = purses[0]!
    const cap = purses[1]
    // A sale that costs nothing is under no cap.
    if (cap === undefined || costMicroUsd === 0) return this.#takeFrom(account, costMicroUsd)
    // Others that take from the cap wait: one that is given back again must not look reached meanwhile.
    return this.#locks.locked(account, () => {
      if (this.#takeFrom(cap, costMicroUsd) < 0) return -2
      const leftMicroUsd = this.#takeFrom(account, costMicroUsd)
      if (leftMicroUsd < 0) this.#release(cap, costMicroUsd)
      return leftMicroUsd
    })
  }

  /** The index of the purse that `take` would find below a cost, the cap before the account; below 0 if there is none. */
  lacking(purses: readonly number[], costMicroUsd: number): number {
    const cap = purses[1]
    if (cap !== undefined && this.balanceMicroUsd(cap) < costMicroUsd) return 1
    return this.balanceMicroUsd(purses[0]!) < costMicroUsd ? 0 : -1
  }

  /**
   * Subtracting and undoing would be one instruction less, but a request that is too dear would
   * make the balance look empty until it is undone: a cheaper one in between would be refused
   * although its money was there. A round is only repeated when another thread's succeeded.
   */
  #takeFrom(purse: number, costMicroUsd: number): number {
    let balance = this.balances.values[purse]!
    while (balance >= costMicroUsd) {
      const leftMicroUsd = balance - costMicroUsd
      if (this.balances.replace(purse, balance, leftMicroUsd)) {
        this.#addTo(purse * cellsPerPurse + purseCells.taken, costMicroUsd)
        return leftMicroUsd
      }
      balance = this.balances.values[purse]!
    }
    return -1
  }

  release(purses: readonly number[], costMicroUsd: number): void {
    for (let index = purses.length - 1; index >= 0; index -= 1) {
      this.#release(purses[index]!, costMicroUsd)
    }
  }

  #release(purse: number, costMicroUsd: number): void {
    this.#addTo(purse * cellsPerPurse + purseCells.taken, -costMicroUsd)
    this.credit(purse, costMicroUsd)
  }

  /** Keeps what was taken for an answer that was written. */
  record(
    line: number,
    purses: readonly number[],
    route: RouteName,
    queries: number,
    amountMicroUsd: number,
  ): void {
    for (let index = 0; index < purses.length; index += 1) {
      this.#addTo(purses[index]! * cellsPerPurse + purseCells.recorded, amountMicroUsd)
    }
    this.#addTo(linesAt + line * cellsPerLine + cellOf[route], queries)
  }

  /** Gives back what a thread that died in this place had taken and did not record. */
  releaseLeftOver(): void {
    for (let purse = 0; purse < pursesMax; purse += 1) {
      const start = purse * cellsPerPurse
      const { recorded, taken } = purseCells
      const leftMicroUsd = this.#cells[start + taken]! - this.#cells[start + recorded]!
      if (leftMicroUsd !== 0) this.#release(purse, leftMicroUsd)
    }
    this.#locks.releaseLeftOver()
  }

  #addTo(cell: number, value: number): void {
    this.#cells[cell]! += value
  }
}
