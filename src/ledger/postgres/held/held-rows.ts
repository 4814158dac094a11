/**
 * A service's reading of the accounts that it holds, of a ledger that may have many more: those that changed, those of
 * keys that were sent to it. Every question is answered from an index.
 */
import type { RunStatement } from '../../sql/port.ts'

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

/** The accounts that changed after a change, the oldest first, up to a number of them. */
export function changedAccounts(
  query: RunStatement,
  change: number,
  most: number,
): Promise<AccountRowNews[]> {
  const changed = `select ${columns} from account where changed > $1 order by id limit $2`
  return query<AccountRowNews>(changed, [change, most])
}

/** Those of some accounts that changed after a change; all of them where it is absent. */
export function accountsAmong(
  query: RunStatement,
  numbers: readonly number[],
  change = -1,
): Promise<AccountRowNews[]> {
  return query<AccountRowNews>(
    `select ${columns} from account where id in list($1 as integer) and changed > $2 order by id`,
    [numbers, change],
  )
}

/** The accounts of keys by the hashes of their secrets, whatever became of the keys. */
export async function accountsOfKeys(
  query: RunStatement,
  hashes: readonly string[],
): Promise<readonly number[]> {
  const ofKeys = `select distinct account from api_key
    join key_secret on key_secret.key_id = api_key.id where hash in list($1 as text)`
  return (await query<{ account: number }>(ofKeys, [hashes])).map(({ account }) => account)
}
