/** Admin keys in a ledger on a disk: issued and revoked, and found by the hash of their text. */

import { stateOf } from '../../account-records.ts'
import {
  type AdminKeyRecord,
  newAdminKey,
  revokedAdminKey,
  shownAdminKey,
} from '../../admin-keys.ts'
import type { AdminKey, AdminKeyOrder, IssuedAdminKey } from '../../administration.ts'
import { noSuchAdminKey } from '../../checks/checked-orders.ts'
import type { Environment } from '../environment.ts'
import type { Tables } from '../tables.ts'

/** Issues an admin key. @throws Refusal `wrong-usage` for a label that is none. */
export function putNewAdminKey(environment: Environment, order: AdminKeyOrder): IssuedAdminKey {
  const { text, record } = newAdminKey(order, environment.clock(), environment.random)
  environment.transact((tables) => tables.adminKeys.putSync(record.id, record))
  return { text, record: shownAdminKey(record) }
}

/** Every admin key with its hash, oldest first. */
export function adminKeyRecords(tables: Tables): AdminKeyRecord[] {
  return Array.from(tables.adminKeys.getRange(), ({ value }) => value).sort(
    (a, b) => a.createdAtMs - b.createdAtMs || (a.id < b.id ? -1 : 1),
  )
}

/** False when it had been revoked. @throws Refusal `ledger-refused` when there is none. */
export function endAdminKey(environment: Environment, id: string): boolean {
  return environment.transact((tables) => {
    const record = tables.adminKeys.get(id.slice(0, 64))
    if (record === undefined) throw noSuchAdminKey()
    if (record.revokedAtMs !== null) return false
    tables.adminKeys.putSync(id, revokedAdminKey(record, environment.clock()))
    return true
  })
}

/** The admin key with a hash, where it is good. */
export function goodAdminKey(tables: Tables, hash: string, nowMs: number): AdminKey | undefined {
  const record = adminKeyRecords(tables).find((each) => each.hash === hash)
  if (record === undefined || stateOf(record, nowMs) !== 'active') return undefined
  return shownAdminKey(record)
}
