/**
 * Keys as the ledger knows them: whose they are, until when they are good, what restricts them, and the SHA-256 of
 * their texts. A text leaves `issueKey`, `rotateKey` or `renewKey` once and is nowhere else.
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
import { newKeyId } from '../key.ts'
import {
  changedKey,
  keyFacts,
  type MadeKey,
  newKeyOf,
  renewed,
  rotated,
  withdrawn,
} from '../keys/key-changes.ts'
import { accountNamed } from './accounts.ts'
import { spentOf } from './by-key/spending.ts'
import { allKeys, keyWithId, putKey, removeKey } from './by-key/stored-keys.ts'
import type { Environment } from './environment.ts'
import type { Tables } from './tables.ts'

/**
 * Issues a key.
 * @throws Refusal `ledger-refused` for an unknown account, `wrong-usage` for a label or terms that are none.
 */
export function issueKey(environment: Environment, order: KeyOrder): MadeKey {
  checkLabel(order.label)
  const { clock, random } = environment
  return environment.write('keys', (tables) => {
    const { number } = accountNamed(tables, order.account)
    let id = newKeyId(random)
    while (tables.keys.get(id) !== undefined) id = newKeyId(random)
    const made = newKeyOf(order, number, id, clock(), random)
    putKey(tables, made.record)
    tables.spending.putSync(id, { accountNumber: number, spent: {} })
    return made
  })
}

/**
 * Changes a key.
 * @throws Refusal `ledger-refused` for a key that is unknown or revoked, `wrong-usage` for what it cannot be changed to.
 */
export function setKey(environment: Environment, id: string, change: KeyChange): KeyRecord {
  if (change.label !== undefined) checkLabel(change.label)
  return environment.write('keys', (tables) => {
    const key = changedKey(keyWithId(tables, id), change, environment.clock())
    putKey(tables, key)
    return key
  })
}

/** Every key that was ever issued, oldest first; never a key's text, nor its hash. */
export function listKeys(environment: Environment): ListedKey[] {
  const nowMs = environment.clock()
  return environment.read((tables) =>
    allKeys(tables)
      .sort((a, b) => a.createdAtMs - b.createdAtMs || (a.id < b.id ? -1 : 1))
      .map((key) => {
        const record = tables.spending.get(key.id)
        const cap = key.terms?.cap
        return {
          ...listedKey(tables, key, nowMs),
          spentMicroUsd: spentOf(record, nowMs),
          ...(cap && { spentOfCapMicroUsd: spentOf(record, nowMs, cap) }),
        }
      }),
  )
}

/** A key as it may be shown at a time, without what it spent. */
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
    putKey(tables, { ...key, revokedAtMs: environment.clock() })
    return true
  })
}

/**
 * Gives a key a new secret, and as long a life as it was issued for. Its other secrets end with the overlap, or before.
 * @throws Refusal `ledger-refused` for a key that is unknown, revoked or expired.
 */
export function rotateKey(
  environment: Environment,
  id: string,
  overlapMs: number,
): Rotation & MadeKey {
  const { clock, random } = environment
  return environment.write('keys', (tables) => {
    const rotation = rotated(keyWithId(tables, id), overlapMs, clock(), random)
    putKey(tables, rotation.record)
    return rotation
  })
}

/**
 * Gives a key a new secret in the place of its last one; also a key that has expired.
 * @param expiresAtMs when it ends from now on, in milliseconds since the epoch.
 * @returns undefined for a key that is not there or revoked, or whose last secret is another; nothing is changed then.
 */
export function renewKey(
  environment: Environment,
  id: string,
  hash: string,
  expiresAtMs: number,
): MadeKey | undefined {
  const { clock, random } = environment
  return environment.write('keys', (tables) => {
    const key = tables.keys.get(id)
    const made = key && renewed(key, hash, expiresAtMs, clock(), random)
    if (made !== undefined) putKey(tables, made.record)
    return made
  })
}

/**
 * Takes back a secret whose text was never shown: a key that was issued is gone, and one that was rotated is as it was
 * before, unless it was revoked meanwhile. A key that was rotated since stays.
 * @throws Refusal `ledger-refused` when the disk refuses.
 */
export function withdrawKey(environment: Environment, issued: IssuedKey | Rotation): void {
  const { id } = issued.record
  environment.write('keys', (tables) => {
    const key = tables.keys.get(id)
    const left = key && withdrawn(key, issued)
    if (left === undefined) removeKey(tables, id)
    else putKey(tables, left)
  })
}
