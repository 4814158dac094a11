/**
 * The table of keys. A key that is restricted is stored so that an earlier version, which knows no restrictions,
 * takes it for revoked: it refuses the key instead of selling without its cap or to any address.
 */
import type { KeyRecord } from '../../account-records.ts'
import { isKeyId, noSuchKey } from '../../checks/checked-orders.ts'
import { isRestricted } from '../../keys/key-changes.ts'
import type { Tables } from '../tables.ts'

/** A key as it lies in the table. */
type StoredKey = KeyRecord & {
  /** Set while `revokedAtMs` stands for earlier versions only. */
  readonly isRestricted?: true
}

/** Time of revocation that earlier versions read of a restricted key. */
const revokedForEarlierMs = 0

/** All keys, by id. */
export function allKeys(tables: Tables): KeyRecord[] {
  return Array.from(tables.keys.getRange(), ({ value }) => keyOf(value))
}

/** @throws Refusal `ledger-refused` when there is no such key. */
export function keyWithId(tables: Tables, id: string): KeyRecord {
  const key = isKeyId(id) ? tables.keys.get(id) : undefined
  if (key === undefined) throw noSuchKey(id)
  return keyOf(key)
}

/** A key as it was given to `storedKey`. */
export function keyOf({ isRestricted: isHeld, ...key }: StoredKey): KeyRecord {
  return isHeld === true ? { ...key, revokedAtMs: null } : key
}

/** Returns a key in the form in which it is stored. */
export function storedKey(key: KeyRecord): StoredKey {
  if (!isRestricted(key) || key.revokedAtMs !== null) return key
  return { ...key, revokedAtMs: revokedForEarlierMs, isRestricted: true }
}
