/**
 * Keys as the ledger knows them: whose they are, until when they are good, and the SHA-256 of their
 * text. The text itself leaves `issueKey` and `rotateKey` once and is nowhere else.
 */
import { type KeyRecord, stateOf } from '../account-records.ts'
import type { IssuedKey, KeyOrder, ListedKey, Rotation } from '../administration.ts'
import { keyDigest, withToggledDigest } from '../chain/digests.ts'
import { checkLabel, isKeyId, noSuchKey, refuseUnlessRotatable } from '../checked-orders.ts'
import { keyHash, newKeyId, newKeyText } from '../key.ts'
import { accountNamed } from './accounts.ts'
import type { Environment } from './environment.ts'
import type { Tables } from './tables.ts'

/**
 * Issues a key.
 * @throws Refusal `ledger-refused` for an unknown account, `wrong-usage` for a label that is none.
 */
export function issueKey(environment: Environment, order: KeyOrder): IssuedKey {
  checkLabel(order.label)
  return environment.write('keys', (tables) => {
    const { number } = accountNamed(tables, order.account)
    return putNewKey(environment, tables, number, order)
  })
}

/** Every key that was ever issued, oldest first; never a key's text, nor its hash. */
export function listKeys(environment: Environment): ListedKey[] {
  const nowMs = environment.clock()
  return environment.read((tables) =>
    Array.from(tables.keys.getRange(), ({ value }) => value)
      .sort((a, b) => a.createdAtMs - b.createdAtMs || (a.id < b.id ? -1 : 1))
      .map(({ hash: _, unshown: __, digest: ___, accountNumber, ...shown }) => ({
        ...shown,
        account: tables.accounts.get(accountNumber)?.name ?? '',
        state: stateOf(shown, nowMs),
      })),
  )
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
 * Puts a new key in the place of another: same account, same label, and as long a life as the old
 * one was issued for. The old one ends with the overlap, or before, when it would have expired.
 * @throws Refusal `ledger-refused` for a key that is unknown, revoked, expired or already rotated:
 * only the newest key of a chain can be rotated, so a repeated command cannot make a second heir.
 */
export function rotateKey(environment: Environment, id: string, overlapMs: number): Rotation {
  return environment.write('keys', (tables) => {
    const nowMs = environment.clock()
    const old = keyWithId(tables, id)
    refuseUnlessRotatable(old, nowMs)
    const issued = putNewKey(environment, tables, old.accountNumber, {
      label: old.label,
      expiresAtMs: old.expiresAtMs === null ? null : nowMs + old.expiresAtMs - old.createdAtMs,
    })
    const endMs = Math.min(old.expiresAtMs ?? Number.POSITIVE_INFINITY, nowMs + overlapMs)
    const replaced = { ...old, expiresAtMs: endMs, replacedBy: issued.record.id }
    putKey(tables, replaced)
    return { ...issued, replaced, before: old }
  })
}

/**
 * Takes back a key whose text was shown to nobody: it is gone, and a key that it replaced is as it was
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
    putKey(tables, { ...replaced, expiresAtMs, replacedBy: null })
  })
}

function putNewKey(
  environment: Environment,
  tables: Tables,
  accountNumber: number,
  { label, expiresAtMs }: Omit<KeyOrder, 'account'>,
): IssuedKey {
  let id = newKeyId(environment.random)
  while (tables.keys.get(id) !== undefined) id = newKeyId(environment.random)
  const text = newKeyText(environment.random)
  const record: KeyRecord = {
    id,
    accountNumber,
    hash: keyHash(text),
    label,
    createdAtMs: environment.clock(),
    expiresAtMs,
    revokedAtMs: null,
    replacedBy: null,
  }
  putKey(tables, record)
  return { text, record }
}

/** Writes a key, new or changed, and what its account says of all its keys. Its account stays. */
export function putKey(tables: Tables, key: KeyRecord): void {
  const account = tables.accounts.get(key.accountNumber)!
  const digest = keyDigest(key)
  const without = withToggledDigest(account.chain!.keys, tables.keys.get(key.id)?.digest)
  const chain = { ...account.chain!, keys: withToggledDigest(without, digest) }
  tables.keys.putSync(key.id, { ...key, digest })
  tables.accounts.putSync(account.number, { ...account, chain })
}

/** Removes a key, also from what its account says of all its keys. */
function removeKey(tables: Tables, id: string): void {
  const { accountNumber, digest } = tables.keys.get(id)!
  const account = tables.accounts.get(accountNumber)!
  const chain = { ...account.chain!, keys: withToggledDigest(account.chain!.keys, digest) }
  tables.keys.removeSync(id)
  tables.accounts.putSync(accountNumber, { ...account, chain })
}

/** @throws Refusal `ledger-refused` when there is no such key. */
function keyWithId(tables: Tables, id: string): KeyRecord {
  const key = isKeyId(id) ? tables.keys.get(id) : undefined
  if (key === undefined) throw noSuchKey(id)
  return key
}
