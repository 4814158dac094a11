/**
 * A service's reading of the accounts that it holds, of a ledger that may have many more: those that changed, those of
 * keys that were sent to it. Every question is answered from an index.
 */
import type { RunStatement } from '../sql/port.ts'

/** An account, as services hear of it. */
interface AccountRowNews {
  readonly id: number
  /** Time at which it was made. */
  readonly madeAtMs: number
  readonly balance: number
  /** Number of the change by which all services were to give back; 0 if there was none. */
  readonly recalled: number
}

const columns = 'id, created_ms as "madeAtMs", credited - charged as balance, recalled'

/** The numbers of the accounts that changed after a change, up to so many. */
export async function changedNumbers(
  query: RunStatement,
  change: number,
  most: number,
): Promise<number[]> {
  const text = 'select id from account where changed > $1 limit $2'
  return (await query<{ id: number }>(text, [change, most])).map(({ id }) => id)
}

/** Those of some accounts that there are. */
export async function accountsAmong(
  query: RunStatement,
  numbers: readonly number[],
): Promise<AccountRowNews[]> {
  if (numbers.length === 0) return []
  return query<AccountRowNews>(
    `select ${columns} from account where id in list($1 as integer) order by id`,
    [numbers],
  )
}
