/** What a session that holds the whole sells from. */
import { spentSql } from '../books/caps/cap-rows.ts'
import type { Funds } from '../port.ts'
import type { RunStatement } from '../sql/port.ts'

const fundsColumns =
  'id as "accountNumber", credited as "grantedMicroUsd", charged as "spentMicroUsd"'

/** Funds of those of some accounts that there are. */
export function fundsOfAccounts(query: RunStatement, numbers: readonly number[]): Promise<Funds[]> {
  return query<Funds>(
    `select ${fundsColumns} from account where id in list($1 as integer) order by id`,
    [numbers],
  )
}

/** Funds of those of some keys that have caps. */
export function fundsOfCaps(query: RunStatement, keyIds: readonly string[]): Promise<Funds[]> {
  return query<Funds>(
    `select account as "accountNumber", key_id as "keyId", amount as "grantedMicroUsd",
       ${spentSql} as "spentMicroUsd" from key_cap
     where amount is not null and key_id in list($1 as text) order by key_id`,
    [keyIds],
  )
}
