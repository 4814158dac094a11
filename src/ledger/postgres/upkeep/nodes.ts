/** The nodes that sell from a database: the sessions that are open, with what they hold. */
import type { SellingNode } from '../../administration.ts'
import type { RunStatement } from '../database.ts'

/** Those that sell longest first. */
export async function selectNodes(query: RunStatement): Promise<readonly SellingNode[]> {
  const rows = await query<{
    readonly node: string
    readonly opened_ms: number
    readonly expires_ms: number
    readonly is_late: boolean
    readonly accounts: number
    readonly leased: number
  }>(
    `select node, opened_ms, expires_ms, expires_ms < now_ms() as is_late,
            count(account) as accounts, coalesce(sum(granted - spent), 0)::bigint as leased
     from session left join lease on lease.session = session.id and granted > spent
     where closed_ms is null
     group by session.id order by opened_ms, node`,
  )
  return rows.map(({ node, opened_ms, expires_ms, is_late: isLate, accounts, leased }) => ({
    ...{ name: node, sinceMs: opened_ms, leasedUntilMs: expires_ms },
    ...{ isLate, accounts, leasedMicroUsd: leased },
  }))
}
