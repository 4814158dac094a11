/** The nodes that sell from a database: the sessions that are open, with what they hold. */
import type { SellingNode } from '../../administration.ts'
import type { RunStatement } from '../database.ts'

/** Those that sell longest first. */
export async function selectNodes(query: RunStatement): Promise<readonly SellingNode[]> {
  const rows = await query<{
    readonly node: string
    readonly opened_at: Date
    readonly expires_at: Date
    readonly is_late: boolean
    readonly accounts: number
    readonly leased: number
  }>(
    `select node, opened_at, expires_at, expires_at < clock_timestamp() as is_late,
            count(account) as accounts, coalesce(sum(granted - spent), 0)::bigint as leased
     from session left join lease on lease.session = session.id and granted > spent
     where closed_at is null
     group by session.id order by opened_at, node`,
  )
  return rows.map(({ node, opened_at, expires_at, is_late: isLate, accounts, leased }) => ({
    ...{ name: node, sinceMs: opened_at.getTime(), leasedUntilMs: expires_at.getTime() },
    ...{ isLate, accounts, leasedMicroUsd: leased },
  }))
}
