/**
 * A service's share of one account, or of the cap of one key, and the policy of leases. A lease is
 * the amount that a service may sell. It shrinks with the rest of the balance, so that the end of a
 * balance is spread over the services. Sums of a share are the `LeaseTable`'s to change.
 */
import type { FundNews } from '../books/account-rows.ts'
import type { Funds, FundsId, LiveFunds } from '../books/port.ts'

/** Share of the lifetime of a session in which a service sells, by its own clock, which may be a little slower. */
export const sellShare = 0.95

/** Amount that a service holds of an account without sales: a thousand queries at 0.001 USD. */
export const idleMicroUsd = 1_000_000

/** Duration for which a lease without sales stays large; ms. */
export const idleMs = 10_000

/** A lease lasts for what is sold in so many seconds. */
const targetSeconds = 2
/** The largest of an eighth of what is free, a quarter up to five requests, and two requests. */
const shares = { always: 1 / 8, ofFew: 1 / 4, fewRequests: 5, leastRequests: 2 }

/** Assumed cost of a request until a dearer one is seen. */
const requestMicroUsd = 1_000

export interface Want {
  readonly amountMicroUsd: number
  /** Below this nothing can be sold; 0 where something can. */
  readonly neededMicroUsd: number
  readonly requestMicroUsd: number
  /** Whether others are to give back when too little is free. */
  readonly recalls: boolean
}

/** Amount granted from what is free: a share of it, or else what is needed, or nothing. */
export function grantOf(freeMicroUsd: number, want: Want): number {
  const few = Math.min(freeMicroUsd * shares.ofFew, want.requestMicroUsd * shares.fewRequests)
  const least = Math.min(freeMicroUsd, want.requestMicroUsd * shares.leastRequests)
  const share = Math.floor(Math.max(freeMicroUsd * shares.always, few, least))
  const granted = Math.min(want.amountMicroUsd, share)
  if (granted >= want.neededMicroUsd) return granted
  return freeMicroUsd >= want.neededMicroUsd ? want.neededMicroUsd : 0
}

export function leaseTargetOf(microUsdPerSecond: number): number {
  return Math.max(idleMicroUsd, Math.ceil(microUsdPerSecond * targetSeconds))
}

export function rateAfter(rate: number, soldMicroUsd: number, seconds: number): number {
  const weight = 1 - 0.5 ** seconds
  return rate + (soldMicroUsd / seconds - rate) * weight
}

/** Interval at which other services are asked to give back an amount that was refused; ms. */
const recallMs = 400

export class Holding implements Funds {
  readonly accountNumber: number
  readonly keyId?: string
  spentMicroUsd = 0
  heldByOtherNodesMicroUsd = 0
  /** Sums of the session: the amount that it may sell in all, and the sales in windows that are durable. */
  leasedMicroUsd = 0
  soldMicroUsd = 0
  /** What was spent of the lease, as the database reported it last or was sent it since. */
  toldMicroUsd = 0
  /** The balance of the account or cap, as the database reported it last. */
  balanceMicroUsd = 0
  /** By which version it changed last; 0 until it was leased for the first time. */
  version = 0
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

  get grantedMicroUsd(): number {
    return this.spentMicroUsd + this.roomMicroUsd
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
