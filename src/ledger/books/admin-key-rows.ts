/**
 * Admin keys, with times by the ledger's clock. The audit log holds the digest of each, so that one
 * that was made or changed by other means shows.
 */
import { hash as digestOfText } from 'node:crypto'
import type { AdminScope } from '../../admin-scopes.ts'
import { Refusal } from '../../problems.ts'
import type { RunStatement } from '../sql/port.ts'
import { checkLabel } from './checks.ts'
import { keyHash, newAdminKeyId, newAdminKeyText } from './key.ts'
import { databaseMs, endAfter } from './key-rows.ts'

export interface AdminKey {
  readonly id: string
  readonly label: string | null
  readonly scopes: readonly AdminScope[]
  readonly createdAtMs: number
  readonly expiresAtMs: number | null
  readonly revokedAtMs: number | null
  /** Digest of all of it and of its hash. */
  readonly digest: string
}

export interface AdminKeyOrder extends Pick<AdminKey, 'scopes'> {
  readonly label?: string | null
  /** Null or absent where it has no end. */
  readonly lifeMs?: number | null
}

/** An admin key that was just made: the only value that holds its text. */
interface IssuedAdminKey {
  readonly text: string
  readonly record: AdminKey
}

export async function contradictionsOfAdminKeys(query: RunStatement): Promise<string[]> {
  const records = await selectAdminKeys(query)
  const entries = await query<{ subject: string; facts: string }>(
    "select subject, facts from audit_entry where action like 'admin-key.%' order by n",
  )
  const lastStates = new Map<string, { readonly digest: string } | null>(
    entries.map(({ subject, facts }) => [subject, JSON.parse(facts).after]),
  )
  const wrong = records
    .filter(({ id, digest }) => digest !== lastStates.get(id)?.digest)
    .map(({ id }) => `admin key ${id} is not what the audit log says`)
  const there = new Set(records.map(({ id }) => id))
  const gone = [...lastStates].filter(([id, state]) => state !== null && !there.has(id))
  return [...wrong, ...gone.map(([id]) => `admin key ${id} of the audit log is not there`)]
}

export async function insertAdminKey(
  query: RunStatement,
  { label = null, scopes, lifeMs }: AdminKeyOrder,
): Promise<IssuedAdminKey> {
  checkLabel(label)
  const text = newAdminKeyText()
  const [id, hash] = [newAdminKeyId(), keyHash(text)]
  const createdAtMs = await databaseMs(query)
  const times = { createdAtMs, expiresAtMs: endAfter(createdAtMs, lifeMs), revokedAtMs: null }
  const record = JSON.stringify({ id, label, scopes, ...times })
  await query('insert into admin_key (id, hash, record) values ($1, $2, $3)', [id, hash, record])
  return { text, record: adminKeyOf({ hash, record }) }
}

export async function selectAdminKeys(query: RunStatement): Promise<AdminKey[]> {
  const rows = await query<Row>('select * from admin_key')
  return rows
    .map(adminKeyOf)
    .sort((a, b) => a.createdAtMs - b.createdAtMs || (a.id < b.id ? -1 : 1))
}

export async function selectAdminKey(
  query: RunStatement,
  id: string,
): Promise<AdminKey | undefined> {
  const [row] = await query<Row>('select * from admin_key where id = $1', [id])
  return row && adminKeyOf(row)
}

export async function revokeAdmin(query: RunStatement, id: string): Promise<boolean> {
  const key = await selectAdminKey(query, id)
  if (key === undefined) {
    throw new Refusal('ledger-refused', 'there is no admin key of this id', 'not-there')
  }
  if (key.revokedAtMs !== null) return false
  const { digest: _, ...record } = { ...key, revokedAtMs: await databaseMs(query) }
  await query('update admin_key set record = $2 where id = $1', [id, JSON.stringify(record)])
  return true
}

export async function selectGoodAdminKey(
  query: RunStatement,
  hash: string,
): Promise<AdminKey | undefined> {
  const [row] = await query<Row>('select * from admin_key where hash = $1', [hash])
  const key = row && adminKeyOf(row)
  if (key === undefined || key.revokedAtMs !== null) return undefined
  const { expiresAtMs } = key
  return expiresAtMs === null || (await databaseMs(query)) < expiresAtMs ? key : undefined
}

interface Row {
  readonly hash: string
  readonly record: string
}

/** The digest is 32 hexadecimal digits (the first half of a SHA-256) of JSON, in which no two values read the same. */
function adminKeyOf({ hash, record }: Row): AdminKey {
  const { id, label, scopes, createdAtMs, expiresAtMs, revokedAtMs } = JSON.parse(record)
  const values = ['admin key', id, hash, label, scopes, createdAtMs, expiresAtMs, revokedAtMs]
  const digest = digestOfText('sha256', JSON.stringify(values)).slice(0, 32)
  return { id, label, scopes, createdAtMs, expiresAtMs, revokedAtMs, digest }
}
