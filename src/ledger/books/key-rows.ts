/** Keys, with times by the ledger's clock, so that no two machines differ in what is expired. */

import type { RunStatement } from '../sql/port.ts'
import type { KeyRecord } from './account-records.ts'
import { noteChange, selectAccount } from './account-rows.ts'
import type {
  IssuedKey,
  KeyChange,
  KeyFacts,
  KeyOrder,
  ListedKey,
  Rotation,
} from './administration.ts'
import { spentOfCaps, writeCap } from './caps/cap-rows.ts'
import { checkLabel, isKeyId, noSuchKey } from './checked-orders.ts'
import { newKeyId, type RandomBytes } from './key.ts'
import {
  changedKey,
  goodKeysOf,
  keyFacts,
  type MadeKey,
  newKeyOf,
  renewed,
  rotated,
} from './key-changes.ts'
import type { GoodKey } from './port.ts'

interface KeyRow extends Omit<KeyRecord, 'secrets' | 'terms' | 'unshown'> {
  readonly unshown: boolean
  readonly terms: string | null
  readonly hash: string
  readonly secretMs: number
  readonly endsAtMs: number | null
}

/** Every key as often as it has secrets. */
const keysText = `select api_key.id, api_key.account as "accountNumber", label, api_key.created_ms as "createdAtMs",
    expires_ms as "expiresAtMs", revoked_ms as "revokedAtMs", unshown, terms, hash, key_secret.created_ms as "secretMs",
    ends_ms as "endsAtMs"
  from api_key join key_secret on key_secret.key_id = api_key.id`

/** The order of the secrets of a key: the oldest first, and at last the one that has no end. */
const secretOrder = 'key_secret.created_ms, key_secret.ends_ms is null'

/** @throws Refusal `ledger-refused` for an unknown account, `wrong-usage` for label or terms. */
export async function insertKey(
  query: RunStatement,
  order: KeyOrder,
  random: RandomBytes,
): Promise<MadeKey> {
  checkLabel(order.label)
  const { number: account } = await selectAccount(query, order.account)
  await lockAccount(query, account)
  const nowMs = await databaseMs(query)
  const made = newKeyOf(order, account, newKeyId(random), nowMs, random)
  await writeKeyAndCap(query, made.record, made.record.terms?.cap !== undefined, nowMs)
  return made
}

export async function updateKey(
  query: RunStatement,
  id: string,
  change: KeyChange,
): Promise<KeyRecord> {
  if (change.label !== undefined) checkLabel(change.label)
  const before = await lockKey(query, id)
  const nowMs = await databaseMs(query)
  const key = changedKey(before, change, nowMs)
  await writeKeyAndCap(query, key, change.cap !== undefined, nowMs)
  return key
}

async function writeKeyAndCap(
  query: RunStatement,
  key: KeyRecord,
  isCapSet: boolean,
  nowMs: number,
): Promise<void> {
  const capsChange = isCapSet ? await noteChange(query, 'accounts') : undefined
  await writeKey(query, key, await noteChange(query, 'keys'))
  if (capsChange === undefined) return
  const whose = { keyId: key.id, account: key.accountNumber }
  await writeCap(query, whose, key.terms?.cap, { change: capsChange, nowMs })
}

/** Writes a key with its secrets. Its account is locked. @param change the number of its change. */
async function writeKey(query: RunStatement, key: KeyRecord, change: number): Promise<void> {
  const { id, accountNumber, label, createdAtMs, expiresAtMs, revokedAtMs, terms } = key
  const { unshown = false } = key
  await query(
    `insert into api_key
       (id, account, created_ms, label, expires_ms, revoked_ms, unshown, terms, changed)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (id) do update set label = excluded.label, expires_ms = excluded.expires_ms,
       revoked_ms = excluded.revoked_ms, unshown = excluded.unshown, terms = excluded.terms, changed = excluded.changed`,
    [
      ...[id, accountNumber, createdAtMs, label, expiresAtMs, revokedAtMs, unshown],
      ...[terms === undefined ? null : JSON.stringify(terms), change],
    ],
  )
  await query('delete from key_secret where key_id = $1', [id])
  for (const { hash, createdAtMs, endsAtMs } of key.secrets) {
    await query(
      'insert into key_secret (hash, key_id, created_ms, ends_ms) values ($1, $2, $3, $4)',
      [hash, id, createdAtMs, endsAtMs],
    )
  }
}

/** The secrets that let in now: those with some hashes, and all those of some keys. */
export async function goodKeysWith(
  query: RunStatement,
  hashes: readonly string[],
  keyIds: readonly string[],
): Promise<GoodKey[]> {
  if (hashes.length + keyIds.length === 0) return []
  const withThem = `${keysText} join account on account.id = api_key.account and suspended_ms is null
    where key_secret.hash in list($1 as text) or key_secret.key_id in list($2 as text)
    order by api_key.id, ${secretOrder}`
  const keys = recordsOf(await query<KeyRow>(withThem, [hashes, keyIds]))
  return goodKeysOf(keys, await databaseMs(query))
}

/** Ids of the keys that changed after a change, or whose account was suspended or resumed after it, so many at most. */
export async function changedKeyIds(
  query: RunStatement,
  change: number,
  most: number,
): Promise<string[]> {
  const rows = await query<{ id: string }>(
    `select id from api_key where changed > $1
     union select api_key.id from account join api_key on api_key.account = account.id
       where keys_changed > 0 and keys_changed > $1
     limit $2`,
    [change, most],
  )
  return rows.map(({ id }) => id)
}

/** Every key that was ever issued, oldest first; never a key's text, nor its hash. */
export async function selectKeys(query: RunStatement): Promise<ListedKey[]> {
  const nowMs = await databaseMs(query)
  const keys = recordsOf(
    await query<KeyRow>(`${keysText} order by api_key.created_ms, api_key.id, ${secretOrder}`),
  )
  const accounts = await query<{ id: number; name: string }>('select id, name from account')
  const names = new Map(accounts.map(({ id, name }) => [id, name]))
  const sold = await query<{ keyId: string; spent: number }>(
    'select key_id as "keyId", cast(sum(amount) as bigint) as spent from charge group by key_id',
  )
  const spent = new Map(sold.map((each) => [each.keyId, each.spent]))
  const ofCaps = await spentOfCaps(query)
  return keys.map((key) => ({
    ...keyFacts(key, names.get(key.accountNumber)!, nowMs),
    spentMicroUsd: spent.get(key.id) ?? 0,
    ...(key.terms?.cap && { spentOfCapMicroUsd: ofCaps.get(key.id) ?? 0 }),
  }))
}

export async function selectListedKey(
  query: RunStatement,
  id: string,
  nowMs: number,
): Promise<KeyFacts | undefined> {
  const key = await selectKeyRecord(query, id)
  if (key === undefined) return undefined
  const [account] = await query<{ name: string }>('select name from account where id = $1', [
    key.accountNumber,
  ])
  return keyFacts(key, account!.name, nowMs)
}

export async function countKeys(
  query: RunStatement,
  account: string,
  labelPrefix: string,
  sinceMs: number,
): Promise<number> {
  const [row] = await query<{ n: number }>(
    `select count(*) as n from api_key
     where account = (select id from account where name = $1) and created_ms > $2
       and substr(label, 1, ${labelPrefix.length}) = $3`,
    [account, sinceMs, labelPrefix],
  )
  return row!.n
}

export async function revoke(query: RunStatement, id: string): Promise<boolean> {
  const key = await lockKey(query, id)
  if (key.revokedAtMs !== null) return false
  await query('update api_key set revoked_ms = now_ms(), changed = $2 where id = $1', [
    ...[id, await noteChange(query, 'keys')],
  ])
  return true
}

export async function rotate(
  query: RunStatement,
  id: string,
  overlapMs: number,
  random: RandomBytes,
): Promise<Rotation> {
  const key = await lockKey(query, id)
  const rotation = rotated(key, overlapMs, await databaseMs(query), random)
  await writeKey(query, rotation.record, await noteChange(query, 'keys'))
  return rotation
}

/** @param expiresAtMs by the database's clock. */
export async function renew(
  query: RunStatement,
  id: string,
  hash: string,
  expiresAtMs: number,
  random: RandomBytes,
): Promise<IssuedKey | undefined> {
  const key = await lockedKey(query, id)
  if (key === undefined) return undefined
  const made = renewed(key, hash, expiresAtMs, await databaseMs(query), random)
  if (made === undefined) return undefined
  await writeKey(query, made.record, await noteChange(query, 'keys'))
  // Whoever renews a key moves its end again and again: that is nothing to tell.
  await query('update api_key set told_ms = expires_ms where id = $1', [id])
  return made
}

export async function selectKeyRecords(query: RunStatement): Promise<KeyRecord[]> {
  return recordsOf(await query<KeyRow>(`${keysText} order by api_key.id, ${secretOrder}`))
}

export async function selectKeyRecord(
  query: RunStatement,
  id: string,
): Promise<KeyRecord | undefined> {
  const ofOne = `${keysText} where api_key.id = $1 order by ${secretOrder}`
  return recordsOf(await query<KeyRow>(ofOne, [id]))[0]
}

/** Locks an account: before `ledger_change`, as everywhere. */
async function lockAccount(query: RunStatement, number: number): Promise<void> {
  await query('select 1 from account where id = $1 for update', [number])
}

/** Locks a key, and then its account. @throws Refusal `ledger-refused` when there is no such key. */
async function lockKey(query: RunStatement, id: string): Promise<KeyRecord> {
  const key = await lockedKey(query, id)
  if (key === undefined) throw noSuchKey(id)
  return key
}

async function lockedKey(query: RunStatement, id: string): Promise<KeyRecord | undefined> {
  if (!isKeyId(id)) return undefined
  await query('select 1 from api_key where id = $1 for update', [id])
  const key = await selectKeyRecord(query, id)
  if (key !== undefined) await lockAccount(query, key.accountNumber)
  return key
}

export async function databaseMs(query: RunStatement): Promise<number> {
  const [row] = await query<{ now: number }>('select now_ms() as now')
  return row!.now
}

/** @param rows those of a key follow each other, in the order of its secrets. */
function recordsOf(rows: readonly KeyRow[]): KeyRecord[] {
  const secretsOf = new Map<string, KeyRecord['secrets'][number][]>()
  return rows.flatMap((row) => {
    const { unshown, terms, hash, secretMs, endsAtMs, ...key } = row
    const secret = { hash, createdAtMs: secretMs, endsAtMs }
    const known = secretsOf.get(key.id)
    known?.push(secret)
    if (known !== undefined) return []
    const secrets = [secret]
    secretsOf.set(key.id, secrets)
    return {
      ...key,
      secrets,
      ...(terms !== null && { terms: JSON.parse(terms) }),
      ...(unshown && { unshown: true as const }),
    }
  })
}
