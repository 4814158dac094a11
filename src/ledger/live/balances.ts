/**
 * The live balances, in memory that all threads share. A balance is what the ledger says less what
 * has been reserved since; it never passes below zero, not even for a moment, however many threads
 * race. Every operation is a few atomic instructions and waits for nobody.
 */

import { type RouteName, routeNames } from '../../operations.ts'
import { accountsMax } from '../books/accounts.ts'

/** The memory itself: a plain value to hand to a worker thread. */
export interface SharedBalances {
  readonly balances: SharedArrayBuffer
  readonly queries: SharedArrayBuffer
  readonly status: SharedArrayBuffer
}

/** 0.5 MiB of balances and 1 MiB of counters, untouched pages of which cost nothing. */
export function createSharedBalances(): SharedBalances {
  return {
    balances: new SharedArrayBuffer(accountsMax * BigInt64Array.BYTES_PER_ELEMENT),
    queries: new SharedArrayBuffer(accountsMax * routeNames.length * Uint32Array.BYTES_PER_ELEMENT),
    status: new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT),
  }
}

const unavailableWord = 0
const keyTableVersionWord = 1
const columns = Object.fromEntries(routeNames.map((route, column) => [route, column])) as Record<
  RouteName,
  number
>

/** One thread's view of the shared memory. A slot is an account number less one. */
export class Balances {
  readonly #balances: BigInt64Array
  readonly #queries: Uint32Array
  readonly #status: Int32Array

  constructor(shared: SharedBalances) {
    this.#balances = new BigInt64Array(shared.balances)
    this.#queries = new Uint32Array(shared.queries)
    this.#status = new Int32Array(shared.status)
  }

  /**
   * Takes the cost of a request and answers what is left, in micro-USD; or takes nothing and answers
   * -1 when the balance is below it.
   *
   * Compares and exchanges where subtracting and undoing would be one instruction less: a request
   * that is too dear would make the balance look empty until it is undone, and a cheaper one that
   * came in between would be refused although its money was there. A round is only repeated when
   * another thread's succeeded.
   */
  take(slot: number, costMicroUsd: number): number {
    const cost = BigInt(costMicroUsd)
    let balance = Atomics.load(this.#balances, slot)
    while (balance >= cost) {
      const left = balance - cost
      const found = Atomics.compareExchange(this.#balances, slot, balance, left)
      if (found === balance) return Number(left)
      balance = found
    }
    return -1
  }

  /** Gives back what was taken for a request that was not answered. */
  release(slot: number, costMicroUsd: number): void {
    this.credit(slot, costMicroUsd)
  }

  /** Adds to a balance. */
  credit(slot: number, amountMicroUsd: number): void {
    Atomics.add(this.#balances, slot, BigInt(amountMicroUsd))
  }

  /** Counts queries that were reserved and whose answer has been written; they will be charged. */
  record(slot: number, route: RouteName, queries: number): void {
    Atomics.add(this.#queries, slot * routeNames.length + columns[route], queries)
  }

  /** What the account can still spend, in micro-USD. */
  balanceMicroUsd(slot: number): number {
    return Number(Atomics.load(this.#balances, slot))
  }

  /** Queries recorded so far, modulo 2³²: only differences of it mean something. */
  queriesRecorded(slot: number, route: RouteName): number {
    return Atomics.load(this.#queries, slot * routeNames.length + columns[route])
  }

  /** While this is true, charges cannot be recorded, so nothing that costs may be served. */
  isUnavailable(): boolean {
    return Atomics.load(this.#status, unavailableWord) === 1
  }

  /** Says that charges can, or cannot, be recorded. */
  setUnavailable(unavailable: boolean): void {
    Atomics.store(this.#status, unavailableWord, unavailable ? 1 : 0)
  }

  /** Version of the newest key table; a thread whose keyring has an older one has yet to get it. */
  keyTableVersion(): number {
    return Atomics.load(this.#status, keyTableVersionWord)
  }

  /** Says which key table is the newest. */
  setKeyTableVersion(version: number): void {
    Atomics.store(this.#status, keyTableVersionWord, version)
  }
}
