/**
 * The policy of leases: their size, their owner and their duration, as pure rules without a clock. A lease
 * is the amount of an account that a service may sell. It shrinks with the rest of the balance, so that
 * the end of a balance is spread over the services, and it is recalled where another service needs it.
 */

/** How long a session lives after its last settlement, by the database's clock. */
export const sessionMs = 5_000

/**
 * How long the ledger keeps a session that ended: a service that still has its outbox learns exactly which
 * charges of it were made.
 */
export const sessionKeptMs = 7 * 86_400_000

/** What part of its life a service sells in, by its own clock, which may be a little slower. */
export const sellShare = 0.95

/** What a service holds of an account that is not sold from: a thousand queries at 0.001 USD. */
export const idleMicroUsd = 1_000_000

/** How long a lease that is not sold from stays large. */
export const idleMs = 10_000

/** A lease lasts for what is sold in so many seconds. */
const targetSeconds = 2
/**
 * What part of a free balance a lease takes: the largest of an eighth, a quarter that is at most five
 * requests, and two requests.
 */
const shares = { always: 1 / 8, ofFew: 1 / 4, fewRequests: 5, leastRequests: 2 }

/** What a request is thought to cost until a dearer one is seen. */
export const requestMicroUsd = 1_000

/** What a service would like of an account. */
export interface Want {
  readonly accountNumber: number
  /** Whose cap it is; absent for the account itself. */
  readonly lineage?: string
  readonly amountMicroUsd: number
  /** Below this nothing can be sold; 0 where something can. */
  readonly neededMicroUsd: number
  /** What a request costs. */
  readonly requestMicroUsd: number
  /** Whether others are to give back when too little is free. */
  readonly recalls: boolean
}

/** How much of what is free is granted: a share of it, or else what is needed, or nothing. */
export function grantOf(
  freeMicroUsd: number,
  want: Omit<Want, 'accountNumber' | 'lineage'>,
): number {
  const few = Math.min(freeMicroUsd * shares.ofFew, want.requestMicroUsd * shares.fewRequests)
  const least = Math.min(freeMicroUsd, want.requestMicroUsd * shares.leastRequests)
  const share = Math.floor(Math.max(freeMicroUsd * shares.always, few, least))
  const granted = Math.min(want.amountMicroUsd, share)
  if (granted >= want.neededMicroUsd) return granted
  return freeMicroUsd >= want.neededMicroUsd ? want.neededMicroUsd : 0
}

/** What a lease should hold for an account that is sold to at a rate. */
export function leaseTargetOf(microUsdPerSecond: number): number {
  return Math.max(idleMicroUsd, Math.ceil(microUsdPerSecond * targetSeconds))
}

/** The mean rate after so many seconds more in which so much was sold; half of it is of the last. */
export function rateAfter(rate: number, soldMicroUsd: number, seconds: number): number {
  const weight = 1 - 0.5 ** seconds
  return rate + (soldMicroUsd / seconds - rate) * weight
}
