/**
 * The events of caps that keys have spent, written in the transaction of the charge that spent them. A cap is spent
 * when less is left of it than the cheapest query of the charge costs. It comes once in a period of the cap.
 */
import { periodName } from '../../lineages.ts'
import type { Charge, Funds } from '../../port.ts'
import { leastPriceOf } from '../../sales.ts'
import { capReachedEvent } from '../../webhooks/addressing.ts'
import { noteEvent } from '../events/outgoing-events.ts'
import type { Tables } from '../tables.ts'
import type { Caps } from './spending.ts'

/** Changes of caps by a charge: their funds before and after it. */
interface ChangedCaps {
  readonly caps: Caps
  readonly before: readonly Funds[]
  readonly after: readonly Funds[]
}

/** Writes the events of the caps that some charges have spent. Must run in their transaction. */
export function noteSpentCaps(
  tables: Tables,
  charges: readonly Charge[],
  { caps, before, after }: ChangedCaps,
  atMs: number,
): void {
  const leftBefore = new Map(before.map((funds) => [funds.lineage, leftOf(funds)]))
  for (const funds of after) {
    const { lineage = '', accountNumber } = funds
    const priceMicroUsd = leastPriceOf(charges, accountNumber)
    const wasEnough = (leftBefore.get(lineage) ?? 0) >= priceMicroUsd
    if (!wasEnough || leftOf(funds) >= priceMicroUsd) continue
    const { name: account } = tables.accounts.get(accountNumber)!
    const label = tables.keys.get(lineage)?.label ?? null
    const { amountMicroUsd, period } = caps.get(lineage)!
    // A dear query and a cheap one after it make one event.
    const reached = `${periodName(period, atMs)} ${amountMicroUsd}`
    if (tables.marks.get(`cap ${lineage}`) === reached) continue
    tables.marks.putSync(`cap ${lineage}`, reached)
    const key = { id: lineage, label, account, accountNumber }
    noteEvent(tables, capReachedEvent(key, amountMicroUsd, period), atMs)
  }
}

function leftOf({ grantedMicroUsd, spentMicroUsd }: Funds): number {
  return grantedMicroUsd - spentMicroUsd
}
