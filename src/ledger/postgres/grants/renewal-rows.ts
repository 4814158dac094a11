/**
 * Renewing a key in a database: its end and its heir in one transaction, as on a disk. The recording around a change
 * has locked the audit log, so that of two services that renew a key one comes first.
 */
import type { IssuedKey } from '../../administration.ts'
import { isKeyId } from '../../checks/checked-orders.ts'
import type { RandomBytes } from '../../key.ts'
import { hasLivingParent, lineagesOf } from '../../lineages.ts'
import { noteChange } from '../account-rows.ts'
import type { RunStatement } from '../database.ts'
import {
  databaseMs,
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
 * @returns undefined for a key that was revoked or renewed before, and for one whose parent has ended.
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
  const old = keys.find((key) => key.id === id)
  if (old === undefined || old.revokedAtMs !== null) return undefined
  if (!hasLivingParent(old, keys, await databaseMs(query))) return undefined
  await noteChange(query, 'keys')
  const lineage = lineagesOf(keys).get(id)!
  // The first key names the lineage, and a rotated one leads to its heir.
  const isNamed = id === lineage || keys.some(({ replacedBy }) => replacedBy === id)
  await (isNamed ? endKey(query, id) : deleteKey(query, id))
  const { accountNumber, label, parent, terms } = old
  const order = { label, expiresAtMs, lineage, ...(parent && { parent }), ...(terms && { terms }) }
  return insertNew(query, accountNumber, order, random)
}

/** The active keys of a lineage with such a beginning of their labels. */
export async function activeOfLineage(
  query: RunStatement,
  lineage: string,
  labelPrefix: string,
): Promise<string[]> {
  const rows = await query<{ id: string }>(
    `select id from api_key where (lineage = $1 or id = $1) and left(label, length($2)) = $2
     and (revoked_at is null or restricted)`,
    [lineage, labelPrefix],
  )
  return rows.map(({ id }) => id)
}
