/**
 * Keys in a database: as those of the books on a disk, with times by the database's clock, so that
 * no two machines differ in what they think is expired.
 */
import { Refusal } from '../../problems.ts'
import { type KeyRecord, stateOf } from '../account-records.ts'
import type { IssuedKey, KeyFacts, KeyOrder, ListedKey, Rotation } from '../administration.ts'
import { keyDigest, withToggledDigest } from '../chain/digests.ts'
import { checkLabel, isKeyId, noSuchKey, refuseUnlessRotatable } from '../checks/checked-orders.ts'
import { keyHash, newKeyId, newKeyText, type RandomBytes } from '../key.ts'
import { lineagesOf } from '../lineages.ts'
import { insertAccount, noteChange, selectAccount } from './account-rows.ts'
import type { RunStatement } from './database.ts'

interface KeyRow {
  readonly id: string
  readonly account: number
  readonly hash: string
  readonly label: string | null
  readonly created_at: Date
  readonly expires_at: Date | null
  readonly revoked_at: Date | null
  readonly replaced_by: string | null
  readonly unshown: boolean
  readonly digest: string | null
}

/** The account that a service makes in an empty ledger. */
const firstName = 'default'

/**
 * How long the key of the first account may wait to be shown until another service makes it anew:
 * that which made it may be showing it.
 */
const showSecondsMax = 60

/** Issues a key. @throws Refusal as `issueKey` of the books on a disk. */
export async function insertKey(
  query: RunStatement,
  order: KeyOrder,
  random: RandomBytes,
): Promise<IssuedKey> {
  checkLabel(order.label)
  const { number } = await selectAccount(query, order.account)
  await lockAccount(query, number)
  await noteChange(query, 'keys')
  return insertNew(query, number, order, random)
}

/** Every key that was ever issued, oldest first; never a key's text, nor its hash. */
export async function selectKeys(query: RunStatement): Promise<ListedKey[]> {
  const nowMs = await databaseMs(query)
  const rows = await query<KeyRow & { name: string }>(
    `select api_key.*, account.name from api_key join account on account.id = api_key.account
     order by api_key.created_at, api_key.id`,
  )
  const lineages = lineagesOf(rows.map(recordOf))
  return rows.map((row) => ({ ...listedOf(row, nowMs), lineage: lineages.get(row.id)! }))
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
  return row && listedOf(row, nowMs)
}

function listedOf(row: KeyRow & { readonly name: string }, nowMs: number): KeyFacts {
  const { hash: _, accountNumber: __, unshown: ___, digest: ____, ...shown } = recordOf(row)
  return { ...shown, account: row.name, state: stateOf(shown, nowMs) }
}

/** Ends a key; false when it had been revoked. @throws Refusal as `revokeKey` of the books on a disk. */
export async function revoke(query: RunStatement, id: string): Promise<boolean> {
  const key = await lockKey(query, id)
  if (key.revokedAtMs !== null) return false
  await lockAccount(query, key.accountNumber)
  await noteChange(query, 'keys')
  await query('update api_key set revoked_at = clock_timestamp() where id = $1', [id])
  await digestKey(query, id)
  return true
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
  const nowMs = await databaseMs(query)
  refuseUnlessRotatable(old, nowMs)
  await noteChange(query, 'keys')
  const expiresAtMs = old.expiresAtMs === null ? null : nowMs + old.expiresAtMs - old.createdAtMs
  const issued = await insertNew(
    query,
    old.accountNumber,
    { label: old.label, expiresAtMs },
    random,
  )
  const endMs = Math.min(old.expiresAtMs ?? Number.POSITIVE_INFINITY, nowMs + overlapMs)
  await query('update api_key set expires_at = $2, replaced_by = $3 where id = $1', [
    id,
    new Date(endMs),
    issued.record.id,
  ])
  await digestKey(query, id)
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
    await query('update api_key set expires_at = $2, replaced_by = null where id = $1', [
      replacedId,
      expiresAtMs === null ? null : new Date(expiresAtMs),
    ])
    await digestKey(query, replacedId)
  }
  await removeFromDigest(query, id)
  await query('delete from api_key where id = $1', [id])
}

/**
 * Makes the account `default` with a key where there is no account; its key anew where that was not
 * shown for a minute. Services that start together wait here for each other.
 * @returns the text of the key; undefined when there was nothing to make.
 */
export async function insertFirstAccount(
  query: RunStatement,
  random: RandomBytes,
  openingMicroUsd?: number,
): Promise<string | undefined> {
  const [need] = await query<{ empty: boolean; unshown: string | null }>(
    `select not exists (select 1 from account) as empty,
      (select min(id) from api_key where unshown and revoked_at is null and replaced_by is null
       and created_at < clock_timestamp() - interval '${showSecondsMax} seconds') as unshown`,
  )
  if (!need!.empty && need!.unshown === null) return undefined
  await noteChange(query, 'accounts')
  const isEmpty = (await query('select 1 from account limit 1')).length === 0
  if (!isEmpty && need!.unshown === null) return undefined
  if (isEmpty) await insertAccount(query, firstName, openingMicroUsd)
  else await revokeUnshown(query)
  const order = { account: firstName, label: null, expiresAtMs: null }
  const { text, record } = await insertKey(query, order, random)
  await query('update api_key set unshown = true where id = $1', [record.id])
  await digestKey(query, record.id)
  return text
}

async function revokeUnshown(query: RunStatement): Promise<void> {
  const revoked = await query<{ id: string }>(
    `update api_key set revoked_at = clock_timestamp(), unshown = false
     where unshown and revoked_at is null returning id`,
  )
  for (const { id } of revoked) await digestKey(query, id)
}

/** The key of the first account was shown: it is made no more. */
export async function markShown(query: RunStatement): Promise<void> {
  const shown = await query<{ id: string }>(
    'update api_key set unshown = false where unshown returning id',
  )
  for (const { id } of shown) await digestKey(query, id)
}

async function insertNew(
  query: RunStatement,
  accountNumber: number,
  { label, expiresAtMs }: Omit<KeyOrder, 'account'>,
  random: RandomBytes,
): Promise<IssuedKey> {
  const text = newKeyText(random)
  const [row] = await query<KeyRow>(
    `insert into api_key (id, account, hash, label, created_at, expires_at)
     values ($1, $2, $3, $4, clock_timestamp(), $5) returning *`,
    [
      newKeyId(random),
      accountNumber,
      keyHash(text),
      label,
      expiresAtMs === null ? null : new Date(expiresAtMs),
    ],
  )
  await digestKey(query, row!.id)
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

/** Before `ledger_change`, as everywhere. */
async function lockAccount(query: RunStatement, number: number): Promise<void> {
  await query('select 1 from account where id = $1 for update', [number])
}

/** Gives a key that is new or was changed its digest, and its account that of all its keys. */
async function digestKey(query: RunStatement, id: string): Promise<void> {
  const row = await keyWithSet(query, id)
  const digest = keyDigest(recordOf(row))
  const without = withToggledDigest(row.keys_digest, row.digest ?? undefined)
  await query('update api_key set digest = $2 where id = $1', [id, digest])
  await query('update account set keys_digest = $2 where id = $1', [
    row.account,
    withToggledDigest(without, digest),
  ])
}

/** Takes a key out of what its account says of all its keys. */
async function removeFromDigest(query: RunStatement, id: string): Promise<void> {
  const row = await keyWithSet(query, id)
  const without = withToggledDigest(row.keys_digest, row.digest ?? undefined)
  await query('update account set keys_digest = $2 where id = $1', [row.account, without])
}

/** A key, and the digest of all keys of its account. */
async function keyWithSet(
  query: RunStatement,
  id: string,
): Promise<KeyRow & { keys_digest: string }> {
  const [row] = await query<KeyRow & { keys_digest: string }>(
    `select api_key.*, account.keys_digest from api_key join account on account.id = api_key.account
     where api_key.id = $1 for update`,
    [id],
  )
  return row!
}

async function lockKey(query: RunStatement, id: string): Promise<KeyRecord> {
  const [row] = isKeyId(id)
    ? await query<KeyRow>('select * from api_key where id = $1 for update', [id])
    : []
  if (row === undefined) throw noSuchKey(id)
  return recordOf(row)
}

/** What time it is by the clock of the database; milliseconds since the epoch. */
export async function databaseMs(query: RunStatement): Promise<number> {
  const [row] = await query<{ now: Date }>('select clock_timestamp() as now')
  if (row === undefined) throw new Refusal('ledger-refused', 'the database has no clock')
  return row.now.getTime()
}

function recordOf(row: KeyRow): KeyRecord {
  return {
    id: row.id,
    accountNumber: row.account,
    hash: row.hash,
    label: row.label,
    createdAtMs: row.created_at.getTime(),
    expiresAtMs: row.expires_at?.getTime() ?? null,
    revokedAtMs: row.revoked_at?.getTime() ?? null,
    replacedBy: row.replaced_by,
    ...(row.unshown && { unshown: true as const }),
    ...(row.digest !== null && { digest: row.digest }),
  }
}
