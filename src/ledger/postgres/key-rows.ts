/**
 * Keys in a database: as those of the books on a disk, with times by the database's clock, so that
 * no two machines differ in what they think is expired.
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
import { checkLabel, isKeyId, noSuchKey } from '../checks/checked-orders.ts'
import { keyHash, newKeyId, newKeyText, type RandomBytes } from '../key.ts'
import { changedLineage, keyFacts, type NewKey, newKeyOf, rotationOf } from '../keys/key-changes.ts'
import { spentByPeriod } from '../lineages.ts'
import { noteChange, selectAccount } from './account-rows.ts'
import { spentOfCaps, usageOfLineages, writeCap } from './caps/cap-rows.ts'
import type { RunStatement } from './database.ts'

interface KeyRow {
  readonly id: string
  readonly account: number
  readonly hash: string
  readonly label: string | null
  readonly created_ms: number
  readonly expires_ms: number | null
  readonly revoked_ms: number | null
  readonly replaced_by: string | null
  readonly unshown: boolean
  readonly lineage: string
  readonly terms: string | null
}

/** Issues a key. @throws Refusal as `issueKey` of the books on a disk. */
export async function insertKey(
  query: RunStatement,
  order: KeyOrder,
  random: RandomBytes,
): Promise<IssuedKey> {
  checkLabel(order.label)
  const { number: accountNumber } = await selectAccount(query, order.account)
  await lockAccount(query, accountNumber)
  const nowMs = await databaseMs(query)
  const key = newKeyOf(order, accountNumber, nowMs)
  const capsChange = key.terms?.cap && (await noteChange(query, 'accounts'))
  await noteChange(query, 'keys')
  const issued = await insertNew(query, key, random)
  const lineage = { lineage: issued.record.id, account: accountNumber }
  if (capsChange !== undefined) {
    await writeCap(query, lineage, key.terms?.cap, { change: capsChange, nowMs })
  }
  return issued
}

/** Changes a key, and the terms of its lineage. @throws Refusal as `setKey` of the books on a disk. */
export async function updateKey(
  query: RunStatement,
  id: string,
  change: KeyChange,
): Promise<KeyRecord> {
  if (change.label !== undefined) checkLabel(change.label)
  const key = await lockKey(query, id)
  await lockAccount(query, key.accountNumber)
  const all = await keysOfAccounts(query, [key.accountNumber])
  const nowMs = await databaseMs(query)
  const { terms, keys } = changedLineage(key, all, change, nowMs)
  const capsChange = change.cap === undefined ? undefined : await noteChange(query, 'accounts')
  await noteChange(query, 'keys')
  for (const each of keys) await updateRecord(query, each)
  if (capsChange !== undefined) {
    const lineage = { lineage: key.lineage, account: key.accountNumber }
    await writeCap(query, lineage, terms?.cap, { change: capsChange, nowMs })
  }
  return (await selectKeyRecord(query, id))!
}

async function updateRecord(query: RunStatement, key: KeyRecord): Promise<void> {
  const { id, label, expiresAtMs, terms } = key
  await query('update api_key set label = $2, expires_ms = $3, terms = $4 where id = $1', [
    id,
    label,
    expiresAtMs,
    jsonOrNull(terms),
  ])
}

/** All keys of some accounts. */
export async function keysOfAccounts(
  query: RunStatement,
  numbers: readonly number[],
): Promise<KeyRecord[]> {
  const ofThem = 'select * from api_key where account = any($1::integer[]) order by id'
  return (await query<KeyRow>(ofThem, [numbers])).map(recordOf)
}

/** Every key that was ever issued, oldest first; never a key's text, nor its hash. */
export async function selectKeys(query: RunStatement): Promise<ListedKey[]> {
  const nowMs = await databaseMs(query)
  const rows = await query<KeyRow & { name: string }>(
    `select api_key.*, account.name from api_key join account on account.id = api_key.account
     order by api_key.created_ms, api_key.id`,
  )
  const spent = spentByPeriod(await usageOfLineages(query))
  const ofCaps = await spentOfCaps(query)
  return rows.map((row) => {
    const { lineage } = row
    const key = keyFacts(recordOf(row), row.name, nowMs)
    return {
      ...key,
      spentMicroUsd: spent.get(lineage)?.get('total') ?? 0,
      ...(key.terms?.cap && { spentOfCapMicroUsd: ofCaps.get(lineage) ?? 0 }),
    }
  })
}

/** One key as it may be shown; undefined where there is none. */
export async function selectListedKey(
  query: RunStatement,
  id: string,
  nowMs: number,
): Promise<KeyFacts | undefined> {
  const [row] = await query<KeyRow & { name: string }>(
    `select api_key.*, account.name from api_key join account on account.id = api_key.account
     where api_key.id = $1`,
    [id],
  )
  return row && keyFacts(recordOf(row), row.name, nowMs)
}

/** Ends a key; false when it had been revoked. @throws Refusal as `revokeKey` of the books on a disk. */
export async function revoke(query: RunStatement, id: string): Promise<boolean> {
  const key = await lockKey(query, id)
  if (key.revokedAtMs !== null) return false
  await lockAccount(query, key.accountNumber)
  await noteChange(query, 'keys')
  await endKey(query, id)
  return true
}

/** Ends a key now. Its account is locked, and the change is noted. */
export async function endKey(query: RunStatement, id: string): Promise<void> {
  await query('update api_key set revoked_ms = now_ms() where id = $1', [id])
}

/** Removes a key that no other names. Its account is locked, and the change is noted. */
export async function deleteKey(query: RunStatement, id: string): Promise<void> {
  await query('delete from api_key where id = $1', [id])
}

/** Puts a new key in the place of another. @throws Refusal as `rotateKey` of the books on a disk. */
export async function rotate(
  query: RunStatement,
  id: string,
  overlapMs: number,
  random: RandomBytes,
): Promise<Rotation> {
  const old = await lockKey(query, id)
  await lockAccount(query, old.accountNumber)
  const { heir, endMs } = rotationOf(old, overlapMs, await databaseMs(query))
  await noteChange(query, 'keys')
  const issued = await insertNew(query, heir, random)
  await query('update api_key set expires_ms = $2, replaced_by = $3 where id = $1', [
    id,
    endMs,
    issued.record.id,
  ])
  const replaced = { ...old, expiresAtMs: endMs, replacedBy: issued.record.id }
  return { ...issued, replaced, before: old }
}

/** Takes back a key. @throws Refusal as `withdrawKey` of the books on a disk. */
export async function withdraw(query: RunStatement, issued: IssuedKey | Rotation): Promise<void> {
  const { id } = issued.record
  const [key] = await query<KeyRow>('select * from api_key where id = $1 for update', [id])
  if (key === undefined || key.replaced_by !== null) return
  await lockAccount(query, key.account)
  await noteChange(query, 'keys')
  if ('before' in issued) {
    const { expiresAtMs, id: replacedId } = issued.before
    await query('update api_key set expires_ms = $2, replaced_by = null where id = $1', [
      replacedId,
      expiresAtMs,
    ])
  }
  await query('delete from key_cap where lineage = $1', [id])
  await deleteKey(query, id)
}

/** Makes a key and puts it. Its account is locked, and the change is noted. */
export async function insertNew(
  query: RunStatement,
  key: NewKey,
  random: RandomBytes,
): Promise<IssuedKey> {
  const text = newKeyText(random)
  const id = newKeyId(random)
  const { accountNumber, label, expiresAtMs, lineage = id, terms } = key
  const [row] = await query<KeyRow>(
    `insert into api_key (id, account, hash, label, created_ms, expires_ms, lineage, terms)
     values ($1, $2, $3, $4, now_ms(), $5, $6, $7) returning *`,
    [id, accountNumber, keyHash(text), label, expiresAtMs, lineage, jsonOrNull(terms)],
  )
  return { text, record: recordOf(row!) }
}

/** Every key with all that the ledger has of it. */
export async function selectKeyRecords(query: RunStatement): Promise<KeyRecord[]> {
  return (await query<KeyRow>('select * from api_key order by id')).map(recordOf)
}

/** A key with all that the ledger has of it; undefined where there is none. */
export async function selectKeyRecord(
  query: RunStatement,
  id: string,
): Promise<KeyRecord | undefined> {
  const [row] = await query<KeyRow>('select * from api_key where id = $1', [id])
  return row && recordOf(row)
}

/** Locks an account: before `ledger_change`, as everywhere. */
export async function lockAccount(query: RunStatement, number: number): Promise<void> {
  await query('select 1 from account where id = $1 for update', [number])
}

async function lockKey(query: RunStatement, id: string): Promise<KeyRecord> {
  const [row] = isKeyId(id)
    ? await query<KeyRow>('select * from api_key where id = $1 for update', [id])
    : []
  if (row === undefined) throw noSuchKey(id)
  return recordOf(row)
}

/** The time by the clock of the database; milliseconds since the epoch. */
export async function databaseMs(query: RunStatement): Promise<number> {
  const [row] = await query<{ now: number }>('select now_ms() as now')
  return row!.now
}

function recordOf(row: KeyRow): KeyRecord {
  return {
    id: row.id,
    accountNumber: row.account,
    hash: row.hash,
    label: row.label,
    createdAtMs: row.created_ms,
    expiresAtMs: row.expires_ms,
    revokedAtMs: row.revoked_ms,
    replacedBy: row.replaced_by,
    lineage: row.lineage,
    ...(row.terms !== null && { terms: JSON.parse(row.terms) }),
    ...(row.unshown && { unshown: true as const }),
  }
}

function jsonOrNull(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value)
}
