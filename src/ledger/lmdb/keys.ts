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
import { endedWith, lineagesOf } from '../lineages.ts'
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
 * @throws Refusal `ledger-refused` for an unknown account or parent, `wrong-usage` for a label or terms that are none.
 */
export function issueKey(environment: Environment, order: KeyOrder): MadeKey {
  checkLabel(order.label)
  return environment.write('keys', (tables) => {
    const parent = order.parent === undefined ? undefined : keyWithId(tables, order.parent)
    const accountNumber =
      parent !== undefined && order.account === ''
        ? parent.accountNumber
        : accountNamed(tables, order.account).number
    const family = parent && { parent, keys: allKeys(tables) }
    const key = newKeyOf(order, accountNumber, family, environment.clock())
    return putNewKey(environment, tables, key)
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
  return environment.read((tables) => {
    const keys = allKeys(tables)
    const lineages = lineagesOf(keys)
    return keys
      .sort((a, b) => a.createdAtMs - b.createdAtMs || (a.id < b.id ? -1 : 1))
      .map((key) => {
        const lineage = lineages.get(key.id)!
        const record = tables.lineages.get(lineage)
        const cap = key.terms?.cap
        return {
          ...listedKey(tables, key, nowMs),
          lineage,
          spentMicroUsd: spentOf(record, nowMs),
          ...(cap && { spentOfCapMicroUsd: spentOf(record, nowMs, cap) }),
        }
      })
  })
}

/** A key as it may be shown at a time, without what its lineage spent. */
export function listedKey(tables: Tables, key: KeyRecord, nowMs: number): KeyFacts {
  return keyFacts(key, tables.accounts.get(key.accountNumber)?.name ?? '', nowMs)
}

/**
 * Ends a key now and for ever, and with the last key of a lineage all keys below it. False when it had been revoked
 * before; then nothing changes.
 * @throws Refusal `ledger-refused` when there is no such key.
 */
export function revokeKey(environment: Environment, id: string): boolean {
  return environment.write('keys', (tables) => {
    const key = keyWithId(tables, id)
    if (key.revokedAtMs !== null) return false
    const revokedAtMs = environment.clock()
    const ended = endedWith(key, allKeys(tables), revokedAtMs)
    for (const each of ended) tables.keys.putSync(each.id, { ...each, revokedAtMs })
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
  const { accountNumber, label, expiresAtMs, ...restrictions } = key
  const record: KeyRecord = {
    id,
    accountNumber,
    hash: keyHash(text),
    label,
    createdAtMs: environment.clock(),
    expiresAtMs,
    revokedAtMs: null,
    replacedBy: null,
    ...restrictions,
  }
  tables.keys.putSync(id, record)
  putLineage(tables, record)
  return { text, record }
}

/** Gives the lineage of a key its record, with which caps are held against what it spends. */
function putLineage(tables: Tables, { id, lineage = id, accountNumber, parent }: KeyRecord): void {
  if (tables.lineages.get(lineage) !== undefined) return
  tables.lineages.putSync(lineage, { accountNumber, ...(parent && { parent }), spent: {} })
}

/** Removes a key, and what its lineage has spent. */
export function removeKey(tables: Tables, id: string): void {
  tables.keys.removeSync(id)
  tables.lineages.removeSync(id)
}
