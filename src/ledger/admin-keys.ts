/**
 * Admin keys: what makes a record, and what the proof says of one. The audit log holds the
 * digest of each as it was written last, so that one that was made or changed by other means shows.
 */
import { hash as digestOfText } from 'node:crypto'
import type { AdminKey, AdminKeyOrder } from './administration.ts'
import { checkLabel } from './checks/checked-orders.ts'
import { keyHash, newAdminKeyId, newAdminKeyText, type RandomBytes } from './key.ts'
import type { TrailFacts } from './trail/entries.ts'

/** An admin key with the SHA-256 of its text. */
export interface AdminKeyRecord extends AdminKey {
  readonly hash: string
}

/** A new admin key with its text, not yet written. @throws Refusal `wrong-usage` for a label that is none. */
export function newAdminKey(
  { label, scopes, expiresAtMs }: AdminKeyOrder,
  nowMs: number,
  random: RandomBytes,
): { readonly text: string; readonly record: AdminKeyRecord } {
  checkLabel(label)
  const text = newAdminKeyText(random)
  const record = { id: newAdminKeyId(random), hash: keyHash(text), label, scopes, expiresAtMs }
  return { text, record: withDigest({ ...record, createdAtMs: nowMs, revokedAtMs: null }) }
}

/** The same record revoked. */
export function revokedAdminKey(record: AdminKeyRecord, nowMs: number): AdminKeyRecord {
  return withDigest({ ...record, revokedAtMs: nowMs })
}

/** The record without its hash. */
export function shownAdminKey({ hash: _, ...shown }: AdminKeyRecord): AdminKey {
  return shown
}

function withDigest(record: Omit<AdminKeyRecord, 'digest'>): AdminKeyRecord {
  return { ...record, digest: digestOfRecord(record) }
}

/** 32 hexadecimal digits (the first half of a SHA-256) of JSON, in which no two values read the same. */
function digestOfRecord(record: Omit<AdminKeyRecord, 'digest'>): string {
  const { id, hash, label, scopes, createdAtMs, expiresAtMs, revokedAtMs } = record
  const values = ['admin key', id, hash, label, scopes, createdAtMs, expiresAtMs, revokedAtMs]
  return digestOfText('sha256', JSON.stringify(values)).slice(0, 32)
}

/**
 * Returns the admin keys that contradict the audit log, each as one sentence.
 * @param lastStates of each by its id, as the audit log has it.
 */
export function contradictionsOfAdminKeys(
  records: readonly AdminKeyRecord[],
  lastStates: ReadonlyMap<string, TrailFacts | null>,
): string[] {
  const wrong = records
    .filter((record) => {
      const digest = digestOfRecord(record)
      return digest !== record.digest || digest !== lastStates.get(record.id)?.digest
    })
    .map(({ id }) => `admin key ${id} is not what the audit log says`)
  const there = new Set(records.map(({ id }) => id))
  const gone = [...lastStates].filter(([id, state]) => state !== null && !there.has(id))
  return [...wrong, ...gone.map(([id]) => `admin key ${id} of the audit log is not there`)]
}
