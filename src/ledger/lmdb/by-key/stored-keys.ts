/** Reads and writes the table of keys, and that of the secrets that lead to them. */
import type { KeyRecord } from '../../account-records.ts'
import { isKeyId, noSuchKey } from '../../checks/checked-orders.ts'
import type { Tables } from '../tables.ts'

/** All keys, by id. */
export function allKeys(tables: Tables): KeyRecord[] {
  return Array.from(tables.keys.getRange(), ({ value }) => value)
}

/** @throws Refusal `ledger-refused` when there is no such key. */
export function keyWithId(tables: Tables, id: string): KeyRecord {
  const key = isKeyId(id) ? tables.keys.get(id) : undefined
  if (key === undefined) throw noSuchKey(id)
  return key
}

/** Writes a key in the place of the one with its id. */
export function putKey(tables: Tables, key: KeyRecord): void {
  forgetSecrets(tables, key.id)
  for (const { hash } of key.secrets) tables.keySecrets.putSync(hash, key.id)
  tables.keys.putSync(key.id, key)
}

/** Removes a key, and what it has spent. */
export function removeKey(tables: Tables, id: string): void {
  forgetSecrets(tables, id)
  tables.keys.removeSync(id)
  tables.spending.removeSync(id)
}

function forgetSecrets(tables: Tables, id: string): void {
  for (const { hash } of tables.keys.get(id)?.secrets ?? []) tables.keySecrets.removeSync(hash)
}
