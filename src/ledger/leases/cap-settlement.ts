/**
 * The part of a settlement that is about caps: what was sold is counted for the cap of its key, and leases of caps are
 * granted and taken back as those of accounts are. It asks nothing of an account that never had a capped key; of another
 * it reads its caps in one round trip, and writes them with all else. The accounts are locked.
 */

import {
  type CapLease,
  type CapMoved,
  type CapState,
  changeCapLeases,
  reachedCaps,
  recallCaps,
  selectCapLeases,
  selectCaps,
  spendCaps,
} from '../books/caps/cap-lease-rows.ts'
import type { NewEvent } from '../events.ts'
import type { Charge } from '../port.ts'
import { sumOfCharges } from '../sales.ts'
import type { RunStatement } from '../sql/port.ts'
import { grantOf, type Want } from './lease-policy.ts'

/** Amounts that a service wants and gives back of the cap of one key. */
export interface CapMove {
  readonly accountNumber: number
  readonly keyId: string
  readonly given: number
  readonly want?: Want
}

/** A settlement, as far as it is about caps. */
interface CapSettlement {
  readonly session: string
  readonly charges: readonly Charge[]
  readonly caps?: readonly CapMove[]
}

/** One cap in a settlement. */
interface CapEntry extends CapMoved {
  readonly given: number
  readonly want: Want | undefined
}

/** The caps of a settlement. */
export class SettledCaps {
  readonly #query: RunStatement
  readonly #settlement: CapSettlement
  readonly #entries: readonly CapEntry[]

  private constructor(
    query: RunStatement,
    settlement: CapSettlement,
    entries: readonly CapEntry[],
  ) {
    this.#query = query
    this.#settlement = settlement
    this.#entries = entries
  }

  /** Reads them. @param hasCaps whether an account has caps. */
  static async read(
    query: RunStatement,
    settlement: CapSettlement,
    hasCaps: (accountNumber: number) => boolean,
  ): Promise<SettledCaps> {
    const charges = settlement.charges.filter(({ accountNumber }) => hasCaps(accountNumber))
    const moves = (settlement.caps ?? []).filter(({ accountNumber }) => hasCaps(accountNumber))
    const named = new Set([
      ...charges.map(({ keyId }) => keyId),
      ...moves.map(({ keyId }) => keyId),
    ])
    if (named.size === 0) return new SettledCaps(query, settlement, [])
    const states = await selectCaps(query, settlement.session, [...named])
    const entries = states.map((state) => entryOf(state, charges, moves))
    return new SettledCaps(query, settlement, entries)
  }

  /** Whether the leases of an account's caps pay for what was sold and is given back. */
  isPaid(accountNumber: number): boolean {
    return this.#of(accountNumber).every(
      ({ leasedMicroUsd, given, state }) => leasedMicroUsd + given <= state.room,
    )
  }

  /** The events of caps of some accounts that are reached. @param atMs time of the charges. */
  reached(accountNumbers: readonly number[], atMs: number): NewEvent[] {
    return reachedCaps(this.#soldOf(accountNumbers), atMs)
  }

  /** Writes the caps of some accounts, in the same flight as their charges. @param atMs time of the charges. */
  async change(accountNumbers: readonly number[], atMs: number): Promise<void> {
    const entries = accountNumbers.flatMap((number) => this.#of(number))
    const moved = entries.filter(
      ({ leasedMicroUsd, given, want }) => leasedMicroUsd > 0 || given > 0 || want !== undefined,
    )
    const missing = moved.filter(
      (entry) =>
        entry.want?.recalls === true &&
        grantedOf(entry) < entry.want.neededMicroUsd &&
        leftOf(entry) >= entry.want.neededMicroUsd,
    )
    await Promise.all([
      changeCapLeases(
        this.#query,
        this.#settlement.session,
        moved.map((entry) => ({
          keyId: entry.keyId,
          granted: grantedOf(entry) - entry.given,
          spent: entry.leasedMicroUsd,
        })),
      ),
      spendCaps(this.#query, this.#soldOf(accountNumbers), atMs),
      recallCaps(
        this.#query,
        missing.map(({ keyId }) => keyId),
      ),
    ])
  }

  /** The leases of the caps that the service named, as they are now. */
  async leases(): Promise<readonly CapLease[]> {
    const named = new Set([
      ...this.#settlement.charges.filter(isCapped).map(({ keyId }) => keyId),
      ...(this.#settlement.caps ?? []).map(({ keyId }) => keyId),
    ])
    const known = this.#entries.filter(({ keyId }) => named.has(keyId))
    return selectCapLeases(
      this.#query,
      this.#settlement.session,
      known.map(({ keyId }) => keyId),
    )
  }

  #soldOf(accountNumbers: readonly number[]): CapEntry[] {
    const entries = accountNumbers.flatMap((number) => this.#of(number))
    return entries.filter(({ soldMicroUsd }) => soldMicroUsd > 0)
  }

  #of(accountNumber: number): CapEntry[] {
    return this.#entries.filter(({ state }) => state.account === accountNumber)
  }
}

function entryOf(state: CapState, charges: readonly Charge[], moves: readonly CapMove[]): CapEntry {
  const { keyId } = state
  const sold = charges.filter((charge) => charge.keyId === keyId)
  const move = moves.find((each) => each.keyId === keyId)
  return {
    keyId,
    state,
    charges: sold,
    soldMicroUsd: sumOfCharges(sold).costMicroUsd,
    leasedMicroUsd: sumOfCharges(sold.filter(isCapped)).costMicroUsd,
    given: move?.given ?? 0,
    want: move?.want,
  }
}

function isCapped(charge: Charge): boolean {
  return charge.isCapped === true
}

/** Amount that the cap has left after the settlement, leased or free. */
function leftOf({ state, soldMicroUsd }: CapEntry): number {
  return state.amount - state.spent - soldMicroUsd
}

/** Amount that the settlement grants of the cap. */
function grantedOf(entry: CapEntry): number {
  const { state, leasedMicroUsd, given, want } = entry
  const heldMicroUsd = state.held - leasedMicroUsd - given
  return want === undefined ? 0 : grantOf(Math.max(0, leftOf(entry) - heldMicroUsd), want)
}
