/**
 * The changes of keys as pure rules. A key keeps its id, its terms and what it spent for ever; a
 * rotation gives it a new secret and lets the others end.
 */

import { Refusal } from '../../problems.ts'
import { type KeyRecord, type KeySecret, stateOf } from './account-records.ts'
import type { IssuedKey, KeyChange, KeyFacts, KeyOrder, Rotation } from './administration.ts'
import { refuseUnlessGood } from './checked-orders.ts'
import { changedTerms } from './checked-terms.ts'
import { keyHash, newKeyText, type RandomBytes } from './key.ts'
import type { GoodKey } from './port.ts'

export interface MadeKey extends IssuedKey {
  readonly record: KeyRecord
}

function lastSecretOf({ secrets }: Pick<KeyRecord, 'secrets'>): KeySecret {
  return secrets.at(-1)!
}

export function newKeyOf(
  order: KeyOrder,
  accountNumber: number,
  id: string,
  nowMs: number,
  random: RandomBytes,
): MadeKey {
  const { label, expiresAtMs } = order
  const terms = changedTerms(undefined, order, nowMs)
  const { text, secret } = newSecret(nowMs, random)
  const times = { createdAtMs: nowMs, expiresAtMs, revokedAtMs: null }
  const secrets = [secret]
  return { text, record: { id, accountNumber, label, ...times, secrets, ...(terms && { terms }) } }
}

function newSecret(nowMs: number, random: RandomBytes) {
  const text = newKeyText(random)
  return { text, secret: { hash: keyHash(text), createdAtMs: nowMs, endsAtMs: null } }
}

export function changedKey(key: KeyRecord, change: KeyChange, nowMs: number): KeyRecord {
  const { terms: before, ...rest } = key
  if (key.revokedAtMs !== null) throw new Refusal('ledger-refused', `key ${key.id} is revoked`)
  const terms = changedTerms(before, change, nowMs)
  const { label = key.label, expiresAtMs = key.expiresAtMs } = change
  return { ...rest, label, expiresAtMs, ...(terms && { terms }) }
}

/** The new secret lives as long as the last was given; others end with the overlap, or before. */
export function rotated(
  key: KeyRecord,
  overlapMs: number,
  nowMs: number,
  random: RandomBytes,
): Rotation & MadeKey {
  refuseUnlessGood(key, nowMs)
  const { expiresAtMs } = key
  const lifeMs = expiresAtMs === null ? null : expiresAtMs - lastSecretOf(key).createdAtMs
  const endsAtMs = Math.min(expiresAtMs ?? Number.POSITIVE_INFINITY, nowMs + overlapMs)
  const made = withNewSecret(key, endsAtMs, nowMs, random)
  const record = { ...made.record, expiresAtMs: lifeMs === null ? null : nowMs + lifeMs }
  return { text: made.text, record, oldEndsAtMs: endsAtMs }
}

/**
 * Replaces the last secret, which ends now; the key may have ended before.
 * @returns undefined for a key that is revoked, or whose last secret has another hash.
 */
export function renewed(
  key: KeyRecord,
  hash: string,
  expiresAtMs: number,
  nowMs: number,
  random: RandomBytes,
): MadeKey | undefined {
  if (key.revokedAtMs !== null || lastSecretOf(key).hash !== hash) return undefined
  const { text, record } = withNewSecret(key, nowMs, nowMs, random)
  return { text, record: { ...record, expiresAtMs } }
}

/** Secrets that had ended are forgotten: a key that is renewed every hour does not fill the ledger. */
function withNewSecret(
  { unshown: _, ...key }: KeyRecord,
  endsAtMs: number,
  nowMs: number,
  random: RandomBytes,
): MadeKey {
  const { text, secret } = newSecret(nowMs, random)
  const kept = key.secrets.filter((each) => each.endsAtMs === null || each.endsAtMs > nowMs)
  const ending = kept.map((each) => ({
    ...each,
    endsAtMs: Math.min(each.endsAtMs ?? Number.POSITIVE_INFINITY, endsAtMs),
  }))
  return { text, record: { ...key, secrets: [...ending, secret] } }
}

/** The secrets that let in at a time, each as a key. @param keys those of accounts that are not suspended. */
export function goodKeysOf(keys: readonly KeyRecord[], nowMs: number): GoodKey[] {
  const active = keys.filter((key) => stateOf(key, nowMs) === 'active')
  return active.flatMap((key) =>
    key.secrets
      .map(({ hash, endsAtMs }) => ({
        ...{ id: key.id, hash, accountNumber: key.accountNumber },
        expiresAtMs: Math.min(
          key.expiresAtMs ?? Number.POSITIVE_INFINITY,
          endsAtMs ?? Number.POSITIVE_INFINITY,
        ),
        ...(key.terms && { terms: key.terms }),
      }))
      .filter(({ expiresAtMs }) => expiresAtMs > nowMs),
  )
}

export function keyFacts(key: KeyRecord, account: string, nowMs: number): KeyFacts {
  const { unshown: _, accountNumber: __, secrets, ...shown } = key
  const shownSecrets = secrets.map(({ createdAtMs, endsAtMs }) => ({ createdAtMs, endsAtMs }))
  return { ...shown, secrets: shownSecrets, account, state: stateOf(shown, nowMs) }
}
