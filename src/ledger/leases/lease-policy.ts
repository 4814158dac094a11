/**
 * The policy of leases, as pure rules without a clock. A lease is the amount of an account that a
 * service may sell. It shrinks with the rest of the balance, so that the end of a balance is spread
 * over the services.
 */

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
export const requestMicroUsd = 1_000

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
