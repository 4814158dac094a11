/**
 * Keys as the ledger knows them: whose they are, until when they are good, what restricts them, and the SHA-256 of
 * their text. The text itself leaves `issueKey` and `rotateKey` once and is nowhere else.
 */
import type { KeyRecord } from '../account-records.ts'
import type {
  IssuedKey,
  KeyChange,
  KeyFacts,
  KeyOrder,
  ListedKey,
  Rotation,
} from '../administration.ts'
import { checkLabel } from '../checks/checked-orders.ts'
import { keyHash, newKeyId, newKeyText } from '../key.ts'
import { changedLineage, keyFacts, type NewKey, newKeyOf, rotationOf } from '../keys/key-changes.ts'
import { accountNamed } from './accounts.ts'
import type { Environment } from './environment.ts'
import { spentOf } from './lineages/spending.ts'
import { allKeys, keyWithId } from './lineages/stored-keys.ts'
import type { Tables } from './tables.ts'

/** A key that was just made, with its record. */
export interface MadeKey extends IssuedKey {
  readonly record: KeyRecord
}

/**
 * Issues a key.
 * @throws Refusal `ledger-refused` for an unknown account, `wrong-usage` for a label or terms that are none.
 */
export function issueKey(environment: Environment, order: KeyOrder): MadeKey {
  checkLabel(order.label)
  return environment.write('keys', (tables) => {
    const { number } = accountNamed(tables, order.account)
    return putNewKey(environment, tables, newKeyOf(order, number, environment.clock()))
  })
}

/**
 * Changes a key, and the terms of its lineage.
 * @throws Refusal `ledger-refused` for a key that is unknown or revoked, `wrong-usage` for what it cannot be changed to.
 */
export function setKey(environment: Environment, id: string, change: KeyChange): KeyRecord {
  if (change.label !== undefined) checkLabel(change.label)
  return environment.write('keys', (tables) => {
    const key = keyWithId(tables, id)
    const { keys } = changedLineage(key, allKeys(tables), change, environment.clock())
    for (const each of keys) tables.keys.putSync(each.id, each)
    return keyWithId(tables, id)
  })
}

/** Every key that was ever issued, oldest first; never a key's text, nor its hash. */
export function listKeys(environment: Environment): ListedKey[] {
  const nowMs = environment.clock()
  return environment.read((tables) =>
    allKeys(tables)
      .sort((a, b) => a.createdAtMs - b.createdAtMs || (a.id < b.id ? -1 : 1))
      .map((key) => {
        const record = tables.lineages.get(key.lineage)
        const cap = key.terms?.cap
        return {
          ...listedKey(tables, key, nowMs),
          spentMicroUsd: spentOf(record, nowMs),
          ...(cap && { spentOfCapMicroUsd: spentOf(record, nowMs, cap) }),
        }
      }),
  )
}

/** A key as it may be shown at a time, without what its lineage spent. */
export function listedKey(tables: Tables, key: KeyRecord, nowMs: number): KeyFacts {
  return keyFacts(key, tables.accounts.get(key.accountNumber)?.name ?? '', nowMs)
}

/**
 * Ends a key now and for ever. False when it had been revoked before; then nothing changes.
 * @throws Refusal `ledger-refused` when there is no such key.
 */
export function revokeKey(environment: Environment, id: string): boolean {
  return environment.write('keys', (tables) => {
    const key = keyWithId(tables, id)
    if (key.revokedAtMs !== null) return false
    tables.keys.putSync(id, { ...key, revokedAtMs: environment.clock() })
    return true
  })
}

/**
 * Puts a new key in the place of another: same account, same label, same terms, and as long a life as the old
 * one was issued for. The old one ends with the overlap, or before, when it would have expired.
 * @throws Refusal `ledger-refused` for a key that is unknown, revoked, expired or already rotated:
 * only the newest key of a chain can be rotated, so a repeated command cannot make a second heir.
 */
export function rotateKey(environment: Environment, id: string, overlapMs: number): Rotation {
  return environment.write('keys', (tables) => {
    const old = keyWithId(tables, id)
    const { heir, endMs } = rotationOf(old, overlapMs, environment.clock())
    const issued = putNewKey(environment, tables, heir)
    const replaced = { ...old, expiresAtMs: endMs, replacedBy: issued.record.id }
    tables.keys.putSync(id, replaced)
    return { ...issued, replaced, before: old }
  })
}

/**
 * Takes back a key whose text was never shown: it is gone, and a key that it replaced is as it was
 * before, unless that was revoked meanwhile. A key that was rotated itself stays.
 * @throws Refusal `ledger-refused` when the disk refuses.
 */
export function withdrawKey(environment: Environment, issued: IssuedKey | Rotation): void {
  const { id } = issued.record
  environment.write('keys', (tables) => {
    if (tables.keys.get(id)?.replacedBy !== null) return
    removeKey(tables, id)
    if (!('before' in issued)) return
    const { expiresAtMs, id: replacedId } = issued.before
    const replaced = keyWithId(tables, replacedId)
    tables.keys.putSync(replacedId, { ...replaced, expiresAtMs, replacedBy: null })
  })
}

/** Makes a key and puts it. Its account is there. */
export function putNewKey(environment: Environment, tables: Tables, key: NewKey): MadeKey {
  let id = newKeyId(environment.random)
  while (tables.keys.get(id) !== undefined) id = newKeyId(environment.random)
  const text = newKeyText(environment.random)
  const { accountNumber, label, expiresAtMs, lineage = id, terms } = key
  const record: KeyRecord = {
    id,
    accountNumber,
    hash: keyHash(text),
    label,
    createdAtMs: environment.clock(),
    expiresAtMs,
    revokedAtMs: null,
    replacedBy: null,
    lineage,
    ...(terms && { terms }),
  }
  tables.keys.putSync(id, record)
  putLineage(tables, record)
  return { text, record }
}

/** Gives the lineage of a key its record, with which caps are held against what it spends. */
function putLineage(tables: Tables, { lineage, accountNumber }: KeyRecord): void {
  if (tables.lineages.get(lineage) !== undefined) return
  tables.lineages.putSync(lineage, { accountNumber, spent: {} })
}

/** Removes a key, and what its lineage has spent. */
export function removeKey(tables: Tables, id: string): void {
  tables.keys.removeSync(id)
  tables.lineages.removeSync(id)
}
