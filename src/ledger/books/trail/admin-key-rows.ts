/** Admin keys, with times by the ledger's clock. */
import { stateOf } from '../../account-records.ts'
import {
  type AdminKeyRecord,
  newAdminKey,
  revokedAdminKey,
  shownAdminKey,
} from '../../admin-keys.ts'
import type { AdminKey, AdminKeyOrder, IssuedAdminKey } from '../../administration.ts'
import { noSuchAdminKey } from '../../checks/checked-orders.ts'
import type { RandomBytes } from '../../key.ts'
import type { RunStatement } from '../../sql/port.ts'
import { databaseMs } from '../key-rows.ts'

/** Issues an admin key. @throws Refusal `wrong-usage` for a label that is none. */
export async function insertAdminKey(
  query: RunStatement,
  order: AdminKeyOrder,
  random: RandomBytes,
): Promise<IssuedAdminKey> {
  const { text, record } = newAdminKey(order, await databaseMs(query), random)
  await query('insert into admin_key (id, hash, record) values ($1, $2, $3)', [
    record.id,
    record.hash,
    JSON.stringify(record),
  ])
  return { text, record: shownAdminKey(record) }
}

/** Every admin key with its hash, oldest first. */
export async function selectAdminKeys(query: RunStatement): Promise<AdminKeyRecord[]> {
  const rows = await query<Row>('select * from admin_key')
  return rows.map(recordOf).sort((a, b) => a.createdAtMs - b.createdAtMs || (a.id < b.id ? -1 : 1))
}

/** One admin key; undefined where there is none. */
export async function selectAdminKey(
  query: RunStatement,
  id: string,
): Promise<AdminKeyRecord | undefined> {
  const [row] = await query<Row>('select * from admin_key where id = $1', [id])
  return row && recordOf(row)
}

/** False when it had been revoked. @throws Refusal `ledger-refused` when there is none. */
export async function revokeAdmin(query: RunStatement, id: string): Promise<boolean> {
  const record = await selectAdminKey(query, id)
  if (record === undefined) throw noSuchAdminKey()
  if (record.revokedAtMs !== null) return false
  const revoked = revokedAdminKey(record, await databaseMs(query))
  await query('update admin_key set record = $2 where id = $1', [id, JSON.stringify(revoked)])
  return true
}

/** The admin key with a hash, where it is good. */
export async function selectGoodAdminKey(
  query: RunStatement,
  hash: string,
): Promise<AdminKey | undefined> {
  const [row] = await query<Row>('select * from admin_key where hash = $1', [hash])
  const record = row && recordOf(row)
  if (record === undefined || stateOf(record, await databaseMs(query)) !== 'active') {
    return undefined
  }
  return shownAdminKey(record)
}

interface Row {
  readonly hash: string
  readonly record: string
}

/** A hash in the column that is not the record's is the one that lets in: the digest shows it. */
function recordOf({ hash, record }: Row): AdminKeyRecord {
  return { ...JSON.parse(record), hash }
}
