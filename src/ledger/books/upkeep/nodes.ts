/** The nodes that sell from leases: the sessions that are open, with what they hold. */
import type { SellingNode } from '../../administration.ts'
import type { RunStatement } from '../../sql/port.ts'

/** Expiry of a session that holds the whole ledger, without leases: it ends when it is closed, or another takes its place. */
export const neverMs = Number.MAX_SAFE_INTEGER

/** Those that sell longest first. */
export async function selectNodes(query: RunStatement): Promise<readonly SellingNode[]> {
  const rows = await query<{
    readonly node: string
    readonly opened_ms: number
    readonly expires_ms: number
    readonly now: number
    readonly accounts: number
    readonly leased: number
  }>(
    `select node, opened_ms, expires_ms, now_ms() as now,
            count(account) as accounts, cast(coalesce(sum(granted - spent), 0) as bigint) as leased
     from session left join lease on lease.session = session.id and granted > spent
     where closed_ms is null and expires_ms < ${neverMs}
     group by session.id order by opened_ms, node`,
  )
  return rows.map(({ node, opened_ms, expires_ms, now, accounts, leased }) => ({
    ...{ name: node, sinceMs: opened_ms, leasedUntilMs: expires_ms },
    ...{ isLate: expires_ms < now, accounts, leasedMicroUsd: leased },
  }))
}
