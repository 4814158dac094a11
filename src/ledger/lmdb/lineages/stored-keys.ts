/** Reads the table of keys. */
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
