/**
 * The reservations of one serving thread: whose key a request carries, and what it costs. Money
 * moves in three steps, so that only an answer that was written is paid for: `reserve` before
 * answering, then `record` once the answer is written, or `release` when it is not.
 */
import type { Prices, RouteName } from '../../operations.ts'
import { keyLength } from '../key.ts'
import type { ThreadBalances } from './balances.ts'
import type { KeyOwner, Keyring } from './keyring.ts'

/** A reserved amount: what to record or to release. */
export interface ReservedCharge {
  readonly slot: number
  readonly route: RouteName
  readonly queries: number
  readonly costMicroUsd: number
}

/** Why nothing was reserved. */
export interface Unpaid {
  readonly costMicroUsd: number
  /** True when charges cannot be recorded at the moment; false when the balance is below the cost. */
  readonly unavailable: boolean
  /** Set when the balance may hold the cost, but not here: it is on its way. */
  readonly heldByOtherNodes?: true
}

/** What was reserved, and what that has left of the balance, in micro-USD. */
export interface Reserved {
  readonly charge: ReservedCharge
  readonly leftMicroUsd: number
  readonly unpaid?: never
}

/** What became of a reservation. */
export type Reservation = Reserved | { readonly unpaid: Unpaid; readonly charge?: never }

/** Is called with queries whose answer was written and which will be charged. */
export type OnCharged = (route: RouteName, queries: number) => void

const scheme = /^Bearer +([\x21-\x7e]+) *$/i
const usualScheme = 'Bearer '
const usualLength = usualScheme.length + keyLength

/** What one thread reserves of the balances that all threads share. */
export class Reservations {
  readonly #keyring: Keyring
  readonly #balances: ThreadBalances
  readonly #prices: Prices
  readonly #onCharged: OnCharged | undefined
  #lastHeader = ''
  #lastKey = ''

  constructor(keyring: Keyring, balances: ThreadBalances, prices: Prices, onCharged?: OnCharged) {
    this.#keyring = keyring
    this.#balances = balances
    this.#prices = prices
    this.#onCharged = onCharged
  }

  /** The owner of the key in an `Authorization` header; undefined for anything but a valid key. */
  ownerOf(authorization: string): KeyOwner | undefined {
    // The pattern, and the look-up too, take longer than to compare with the header that came last.
    if (authorization === this.#lastHeader) return this.#keyring.ownerOf(this.#lastKey)
    const key = keyIn(authorization)
    if (key === undefined) return undefined
    const owner = this.#keyring.ownerOf(key)
    if (owner !== undefined) {
      this.#lastHeader = authorization
      this.#lastKey = key
    }
    return owner
  }

  /** Reserves the price of so many queries; when the result holds no charge, nothing was taken. */
  reserve(owner: KeyOwner, route: RouteName, queries: number): Reservation {
    const slot = owner.accountSlot
    const costMicroUsd = this.#prices[route] * queries
    // What costs nothing does not wait for a ledger that cannot be written.
    if (costMicroUsd > 0 && this.#balances.isUnavailable()) {
      return { unpaid: { costMicroUsd, unavailable: true } }
    }
    const leftMicroUsd = this.#balances.take(slot, costMicroUsd)
    if (leftMicroUsd < 0) return { unpaid: this.#unpaid(slot, costMicroUsd) }
    const besidesMicroUsd = this.#balances.heldByOtherNodesMicroUsd(slot)
    const charge = { slot, route, queries, costMicroUsd }
    return { charge, leftMicroUsd: leftMicroUsd + besidesMicroUsd }
  }

  /** Lowers a reservation to fewer queries; the price of the others is the customer's again. */
  lower({ charge, leftMicroUsd }: Reserved, queries: number): Reserved {
    const { slot, route } = charge
    const costMicroUsd = this.#prices[route] * queries
    const lessMicroUsd = charge.costMicroUsd - costMicroUsd
    if (lessMicroUsd > 0) this.#balances.release(slot, lessMicroUsd)
    return {
      charge: { slot, route, queries, costMicroUsd },
      leftMicroUsd: leftMicroUsd + lessMicroUsd,
    }
  }

  #unpaid(slot: number, costMicroUsd: number): Unpaid {
    const isHeldByOtherNodes = this.#balances.isHeldByOtherNodes(slot, costMicroUsd)
    return {
      costMicroUsd,
      unavailable: false,
      ...(isHeldByOtherNodes && { heldByOtherNodes: true }),
    }
  }

  /**
   * The answer was written: it will be charged. Of a share of it below 1, the whole queries in that
   * share of the queries are charged, and the rest is the customer's again.
   */
  record(charge: ReservedCharge, share = 1): void {
    const { slot, route, queries, costMicroUsd } = charge
    const written = Math.floor(queries * share)
    const writtenMicroUsd = this.#prices[route] * written
    if (written < queries) this.#balances.release(slot, costMicroUsd - writtenMicroUsd)
    if (written === 0) return
    this.#balances.record(slot, route, written, writtenMicroUsd)
    this.#onCharged?.(route, written)
  }

  /** The answer was not written: the amount is the customer's again. */
  release({ slot, costMicroUsd }: ReservedCharge): void {
    this.#balances.release(slot, costMicroUsd)
  }

  /** What an account can still spend, in micro-USD. */
  balanceMicroUsd(owner: KeyOwner): number {
    const slot = owner.accountSlot
    const besidesMicroUsd = this.#balances.heldByOtherNodesMicroUsd(slot)
    return Math.max(0, this.#balances.balanceMicroUsd(slot) + besidesMicroUsd)
  }
}

/** What stands after the scheme; undefined where there is nothing of the kind. */
function keyIn(authorization: string): string | undefined {
  // The usual spelling first: the pattern takes longer.
  if (authorization.length === usualLength && authorization.startsWith(usualScheme)) {
    return authorization.slice(usualScheme.length)
  }
  return scheme.exec(authorization)?.[1]
}
