/**
 * Renewing a key in a database: its end and its heir in one transaction, as on a disk. The recording around a change
 * has locked the audit log, so that of two services that renew a key one comes first.
 */
import type { IssuedKey } from '../../administration.ts'
import { isKeyId } from '../../checks/checked-orders.ts'
import type { RandomBytes } from '../../key.ts'
import { renewalOf } from '../../keys/key-changes.ts'
import { noteChange } from '../account-rows.ts'
import type { RunStatement } from '../database.ts'
import {
  deleteKey,
  endKey,
  insertNew,
  keysOfAccounts,
  lockAccount,
  selectKeyRecord,
} from '../key-rows.ts'

/**
 * Puts a new key in the place of one of the same lineage, which ends now.
 * @param expiresAtMs by the database's clock.
 * @returns undefined for a key that was revoked or renewed before.
 */
export async function renew(
  query: RunStatement,
  id: string,
  expiresAtMs: number,
  random: RandomBytes,
): Promise<IssuedKey | undefined> {
  const found = isKeyId(id) ? await selectKeyRecord(query, id) : undefined
  if (found === undefined) return undefined
  await lockAccount(query, found.accountNumber)
  const keys = await keysOfAccounts(query, [found.accountNumber])
  const renewal = renewalOf(id, keys, expiresAtMs)
  if (renewal === undefined) return undefined
  await noteChange(query, 'keys')
  await (renewal.isNamed ? endKey(query, id) : deleteKey(query, id))
  return insertNew(query, renewal.heir, random)
}

/** The active keys of a lineage with such a beginning of their labels. */
export async function activeOfLineage(
  query: RunStatement,
  lineage: string,
  labelPrefix: string,
): Promise<string[]> {
  const rows = await query<{ id: string }>(
    `select id from api_key where lineage = $1 and left(label, length($2)) = $2
     and revoked_ms is null`,
    [lineage, labelPrefix],
  )
  return rows.map(({ id }) => id)
}
