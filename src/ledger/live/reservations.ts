/**
 * Money moves in three steps, so that only an answer that was written is paid for: `reserve` before
 * answering, then `record` once the answer is written, or `release` when it is not.
 */
import type { Route } from '../../operation.ts'
import { operations, type Prices, type RouteName } from '../../operations.ts'
import type { KeyCap } from '../books/port.ts'
import type { ThreadBalances } from './balances.ts'
import type { KeyOwner, Keyring } from './keyring.ts'
import type { PaidQuestions, QuestionId } from './paid-questions.ts'

export interface ReservedCharge {
  readonly owner: KeyOwner
  readonly route: RouteName
  /** The query string of a GET, with the value that stood in the path; undefined for a POST. */
  readonly search: string | undefined
  readonly askedMs: number
  readonly queries: number
  /** Items that are profiles: each is sold as a query of detail beside the queries. */
  readonly profiles: number
  readonly costMicroUsd: number
  /** The question for which a repeat is not charged again; undefined if the request has no key. */
  readonly asked: AskedQuestion | undefined
}

export interface AskedQuestion {
  readonly id: QuestionId
  /** The queries that were paid before; the reservation is for the others. */
  readonly paid: number
  readonly paidProfiles: number
}

export interface Asking {
  readonly route: RouteName
  readonly search: string
  readonly isPosted: boolean
  readonly askedMs: number
}

export interface Answered {
  readonly queries: number
  /** Number of its first items that are whole: profiles are charged as if they came before the items that are none. */
  readonly items: number
}

export interface Unpaid {
  readonly costMicroUsd: number
  /** True when charges cannot be recorded at the moment; false when the balance is below the cost. */
  readonly unavailable: boolean
  /** Set when the balance may hold the cost, but not here: it is on its way. */
  readonly heldByOtherNodes?: true
  /** Set when the cap of the key is below the cost; the balance may hold it. */
  readonly reachedCap?: ReachedCap
  /** Set when the request costs nothing, but is free only to who can pay this route; the cost is of that. */
  readonly freeWith?: RouteName
}

export interface ReachedCap {
  readonly cap: KeyCap
  readonly leftMicroUsd: number
}

interface Reserved {
  readonly charge: ReservedCharge
  readonly leftMicroUsd: number
  readonly leftOfCapMicroUsd: number | undefined
  readonly unpaid?: never
}

type Reservation = Reserved | { readonly unpaid: Unpaid; readonly charge?: never }

type OnCharged = (route: RouteName, queries: number) => void

export class Reservations {
  readonly keyring: Keyring
  readonly #balances: ThreadBalances
  readonly #prices: Prices
  readonly #onCharged: OnCharged | undefined
  /** What was paid for under a key; without them, keys have no effect. */
  readonly questions: PaidQuestions | undefined
  /** The last charges of whole answers, one place after the other. */
  readonly #recent: (ReservedCharge | undefined)[] = Array(recentCharges).fill(undefined)
  #recentAt = 0

  constructor(
    keyring: Keyring,
    balances: ThreadBalances,
    prices: Prices,
    onCharged?: OnCharged,
    questions?: PaidQuestions,
  ) {
    this.keyring = keyring
    this.#balances = balances
    this.#prices = prices
    this.#onCharged = onCharged
    this.questions = questions
  }

  /** The earlier payment for a question; undefined if its key was sent with another question. */
  askedBefore(id: QuestionId): AskedQuestion | undefined {
    const paid = this.questions === undefined ? 0 : this.questions.paidOf(id)
    const paidProfiles = this.questions?.paidOf(profilesOf(id)) ?? 0
    return paid === undefined ? undefined : { id, paid, paidProfiles }
  }

  /** Takes the last answers of an account to GETs without a key that were asked since a time, and were paid whole. */
  takeRecent(accountSlot: number, sinceMs: number): ReservedCharge[] {
    const taken: ReservedCharge[] = []
    for (const [place, charge] of this.#recent.entries()) {
      if (charge?.owner.accountSlot !== accountSlot || charge.askedMs < sinceMs) continue
      taken.push(charge)
      this.#recent[place] = undefined
    }
    return taken
  }

  /** Remembers that a paid answer was lost: to ask once more costs nothing. */
  addLost(id: QuestionId, { queries, profiles }: ReservedCharge): void {
    this.questions?.addLost(id, queries)
    if (profiles > 0) this.questions?.addLost(profilesOf(id), profiles)
  }

  /** When the result holds no charge, nothing was taken. @param items with fields of a profile. */
  reserve(
    owner: KeyOwner,
    { route, search, isPosted, askedMs }: Asking,
    count: number,
    asked?: AskedQuestion,
    items = 0,
  ): Reservation {
    const { purses } = owner
    const queries = restOf(count, asked?.paid)
    const profiles = restOf(items, asked?.paidProfiles)
    const costMicroUsd = this.#costOf(route, queries, profiles)
    // A request that costs nothing does not wait for a ledger that cannot be written.
    if (costMicroUsd > 0 && this.#balances.isUnavailable()) {
      return { unpaid: { costMicroUsd, unavailable: true } }
    }
    if (costMicroUsd === 0) {
      const unable = this.#unableToPay(owner, route)
      if (unable !== undefined) return { unpaid: unable }
    }
    const leftMicroUsd = this.#balances.take(purses, costMicroUsd)
    if (leftMicroUsd < 0) return { unpaid: this.#unpaid(owner, costMicroUsd, -1 - leftMicroUsd) }
    const besidesMicroUsd = this.#balances.heldByOtherNodesMicroUsd(purses[0]!)
    const charge = {
      owner,
      route,
      search: isPosted ? undefined : search,
      askedMs,
      queries,
      profiles,
      costMicroUsd,
      asked,
    }
    const leftOfCapMicroUsd = this.leftOfCapMicroUsd(owner)
    return { charge, leftMicroUsd: leftMicroUsd + besidesMicroUsd, leftOfCapMicroUsd }
  }

  /** Whether the account of a key without terms can be charged a price at once; nothing is taken. */
  canPayPlainly({ purses }: KeyOwner, costMicroUsd: number): boolean {
    if (costMicroUsd === 0 || this.#balances.isUnavailable() || this.questions?.hasLost())
      return false
    return this.#balances.balanceMicroUsd(purses[0]!) >= costMicroUsd
  }

  priceMicroUsd(route: RouteName): number {
    return this.#prices[route]
  }

  #costOf(route: RouteName, queries: number, profiles: number): number {
    return this.#prices[route] * queries + this.#prices.detail * profiles
  }

  /** Why an answer that costs nothing is refused: its route is free with another, whose price cannot be paid. */
  #unableToPay(owner: KeyOwner, route: RouteName): Unpaid | undefined {
    const { freeWith }: Route = operations[route]
    if (freeWith === undefined) return undefined
    const costMicroUsd = this.#prices[freeWith]
    const index = this.#balances.lacking(owner.purses, costMicroUsd)
    return index < 0 ? undefined : { ...this.#unpaid(owner, costMicroUsd, index), freeWith }
  }

  /** @param index of the purse that does not hold the cost. */
  #unpaid({ purses, terms }: KeyOwner, costMicroUsd: number, index: number): Unpaid {
    const isHeldByOtherNodes = this.#balances.isHeldByOtherNodes(purses[index]!, costMicroUsd)
    if (index > 0 && !isHeldByOtherNodes) {
      const reachedCap = { cap: terms!.cap!, leftMicroUsd: this.#leftMicroUsd(purses[index]!) }
      return { costMicroUsd, unavailable: false, reachedCap }
    }
    return {
      costMicroUsd,
      unavailable: false,
      ...(isHeldByOtherNodes && { heldByOtherNodes: true }),
    }
  }

  /** @param answered what was paid before first; the rest is the customer's again. */
  record(charge: ReservedCharge, answered: Answered = wholly): void {
    const { queries, items } = answered
    const { owner, route, costMicroUsd, asked } = charge
    const { id, paid = 0, paidProfiles = 0 } = asked ?? {}
    const sold = this.#newlyPaid(id, paid, charge.queries, queries)
    const soldProfiles =
      charge.profiles === 0
        ? 0
        : this.#newlyPaid(id && profilesOf(id), paidProfiles, charge.profiles, items)
    const restMicroUsd = costMicroUsd - this.#costOf(route, sold, soldProfiles)
    if (restMicroUsd > 0) this.#balances.release(owner.purses, restMicroUsd)
    if (sold > 0) this.#sell(owner, route, sold)
    if (soldProfiles > 0) this.#sell(owner, 'detail', soldProfiles)
    if (asked === undefined && answered === wholly && charge.search !== undefined) {
      this.#recent[this.#recentAt] = charge
      this.#recentAt = (this.#recentAt + 1) % recentCharges
    }
  }

  #sell({ line, purses }: KeyOwner, route: RouteName, queries: number): void {
    this.#balances.record(line, purses, route, queries, this.#prices[route] * queries)
    this.#onCharged?.(route, queries)
  }

  /** Number of reserved queries or profiles among the answered ones that no other answer has paid. */
  #newlyPaid(id: QuestionId | undefined, paid: number, reserved: number, answered: number): number {
    const to = Math.min(paid + reserved, answered)
    if (id === undefined) return to
    const before = this.questions?.settle(id, { from: paid, to }) ?? paid
    return Math.min(reserved, Math.max(0, to - before))
  }

  release({ owner, costMicroUsd }: ReservedCharge): void {
    this.#balances.release(owner.purses, costMicroUsd)
  }

  leftOfCapMicroUsd({ purses }: KeyOwner): number | undefined {
    const cap = purses[1]
    return cap === undefined ? undefined : this.#leftMicroUsd(cap)
  }

  #leftMicroUsd(purse: number): number {
    const besidesMicroUsd = this.#balances.heldByOtherNodesMicroUsd(purse)
    return Math.max(0, this.#balances.balanceMicroUsd(purse) + besidesMicroUsd)
  }

  ledgerMs(nowMs: number): number {
    return this.#balances.ledgerMs(nowMs)
  }

  balanceMicroUsd({ purses }: KeyOwner): number {
    return this.#leftMicroUsd(purses[0]!)
  }
}

/** More answers than 16 KiB hold: so many may be in the buffer of a connection. */
const recentCharges = 64

const wholly: Answered = { queries: Number.POSITIVE_INFINITY, items: Number.POSITIVE_INFINITY }

function restOf(count: number, paid = 0): number {
  return Math.max(0, count - paid)
}

function profilesOf({ key: [first, second], ...id }: QuestionId): QuestionId {
  return { ...id, key: [first, ~second] }
}
