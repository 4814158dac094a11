/**
 * What the main thread knows of the shared memory: which account has which slot, what it was granted
 * and has spent, and what of its sales is committed. Slots are given in the order in which accounts
 * are first seen. Of every account, whenever no thread is just taking or giving back:
 * live + reserved + uncommitted = granted - spent.
 */
import type { RouteName } from '../../operations.ts'
import { accountsMax, type Charge, type Funds, type Holdings, type Sale } from '../port.ts'
import { type Balances, cellsPerSlot, saleCells, takenCell } from './balances.ts'

/** What the memory holds of one account, and what it ought to. */
export interface Position {
  readonly accountNumber: number
  readonly liveMicroUsd: number
  readonly reservedMicroUsd: number
  readonly uncommittedMicroUsd: number
  /** Granted less spent, as the ledger said last. */
  readonly ledgerMicroUsd: number
}

/** What was found by looking at every account. */
export interface Review {
  /** What was recorded since the last commit. */
  readonly charges: readonly Charge[]
  /** What is held apart from the charges. */
  readonly holdings: Holdings
  /** The accounts that did not add up. */
  readonly imbalances: readonly Position[]
}

/** An account as the main thread knows it. */
interface SlotAccount {
  readonly slot: number
  readonly accountNumber: number
  /** As the ledger said last; all that was granted is in the live balance. */
  grantedMicroUsd: number
  spentMicroUsd: number
  /** The cells of the slot as far as they are committed. */
  committed: Float64Array
}

/** Threads that reserve again and again are between two reservations at one of so many looks. */
const looksMax = 100

/** Of every account before its first commit; never written to. */
const nothingCommitted = new Float64Array(cellsPerSlot)

/** The slots of one memory. */
export class Slots {
  readonly #balances: Balances
  readonly #accounts: SlotAccount[] = []
  readonly #byNumber = new Map<number, SlotAccount>()
  #missesSeen = 0
  /** What was read of one account last, overwritten by the next: a review makes no garbage. */
  readonly #cells = new Float64Array(cellsPerSlot)
  readonly #position: { -readonly [N in keyof Position]: Position[N] } = {
    accountNumber: 0,
    liveMicroUsd: 0,
    reservedMicroUsd: 0,
    uncommittedMicroUsd: 0,
    ledgerMicroUsd: 0,
  }

  constructor(balances: Balances) {
    this.#balances = balances
  }

  /** The slot of an account; undefined before it has been granted anything. */
  slotOf(accountNumber: number): number | undefined {
    return this.#byNumber.get(accountNumber)?.slot
  }

  /**
   * Credits what an account was granted since the last time, or takes what was taken back: then the
   * balance may be below zero until what was sold is committed, and sells nothing. Only this service spends it, so what
   * was spent is news only of an account that is new here.
   * @throws Error when there are more accounts than slots.
   */
  grant({
    accountNumber,
    grantedMicroUsd,
    spentMicroUsd,
    heldByOtherNodesMicroUsd = 0,
  }: Funds): void {
    const account = this.#byNumber.get(accountNumber) ?? this.#add(accountNumber, spentMicroUsd)
    const { slot } = account
    // What moves is rather seen twice than nowhere: nobody is refused whose money is on its way.
    const isMore = heldByOtherNodesMicroUsd > this.#balances.heldByOtherNodesMicroUsd(slot)
    if (isMore) this.#balances.setHeldByOtherNodes(slot, heldByOtherNodesMicroUsd)
    this.#balances.credit(slot, grantedMicroUsd - account.grantedMicroUsd)
    if (!isMore) this.#balances.setHeldByOtherNodes(slot, heldByOtherNodesMicroUsd)
    account.grantedMicroUsd = grantedMicroUsd
  }

  /** What can still be reserved of an account; 0 where it has no slot. */
  liveMicroUsd(accountNumber: number): number {
    const slot = this.slotOf(accountNumber)
    return slot === undefined ? 0 : this.#balances.balanceMicroUsd(slot)
  }

  /** Takes up to an amount from what can be reserved, which is not granted any more. */
  withdraw(accountNumber: number, amountMicroUsd: number): number {
    const account = this.#byNumber.get(accountNumber)
    if (account === undefined) return 0
    const { slot } = account
    const heldByOtherNodesMicroUsd = this.#balances.heldByOtherNodesMicroUsd(slot)
    this.#balances.setHeldByOtherNodes(slot, heldByOtherNodesMicroUsd + amountMicroUsd)
    const taken = this.#balances.withdraw(slot, amountMicroUsd)
    this.#balances.setHeldByOtherNodes(slot, heldByOtherNodesMicroUsd + taken)
    account.grantedMicroUsd -= taken
    return taken
  }

  /** What was missed most of each account since the last call. */
  takeMissed(): ReadonlyMap<number, number> {
    const missed = new Map<number, number>()
    if (this.#balances.misses === this.#missesSeen) return missed
    this.#missesSeen = this.#balances.misses
    for (const { slot, accountNumber } of this.#accounts) {
      const costMicroUsd = this.#balances.takeMissed(slot)
      if (costMicroUsd > 0) missed.set(accountNumber, costMicroUsd)
    }
    return missed
  }

  /** Takes note of charges that are written, and of the funds of their accounts after that. */
  settle(charges: readonly Charge[], funds: readonly Funds[]): void {
    for (const { accountNumber, sales } of charges) {
      const account = this.#byNumber.get(accountNumber)!
      if (account.committed === nothingCommitted) account.committed = new Float64Array(cellsPerSlot)
      for (const { route, queries, amount } of saleCells) {
        account.committed[queries]! += sales[route]?.queries ?? 0
        account.committed[amount]! += sales[route]?.amountMicroUsd ?? 0
      }
    }
    for (const each of funds) {
      this.grant(each)
      this.#byNumber.get(each.accountNumber)!.spentMicroUsd = each.spentMicroUsd
    }
  }

  /** Looks at every account; takes some milliseconds for 65,536 of them. */
  review(): Review {
    const charges: Charge[] = []
    const imbalances: Position[] = []
    const holdings = {
      grantedMicroUsd: 0,
      liveMicroUsd: 0,
      reservedMicroUsd: 0,
      uncommittedMicroUsd: 0,
    }
    for (const account of this.#accounts) {
      const position = this.#positionOf(account)
      if (!isBalanced(position)) imbalances.push({ ...position })
      const charge = this.#chargeOf(account)
      if (charge !== undefined) charges.push(charge)
      holdings.grantedMicroUsd += account.grantedMicroUsd
      holdings.liveMicroUsd += position.liveMicroUsd
      holdings.reservedMicroUsd += position.reservedMicroUsd
      holdings.uncommittedMicroUsd += position.uncommittedMicroUsd - amountOf(charge)
    }
    return { charges, holdings, imbalances }
  }

  #add(accountNumber: number, spentMicroUsd: number): SlotAccount {
    const slot = this.#accounts.length
    if (slot === accountsMax) throw new Error(`there are more than ${accountsMax} accounts`)
    // As if what was spent before was all that was granted, so that the first grant is the balance.
    const grantedMicroUsd = spentMicroUsd
    const committed = nothingCommitted
    const account = { slot, accountNumber, grantedMicroUsd, spentMicroUsd, committed }
    this.#accounts.push(account)
    this.#byNumber.set(accountNumber, account)
    return account
  }

  /** The first of many looks that adds up, or the last. */
  #positionOf(account: SlotAccount): Position {
    this.#look(account)
    for (let looks = 1; looks < looksMax && !isBalanced(this.#position); looks += 1) {
      this.#look(account)
    }
    return this.#position
  }

  #look({ slot, accountNumber, grantedMicroUsd, spentMicroUsd, committed }: SlotAccount): void {
    this.#balances.read(slot, this.#cells)
    let recordedMicroUsd = 0
    let committedMicroUsd = 0
    for (const { amount } of saleCells) {
      recordedMicroUsd += this.#cells[amount]!
      committedMicroUsd += committed[amount]!
    }
    this.#position.accountNumber = accountNumber
    this.#position.liveMicroUsd = this.#balances.balanceMicroUsd(slot)
    this.#position.reservedMicroUsd = this.#cells[takenCell]! - recordedMicroUsd
    this.#position.uncommittedMicroUsd = recordedMicroUsd - committedMicroUsd
    this.#position.ledgerMicroUsd = grantedMicroUsd - spentMicroUsd
  }

  /**
   * What was new at the last look. A route without new queries waits, even if it has a new amount:
   * the recording of its queries is not done, or theirs were charged before it was seen.
   */
  #chargeOf({ accountNumber, committed }: SlotAccount): Charge | undefined {
    let sales: Partial<Record<RouteName, Sale>> | undefined
    for (const { route, queries, amount } of saleCells) {
      const count = this.#cells[queries]! - committed[queries]!
      if (count === 0) continue
      sales ??= {}
      sales[route] = {
        queries: count,
        amountMicroUsd: this.#cells[amount]! - committed[amount]!,
      }
    }
    return sales && { accountNumber, sales }
  }
}

/** Whether an account adds up. */
function isBalanced(position: Position): boolean {
  const { liveMicroUsd, reservedMicroUsd, uncommittedMicroUsd, ledgerMicroUsd } = position
  const heldMicroUsd = liveMicroUsd + reservedMicroUsd + uncommittedMicroUsd
  return heldMicroUsd === ledgerMicroUsd && reservedMicroUsd >= 0
}

function amountOf(charge: Charge | undefined): number {
  if (charge === undefined) return 0
  return Object.values(charge.sales).reduce((sum, { amountMicroUsd }) => sum + amountMicroUsd, 0)
}
