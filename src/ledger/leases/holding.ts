/**
 * A service's share of one account, or of the cap of one key. Its sums are the `LeaseTable`'s to
 * change.
 */
import type { FundNews } from '../books/account-rows.ts'
import type { Funds, FundsId, LiveFunds } from '../books/port.ts'
import {
  idleMicroUsd,
  idleMs,
  leaseTargetOf,
  rateAfter,
  requestMicroUsd,
  type Want,
} from './lease-policy.ts'

/** Interval at which other services are asked to give back an amount that was refused; ms. */
const recallMs = 400

export class Holding implements Funds {
  readonly accountNumber: number
  readonly keyId?: string
  grantedMicroUsd = 0
  spentMicroUsd = 0
  heldByOtherNodesMicroUsd = 0
  /** Sums of the session: the amount that it may sell in all, and the sales in windows that are durable. */
  leasedMicroUsd = 0
  soldMicroUsd = 0
  /** Charges in a settlement that is not answered yet. */
  sentMicroUsd = 0
  /** What was spent of the lease, and the balance of the account or cap, as the database reported them last. */
  toldMicroUsd = 0
  balanceMicroUsd = 0
  /** By which version it changed last; 0 until it was leased for the first time. */
  version = 0
  /** Whether it has to be leased something for the first time in this session. */
  isUnleased = true
  /** Whether the database does not have the account any more: nothing is done until it has. */
  isLost = false
  /** When the account was made; undefined until this database has said it. */
  madeAtMs: number | undefined
  recalled: number
  givesAll = false
  rate = 0
  soldSinceLookMicroUsd = 0
  soldAtMs = Number.NEGATIVE_INFINITY
  /** The cost of a request that had to be refused, and how long it is remembered. */
  neededMicroUsd = 0
  neededUntilMs = 0
  recalledAtMs = Number.NEGATIVE_INFINITY
  /** Cost of the dearest request that was refused, or the assumed cost of one. */
  requestMicroUsd = requestMicroUsd
  /** Time until which no more is requested, because less than requested was granted. */
  contentUntilMs = 0

  constructor({ accountNumber, keyId, madeAtMs, recalled }: FundNews) {
    this.accountNumber = accountNumber
    if (keyId !== undefined) this.keyId = keyId
    this.madeAtMs = madeAtMs
    this.recalled = recalled
  }

  get id(): FundsId {
    return this.keyId ?? this.accountNumber
  }

  get roomMicroUsd(): number {
    return this.leasedMicroUsd - this.soldMicroUsd
  }
}

export function wantOf(
  { requestMicroUsd }: Holding,
  amountMicroUsd: number,
  neededMicroUsd: number,
  recalls: boolean,
): Want {
  return { amountMicroUsd: Math.ceil(amountMicroUsd), neededMicroUsd, requestMicroUsd, recalls }
}

/** The rate rises at once and falls slowly: too small a lease is felt, one too large is not. */
export function measure(holding: Holding, seconds: number): void {
  const sold = holding.soldSinceLookMicroUsd
  holding.rate = Math.max(rateAfter(holding.rate, sold, seconds), sold / Math.max(seconds, 0.1))
  holding.soldSinceLookMicroUsd = 0
}

export function isQuiet(holding: Holding, nowMs: number): boolean {
  return nowMs - holding.soldAtMs > 2 * idleMs && holding.neededMicroUsd === 0 && !holding.givesAll
}

/** All of it when other nodes need it; most of it when it is not sold from. */
export function wishToGive(holding: Holding, live: LiveFunds, nowMs: number): number {
  const liveMicroUsd = live.liveMicroUsd(holding.id)
  if (holding.givesAll) return Math.max(0, liveMicroUsd)
  if (nowMs - holding.soldAtMs < idleMs) return 0
  return liveMicroUsd > 2 * idleMicroUsd ? liveMicroUsd - idleMicroUsd : 0
}

export function nextWantOf(
  holding: Holding,
  live: LiveFunds | undefined,
  nowMs: number,
): Want | undefined {
  const liveMicroUsd = live?.liveMicroUsd(holding.id) ?? holding.roomMicroUsd
  const lacking = Math.max(0, holding.neededMicroUsd - liveMicroUsd)
  if (nowMs >= holding.neededUntilMs || lacking === 0) holding.neededMicroUsd = 0
  const target = leaseTargetOf(holding.rate) + holding.neededMicroUsd
  if (holding.neededMicroUsd > 0) {
    const recalls = nowMs - holding.recalledAtMs >= recallMs
    if (recalls) holding.recalledAtMs = nowMs
    return wantOf(holding, Math.max(target - liveMicroUsd, lacking), lacking, recalls)
  }
  // Caps are small and many: one that is not sold from asks for nothing.
  const isIdle = holding.keyId !== undefined && nowMs - holding.soldAtMs > idleMs
  const isContent =
    isIdle || nowMs < holding.contentUntilMs || holding.heldByOtherNodesMicroUsd === 0
  if (isContent || liveMicroUsd >= target / 2) return undefined
  return wantOf(holding, target - liveMicroUsd, 0, false)
}
