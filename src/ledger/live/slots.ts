/**
 * The main thread's table of the shared memory: which account and which key with terms has which
 * purse, which keys are sold to on which line, and what of both is committed. Of every purse,
 * whenever no thread is just taking or giving back: live + reserved + uncommitted = granted -
 * spent.
 */
import { formatUsd } from '../../money.ts'
import { type Prices, routeNames } from '../../operations.ts'
import {
  accountsMax,
  type Charge,
  type Funds,
  type FundsId,
  type LiveFunds,
  soldKeysMax,
  termsMax,
} from '../books/port.ts'
import { type Balances, cellOf, cellsPerLine, purseCells } from './balances.ts'

interface Review {
  readonly charges: readonly Charge[]
  /** What does not add up, by whose it is. */
  readonly imbalances: ReadonlyMap<string, string>
}

interface Purse {
  readonly place: number
  readonly accountNumber: number
  readonly keyId: string | undefined
  grantedMicroUsd: number
  spentMicroUsd: number
  committedMicroUsd: number
}

/** A line as the main thread knows it: a key, while its sales are taken from the same purses. */
interface Line {
  readonly place: number
  readonly accountNumber: number
  readonly keyId: string
  readonly purses: readonly Purse[]
  committed: Float64Array
}

interface LinePlace {
  readonly line: number
  readonly purses: readonly number[]
}

/** Threads that reserve again and again are between two reservations at one of so many looks. */
const looksMax = 100

/** The committed cells of a line before its first commit; never written to. */
const nothingCommitted = new Float64Array(cellsPerLine)

export class Slots implements LiveFunds {
  readonly #balances: Balances
  readonly #prices: Prices
  readonly #purses = new Map<FundsId, Purse>()
  #accounts = 0
  readonly #lines: Line[] = []
  readonly #byName = new Map<string, Line>()
  readonly #termsPlaces = new Map<string, number>()
  readonly #lineOf = new WeakMap<Charge, Line>()
  #missesSeen = 0

  constructor(balances: Balances, prices: Prices) {
    this.#balances = balances
    this.#prices = prices
  }

  /** The slot of an account; undefined before it has been granted anything. */
  slotOf(accountNumber: number): number | undefined {
    return this.#purses.get(accountNumber)?.place
  }

  /** A place for what is kept of a key with terms, from 0; undefined where there are too many of them. */
  termsPlaceOf(keyId: string): number | undefined {
    const known = this.#termsPlaces.get(keyId)
    if (known !== undefined || this.#termsPlaces.size === termsMax) return known
    const place = this.#termsPlaces.size
    this.#termsPlaces.set(keyId, place)
    return place
  }

  /** Undefined for an account or a cap without funds, and if there are too many keys. */
  placeOf(accountNumber: number, keyId: string, isCapped: boolean): LinePlace | undefined {
    const ids = isCapped ? [accountNumber, keyId] : [accountNumber]
    const purses = ids.flatMap((id) => this.#purses.get(id) ?? [])
    if (purses.length < ids.length) return undefined
    // The sales recorded on a line were taken from its purses, so other purses need another line.
    const places = purses.map(({ place }) => place)
    const name = [keyId, ...places].join(' ')
    const known = this.#byName.get(name)
    if (known !== undefined) return { line: known.place, purses: places }
    if (this.#lines.length === soldKeysMax) return undefined
    const place = this.#lines.length
    const line = { place, committed: nothingCommitted, accountNumber, keyId, purses }
    this.#lines.push(line)
    this.#byName.set(name, line)
    return { line: place, purses: places }
  }

  /**
   * Credits what an account was granted since the last time, or takes what was taken back: then the
   * balance may be below zero until what was sold is committed, and sells nothing. Only this
   * service spends an account, so what it spent is news only when it is new here.
   */
  grant(funds: Funds): void {
    const { keyId, grantedMicroUsd, spentMicroUsd, heldByOtherNodesMicroUsd = 0 } = funds
    const purse = this.#purses.get(keyId ?? funds.accountNumber) ?? this.#addPurse(funds)
    if (purse === undefined) return
    const { place } = purse
    // Moving money is rather counted twice than not at all: no account is refused whose money is on its way.
    const isMore = heldByOtherNodesMicroUsd > this.#balances.heldByOtherNodesMicroUsd(place)
    if (isMore) this.#balances.setHeldByOtherNodes(place, heldByOtherNodesMicroUsd)
    this.#balances.credit(place, grantedMicroUsd - purse.grantedMicroUsd)
    if (!isMore) this.#balances.setHeldByOtherNodes(place, heldByOtherNodesMicroUsd)
    purse.grantedMicroUsd = grantedMicroUsd
    if (keyId === undefined) return
    // The spending of a cap falls with a new period, and rises by the sales on another line.
    this.#balances.credit(place, purse.spentMicroUsd - spentMicroUsd)
    purse.spentMicroUsd = spentMicroUsd
  }

  /** What was spent before counts as granted: the first grant is the balance. */
  #addPurse({ accountNumber, keyId, spentMicroUsd }: Funds): Purse | undefined {
    const place = keyId === undefined ? this.#accounts : this.termsPlaceOf(keyId)
    if (place === undefined) return undefined
    if (keyId === undefined && place === accountsMax) {
      throw new Error(`there are more than ${accountsMax} accounts`)
    }
    const spent = keyId === undefined ? spentMicroUsd : 0
    const purse = {
      ...{ accountNumber, keyId, place: keyId === undefined ? place : accountsMax + place },
      ...{ grantedMicroUsd: spent, spentMicroUsd: spent, committedMicroUsd: 0 },
    }
    if (keyId === undefined) this.#accounts += 1
    this.#purses.set(keyId ?? accountNumber, purse)
    return purse
  }

  liveMicroUsd(id: FundsId): number {
    const purse = this.#purses.get(id)
    return purse === undefined ? 0 : this.#balances.balanceMicroUsd(purse.place)
  }

  withdraw(id: FundsId, amountMicroUsd: number): number {
    const purse = this.#purses.get(id)
    if (purse === undefined) return 0
    const { place } = purse
    const heldByOtherNodesMicroUsd = this.#balances.heldByOtherNodesMicroUsd(place)
    this.#balances.setHeldByOtherNodes(place, heldByOtherNodesMicroUsd + amountMicroUsd)
    const taken = this.#balances.withdraw(place, amountMicroUsd)
    this.#balances.setHeldByOtherNodes(place, heldByOtherNodesMicroUsd + taken)
    purse.grantedMicroUsd -= taken
    return taken
  }

  takeMissed(): ReadonlyMap<FundsId, number> {
    const missed = new Map<FundsId, number>()
    if (this.#balances.misses === this.#missesSeen) return missed
    this.#missesSeen = this.#balances.misses
    for (const [id, { place }] of this.#purses) {
      const costMicroUsd = this.#balances.takeMissed(place)
      if (costMicroUsd > 0) missed.set(id, costMicroUsd)
    }
    return missed
  }

  setUncertain(uncertain: boolean): void {
    this.#balances.setUncertain(uncertain)
  }

  /** @param charges those that `review` gave, themselves. */
  settle(charges: readonly Charge[], funds: readonly Funds[]): void {
    for (const charge of charges) {
      const line = this.#lineOf.get(charge)!
      if (line.committed === nothingCommitted) line.committed = nothingCommitted.slice()
      line.committed[cellOf[charge.route]]! += charge.queries
      for (const purse of line.purses) this.#commit(purse, charge.amountMicroUsd)
    }
    for (const each of funds) {
      this.grant(each)
      if (each.keyId !== undefined) continue
      this.#purses.get(each.accountNumber)!.spentMicroUsd = each.spentMicroUsd
    }
  }

  /** Counts a committed amount as spent of a cap; the ledger does so, too, unless its period has ended meanwhile. */
  #commit(purse: Purse, amountMicroUsd: number): void {
    purse.committedMicroUsd += amountMicroUsd
    if (purse.keyId !== undefined) purse.spentMicroUsd += amountMicroUsd
  }

  /** Looks at every account; takes some milliseconds for 65,536 of them. */
  review(): Review {
    const charges = this.#charges()
    const imbalances = new Map<string, string>()
    for (const purse of this.#purses.values()) {
      const imbalance = this.#imbalanceOf(purse)
      if (imbalance !== undefined) imbalances.set(whoseIs(purse), imbalance)
    }
    return { charges, imbalances }
  }

  #charges(): Charge[] {
    const charges: Charge[] = []
    for (const line of this.#lines) {
      const { place, accountNumber, keyId, purses, committed } = line
      for (const route of routeNames) {
        const cell = cellOf[route]
        const queries = this.#balances.lineCell(place, cell) - committed[cell]!
        if (queries === 0) continue
        const amountMicroUsd = queries * this.#prices[route]
        const isCapped = purses.length > 1 && { isCapped: true as const }
        const charge = { accountNumber, keyId, ...isCapped, route, queries, amountMicroUsd }
        this.#lineOf.set(charge, line)
        charges.push(charge)
      }
    }
    return charges
  }

  /** Undefined where one of many looks adds up; otherwise what the last one has seen. */
  #imbalanceOf(purse: Purse): string | undefined {
    const { place } = purse
    const ledgerMicroUsd = purse.grantedMicroUsd - purse.spentMicroUsd
    for (let looks = 1; ; looks += 1) {
      const recordedMicroUsd = this.#balances.purseCell(place, purseCells.recorded)
      const reservedMicroUsd = this.#balances.purseCell(place, purseCells.taken) - recordedMicroUsd
      const liveMicroUsd = this.#balances.balanceMicroUsd(place)
      const uncommittedMicroUsd = recordedMicroUsd - purse.committedMicroUsd
      const heldMicroUsd = liveMicroUsd + reservedMicroUsd + uncommittedMicroUsd
      if (heldMicroUsd === ledgerMicroUsd && reservedMicroUsd >= 0) return undefined
      if (looks < looksMax) continue
      const held = [liveMicroUsd, reservedMicroUsd, uncommittedMicroUsd].map(formatUsd)
      const [live, reserved, uncommitted] = held
      const ledger = formatUsd(ledgerMicroUsd)
      return `live ${live} + reserved ${reserved} + uncommitted ${uncommitted} USD is not ${ledger} USD`
    }
  }
}

function whoseIs({ accountNumber, keyId }: Purse): string {
  return keyId === undefined ? `account ${accountNumber}` : `the cap of key ${keyId}`
}
