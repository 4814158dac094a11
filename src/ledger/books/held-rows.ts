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

/** The accounts that changed after a change, up to a number of them; any, where there was none. */
export function changedAccounts(
  query: RunStatement,
  change: number,
  most: number,
): Promise<AccountRowNews[]> {
  if (change < 0) {
    return query<AccountRowNews>(`select ${columns} from account order by id limit $1`, [most])
  }
  const changed = `select ${columns} from account where changed > $1 order by changed limit $2`
  return query<AccountRowNews>(changed, [change, most])
}

/** Those of some accounts that there are. */
export function accountsAmong(
  query: RunStatement,
  numbers: readonly number[],
): Promise<AccountRowNews[]> {
  return query<AccountRowNews>(
    `select ${columns} from account where id in list($1 as integer) order by id`,
    [numbers],
  )
}
