/**
 * Keys, with times by the ledger's clock, so that no two machines differ in what is expired. A key
 * keeps its id, its terms and what it spent for ever; a rotation gives it a new secret and lets the
 * others end.
 */
import type { CapPeriod } from '../../money.ts'
import { Refusal } from '../../problems.ts'
import type { RunStatement } from '../sql/port.ts'
import type { KeyRecord } from './account-records.ts'
import { noteChange, selectAccount } from './account-rows.ts'
import { spentSql, writeCap } from './caps/cap-rows.ts'
import { changedTerms, checkLabel, type TermsChange } from './checks.ts'
import { keyHash, newKeyId, newKeyText } from './key.ts'
import type { GoodKey, KeyTerms } from './port.ts'
import { grouped } from './sales.ts'

const idShape = /^key_[0-9a-z]{10}$/

/** A key that was just made: the only value that holds its text. */
export interface IssuedKey {
  readonly text: string
  readonly record: KeyRecord
}

export interface ListedKey extends KeyRecord {
  readonly spentMicroUsd: number
  /** The same, in the period of its cap; null without a cap. */
  readonly spentOfCapMicroUsd: number | null
}

export interface KeyOrder extends TermsChange {
  readonly account: string
  readonly label?: string | null
  /** Null or absent where it has no end. */
  readonly lifeMs?: number | null
}

/** Changes of a key. Absent members stay. */
export interface KeyChange extends TermsChange {
  readonly label?: string | null | undefined
  /** From now on; null where it has no end. */
  readonly lifeMs?: number | null | undefined
}

interface Rotation extends IssuedKey {
  readonly oldEndsAtMs: number
}

interface KeyRow extends Omit<KeyRecord, 'secrets' | 'terms'> {
  /** As JSON, without the cap. */
  readonly terms: string
  readonly cap: number | null
  readonly period: CapPeriod
  readonly hash: string
  readonly secretMs: number
  readonly endsAtMs: number | null
}

const columns = `api_key.id, api_key.account as "accountNumber", account.name as account, label, api_key.created_ms as "createdAtMs",
  expires_ms as "expiresAtMs", revoked_ms as "revokedAtMs", terms, key_cap.amount as cap, period,
  hash, key_secret.created_ms as "secretMs", ends_ms as "endsAtMs",
  case when revoked_ms is not null then 'revoked' when expires_ms <= now_ms() then 'expired' else 'active' end as state`

/** Every key as often as it has secrets. */
const fromKeys = `from api_key join account on account.id = api_key.account join key_secret on key_secret.key_id = api_key.id
  left join key_cap on key_cap.key_id = api_key.id`

/** The order of the secrets of a key: the oldest first, and at last the one that has no end. */
const secretOrder = 'key_secret.created_ms, key_secret.ends_ms is null'

/** Null for no end. */
export function endAfter(nowMs: number, lifeMs: number | null = null): number | null {
  return lifeMs === null ? null : nowMs + lifeMs
}

/** @throws Refusal `ledger-refused` for an unknown account, `wrong-usage` for label or terms. */
export async function insertKey(query: RunStatement, order: KeyOrder): Promise<IssuedKey> {
  const { label = null, lifeMs } = order
  checkLabel(label)
  const { number } = await selectAccount(query, order.account, 'for update')
  const nowMs = await databaseMs(query)
  const terms = changedTerms(undefined, order)
  const id = newKeyId()
  const key = { id, accountNumber: number, createdAtMs: nowMs }
  if (terms.cap !== undefined) await writeCap(query, key, terms.cap, nowMs)
  await query(
    `insert into api_key (id, account, created_ms, label, expires_ms, terms, changed)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      ...[id, number, nowMs, label, endAfter(nowMs, lifeMs), textOf(terms)],
      await noteChange(query),
    ],
  )
  return insertSecret(query, id, nowMs)
}

/** Its last secret from now on. */
async function insertSecret(query: RunStatement, id: string, nowMs: number): Promise<IssuedKey> {
  const text = newKeyText()
  await query('insert into key_secret (hash, key_id, created_ms) values ($1, $2, $3)', [
    ...[keyHash(text), id, nowMs],
  ])
  return { text, record: (await selectKeyRecord(query, id))! }
}

export async function updateKey(
  query: RunStatement,
  id: string,
  change: KeyChange,
): Promise<KeyRecord> {
  if (change.label !== undefined) checkLabel(change.label)
  const key = await lockKey(query, id)
  if (key.revokedAtMs !== null) throw new Refusal('ledger-refused', `key ${id} is revoked`)
  const nowMs = await databaseMs(query)
  const terms = changedTerms(key.terms, change)
  const { label = key.label, lifeMs } = change
  const expiresAtMs = lifeMs === undefined ? key.expiresAtMs : endAfter(nowMs, lifeMs)
  if (change.cap !== undefined) await writeCap(query, key, terms.cap, nowMs)
  await query(
    'update api_key set label = $2, expires_ms = $3, terms = $4, changed = $5 where id = $1',
    [id, label, expiresAtMs, textOf(terms), await noteChange(query)],
  )
  return (await selectKeyRecord(query, id))!
}

function textOf({ cap: _, ...terms }: KeyTerms): string {
  return JSON.stringify(terms)
}

/** The secrets that let in now: those with some hashes, and all those of some keys. */
export async function goodKeysWith(
  query: RunStatement,
  hashes: readonly string[],
  keyIds: readonly string[],
): Promise<GoodKey[]> {
  if (hashes.length + keyIds.length === 0) return []
  const rows = await query<KeyRow>(
    `select ${columns} ${fromKeys}
     where suspended_ms is null and revoked_ms is null
       and (expires_ms is null or expires_ms > now_ms()) and (ends_ms is null or ends_ms > now_ms())
       and (key_secret.hash in list($1 as text) or key_secret.key_id in list($2 as text))
     order by api_key.id, ${secretOrder}`,
    [hashes, keyIds],
  )
  return rows.map((row) => {
    const { id, hash, accountNumber } = row
    const expiresAtMs = Math.min(endOf(row.expiresAtMs), endOf(row.endsAtMs))
    return { id, hash, accountNumber, expiresAtMs, ...termsIn(row) }
  })
}

function endOf(endsAtMs: number | null): number {
  return endsAtMs ?? Number.POSITIVE_INFINITY
}

/** Every key that was ever issued, oldest first; never a key's text. */
export async function selectKeys(query: RunStatement): Promise<ListedKey[]> {
  const text = `select ${columns}, coalesce(sold.amount, 0) as "spentMicroUsd",
      case when key_cap.amount is not null then ${spentSql} end as "spentOfCapMicroUsd"
    ${fromKeys}
      left join (select key_id, cast(sum(amount) as bigint) as amount from charge group by key_id) as sold on sold.key_id = api_key.id
    order by api_key.created_ms, api_key.id, ${secretOrder}`
  return recordsOf(await query<KeyRow & Omit<ListedKey, keyof KeyRecord>>(text))
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
    ...[id, await noteChange(query)],
  ])
  return true
}

/** The new secret lives as long as the last was given; others end with the overlap, or before. */
export async function rotate(
  query: RunStatement,
  id: string,
  overlapMs: number,
): Promise<Rotation> {
  const key = await lockKey(query, id)
  const nowMs = await databaseMs(query)
  const { state, expiresAtMs, secrets } = key
  if (state !== 'active') throw new Refusal('ledger-refused', `key ${id} is ${state}`)
  const oldEndsAtMs = Math.min(endOf(expiresAtMs), nowMs + overlapMs)
  const lifeMs = endOf(expiresAtMs) - secrets.at(-1)!.createdAtMs
  const nextEndsAtMs = expiresAtMs === null ? null : nowMs + lifeMs
  return { ...(await writeNewSecret(query, id, oldEndsAtMs, nextEndsAtMs, nowMs)), oldEndsAtMs }
}

/**
 * Replaces the last secret, which ends now; the key may have ended before.
 * @returns undefined for a key that is revoked, or whose last secret has another hash.
 */
export async function renew(
  query: RunStatement,
  id: string,
  hash: string,
  lifeMs: number,
): Promise<IssuedKey | undefined> {
  const key = await lockedKey(query, id)
  if (key === undefined || key.revokedAtMs !== null || key.secrets.at(-1)!.hash !== hash) {
    return undefined
  }
  const nowMs = await databaseMs(query)
  const made = await writeNewSecret(query, id, nowMs, nowMs + lifeMs, nowMs)
  // Whoever renews a key moves its end again and again: that is nothing to tell.
  await query('update api_key set told_ms = expires_ms where id = $1', [id])
  return made
}

/** Secrets that had ended are forgotten: a key that is renewed every hour does not fill the ledger. */
async function writeNewSecret(
  query: RunStatement,
  id: string,
  oldEndsAtMs: number,
  expiresAtMs: number | null,
  nowMs: number,
): Promise<IssuedKey> {
  await query('delete from key_secret where key_id = $1 and ends_ms <= $2', [id, nowMs])
  await query(
    'update key_secret set ends_ms = $2 where key_id = $1 and (ends_ms is null or ends_ms > $2)',
    [id, oldEndsAtMs],
  )
  // Its first secret, which a service may not have shown, is not the last any more.
  await query('update api_key set expires_ms = $2, changed = $3, unshown = false where id = $1', [
    id,
    expiresAtMs,
    await noteChange(query),
  ])
  return insertSecret(query, id, nowMs)
}

export async function selectKeyRecord(
  query: RunStatement,
  id: string,
): Promise<KeyRecord | undefined> {
  const text = `select ${columns} ${fromKeys} where api_key.id = $1 order by ${secretOrder}`
  return recordsOf(await query<KeyRow>(text, [id]))[0]
}

/**
 * Locks the account of a key, before `ledger_change`, as everywhere; the head of the audit log
 * keeps other changes of the key out. @throws Refusal `ledger-refused` when there is no such key.
 */
async function lockKey(query: RunStatement, id: string): Promise<KeyRecord> {
  const key = await lockedKey(query, id)
  if (key !== undefined) return key
  // An operator may have typed the key itself: only what has the form of an id is repeated.
  const reason = idShape.test(id) ? `there is no key ${id}` : 'that is not a key id'
  throw new Refusal('ledger-refused', reason, 'not-there')
}

async function lockedKey(query: RunStatement, id: string): Promise<KeyRecord | undefined> {
  const key = idShape.test(id) ? await selectKeyRecord(query, id) : undefined
  if (key !== undefined) await selectAccount(query, key.account, 'for update')
  return key
}

export async function databaseMs(query: RunStatement): Promise<number> {
  const [row] = await query<{ now: number }>('select now_ms() as now')
  return row!.now
}

/** @param rows those of a key in the order of its secrets. */
function recordsOf<R extends KeyRow>(rows: readonly R[]) {
  return [...grouped(rows, ({ id }) => id).values()].map((ofKey) => {
    const { terms, cap, period, hash: _, secretMs: __, endsAtMs: ___, ...key } = ofKey[0]!
    const secrets = ofKey.map(({ hash, secretMs, endsAtMs }) => {
      return { hash, createdAtMs: secretMs, endsAtMs }
    })
    return { ...key, secrets, ...termsIn({ terms, cap, period }) }
  })
}

/** Absent where nothing is restricted. */
function termsIn({ terms, cap, period }: Pick<KeyRow, 'terms' | 'cap' | 'period'>): {
  readonly terms?: KeyTerms
} {
  const ofCap = cap === null ? {} : { cap: { amountMicroUsd: cap, period } }
  const all = { ...ofCap, ...JSON.parse(terms) }
  return Object.keys(all).length === 0 ? {} : { terms: all }
}
