/**
 * The reservations of one serving thread: whose key a request carries, and what it costs. Money
 * moves in three steps, so that only an answer that was written is paid for: `reserve` before
 * answering, then `record` once the answer is written, or `release` when it is not.
 */
import type { Prices, RouteName } from '../../operations.ts'
import { keyLength } from '../key.ts'
import type { ThreadBalances } from './balances.ts'
import type { KeyOwner, Keyring } from './keyring.ts'
import type { PaidQuestions, QuestionId } from './paid-questions.ts'

/** A reserved amount: what to record or to release. */
export interface ReservedCharge {
  readonly slot: number
  readonly route: RouteName
  readonly queries: number
  readonly costMicroUsd: number
  /** Under which a repeat is not charged again; undefined where the request has no key. */
  readonly asked: AskedQuestion | undefined
}

/** A question under an `Idempotency-Key`. */
export interface AskedQuestion {
  readonly id: QuestionId
  /** The queries that were paid before; the reservation is for the others. */
  readonly paid: number
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
  readonly #questions: PaidQuestions | undefined
  #lastHeader = ''
  #lastKey = ''

  /** @param questions what was paid for under a key; without them, keys have no effect. */
  constructor(
    keyring: Keyring,
    balances: ThreadBalances,
    prices: Prices,
    onCharged?: OnCharged,
    questions?: PaidQuestions,
  ) {
    this.#keyring = keyring
    this.#balances = balances
    this.#prices = prices
    this.#onCharged = onCharged
    this.#questions = questions
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

  /** What was paid of a question before; undefined where its key was sent with another one. */
  askedBefore(id: QuestionId): AskedQuestion | undefined {
    const paid = this.#questions === undefined ? 0 : this.#questions.paidOf(id)
    return paid === undefined ? undefined : { id, paid }
  }

  /** Remembers that a question is asked and its price reserved. Returns false where its key is another's by now. */
  begin({ id }: AskedQuestion): boolean {
    return this.#questions?.begin(id) ?? true
  }

  /**
   * Reserves the price of so many queries; when the result holds no charge, nothing was taken.
   * @param asked the question: then only what was not paid before is reserved.
   */
  reserve(owner: KeyOwner, route: RouteName, count: number, asked?: AskedQuestion): Reservation {
    const slot = owner.accountSlot
    const queries = restOf(count, asked)
    const costMicroUsd = this.#prices[route] * queries
    // What costs nothing does not wait for a ledger that cannot be written.
    if (costMicroUsd > 0 && this.#balances.isUnavailable()) {
      return { unpaid: { costMicroUsd, unavailable: true } }
    }
    const leftMicroUsd = this.#balances.take(slot, costMicroUsd)
    if (leftMicroUsd < 0) return { unpaid: this.#unpaid(slot, costMicroUsd) }
    const besidesMicroUsd = this.#balances.heldByOtherNodesMicroUsd(slot)
    const charge = { slot, route, queries, costMicroUsd, asked }
    return { charge, leftMicroUsd: leftMicroUsd + besidesMicroUsd }
  }

  /** Lowers a reservation to fewer queries; the price of the others is the customer's again. */
  lower({ charge, leftMicroUsd }: Reserved, count: number): Reserved {
    const { slot, route, asked } = charge
    const queries = restOf(count, asked)
    const costMicroUsd = this.#prices[route] * queries
    const lessMicroUsd = charge.costMicroUsd - costMicroUsd
    if (lessMicroUsd > 0) this.#balances.release(slot, lessMicroUsd)
    return {
      charge: { slot, route, queries, costMicroUsd, asked },
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
    const { slot, route, queries, costMicroUsd, asked } = charge
    const written =
      asked === undefined ? Math.floor(queries * share) : this.#newlyPaid(charge, asked, share)
    const writtenMicroUsd = this.#prices[route] * written
    if (written < queries) this.#balances.release(slot, costMicroUsd - writtenMicroUsd)
    if (written === 0) return
    this.#balances.record(slot, route, written, writtenMicroUsd)
    this.#onCharged?.(route, written)
  }

  /** Of the queries that are reserved, those in a share of the answer that no other answer has paid. */
  #newlyPaid({ queries }: ReservedCharge, { id, paid }: AskedQuestion, share: number): number {
    const written = Math.floor((paid + queries) * share)
    const before = this.#questions?.settle(id, written) ?? 0
    return Math.min(queries, Math.max(0, written - Math.max(before, paid)))
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

/** The queries of a question that were not paid before. */
function restOf(count: number, asked: AskedQuestion | undefined): number {
  return asked === undefined ? count : Math.max(0, count - asked.paid)
}

/** What stands after the scheme; undefined where there is nothing of the kind. */
function keyIn(authorization: string): string | undefined {
  // The usual spelling first: the pattern takes longer.
  if (authorization.length === usualLength && authorization.startsWith(usualScheme)) {
    return authorization.slice(usualScheme.length)
  }
  return scheme.exec(authorization)?.[1]
}
