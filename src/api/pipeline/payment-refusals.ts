/** Refusals of requests that are not paid. A 402 names the wall: the balance of the account, or the cap of the key. */
import { nextPeriodMs } from '../../ledger/books/caps/spending-periods.ts'
import type { KeyOwner } from '../../ledger/live/keyring.ts'
import type { ReachedCap, Reservations, Unpaid } from '../../ledger/live/reservations.ts'
import { formatUsd, usdNumber } from '../../money.ts'
import { type RefusedRequest, refusalForNow } from './refusals.ts'

interface Payer {
  readonly reservations: Reservations
  readonly owner: KeyOwner
  readonly seesAccount: boolean
  /** By the clock of all threads. */
  readonly nowMs: number
}

export function paymentRefusal(
  unpaid: Unpaid,
  { reservations, owner, seesAccount, nowMs }: Payer,
): RefusedRequest {
  const { costMicroUsd, unavailable, heldByOtherNodes, reachedCap, freeWith } = unpaid
  if (unavailable) {
    const detail = 'nothing is served that could not be charged; nothing was charged'
    return refusalForNow({ code: 'ledger-unavailable', detail })
  }
  if (heldByOtherNodes) {
    const detail = 'another node of this service may hold what it costs; nothing was charged'
    return refusalForNow({ code: 'balance-elsewhere', detail })
  }
  const balanceMicroUsd = reservations.balanceMicroUsd(owner)
  const amounts = {
    cost_usd: usdNumber(costMicroUsd),
    ...(seesAccount && { balance_usd: usdNumber(balanceMicroUsd) }),
  }
  const cost =
    freeWith === undefined
      ? `this request costs ${formatUsd(costMicroUsd)} USD`
      : `this request is free with the means for a ${freeWith} of ${formatUsd(costMicroUsd)} USD`
  if (reachedCap === undefined) {
    const balance = seesAccount ? `${formatUsd(balanceMicroUsd)} USD` : 'below that'
    const detail = `${cost}, the balance is ${balance}`
    const members = owner.purses.length === 1 ? amounts : { ...amounts, wall: 'account' }
    return { problem: { code: 'insufficient-balance', detail, members } }
  }
  const detail = `${cost}, the cap of its key has ${formatUsd(reachedCap.leftMicroUsd)} USD left`
  const members = { ...amounts, ...membersOfCap(reachedCap, reservations.ledgerMs(nowMs)) }
  return { problem: { code: 'cap-reached', detail, members } }
}

function membersOfCap({ cap, leftMicroUsd }: ReachedCap, ledgerMs: number) {
  const resetsAtMs = nextPeriodMs(cap.period, ledgerMs)
  return {
    wall: 'key',
    cap_usd: usdNumber(cap.amountMicroUsd),
    remaining_usd: usdNumber(leftMicroUsd),
    resets_at: resetsAtMs === undefined ? null : new Date(resetsAtMs).toISOString(),
  }
}
