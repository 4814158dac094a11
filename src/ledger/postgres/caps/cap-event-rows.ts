/** The event of a cap that was spent, once in a period of the cap; in the transaction of the charge that spent it. */
import type { CapPeriod } from '../../../money.ts'
import { capReachedEvent } from '../../webhooks/addressing.ts'
import type { RunStatement } from '../database.ts'
import { insertEvent } from '../events/event-rows.ts'

/** Writes the event, and what names its period and amount. The account is locked. */
export async function noteReachedCap(
  query: RunStatement,
  cap: { readonly lineage: string; readonly amount: number; readonly period: CapPeriod },
  reached: string,
): Promise<void> {
  const { lineage, amount, period } = cap
  const [key] = await query<{ accountNumber: number; account: string; label: string | null }>(
    `update key_cap set reached = $2 from account, api_key
     where key_cap.lineage = $1 and account.id = key_cap.account and api_key.id = key_cap.lineage
     returning account.id as "accountNumber", account.name as account, api_key.label`,
    [lineage, reached],
  )
  if (key === undefined) return
  await insertEvent(query, capReachedEvent({ id: lineage, ...key }, amount, period))
}
