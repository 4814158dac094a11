/**
 * The changes of keys: issued, changed, rotated, renewed, shown. Pure rules, the same wherever a ledger is kept; the
 * ledgers read the keys before and write what comes of it.
 */

import { Refusal } from '../../problems.ts'
import { type KeyRecord, stateOf } from '../account-records.ts'
import type { KeyChange, KeyFacts, KeyOrder } from '../administration.ts'
import { refuseUnlessRotatable } from '../checks/checked-orders.ts'
import { changedTerms } from '../checks/checked-terms.ts'
import type { KeyTerms } from '../port.ts'

/** A key that is to be made, but for what the ledger draws for it; without a lineage, the first of its own. */
export type NewKey = Pick<KeyRecord, 'accountNumber' | 'label' | 'expiresAtMs' | 'terms'> &
  Partial<Pick<KeyRecord, 'lineage'>>

/** The key of the account that a service makes in an empty ledger. */
export const firstKeyOrder: KeyOrder = { account: 'default', label: null, expiresAtMs: null }

/** A key as it is ordered for an account. @throws Refusal `wrong-usage` for terms that are none. */
export function newKeyOf(order: KeyOrder, accountNumber: number, nowMs: number): NewKey {
  const { label, expiresAtMs } = order
  const terms = changedTerms(undefined, order, nowMs)
  return { accountNumber, label, expiresAtMs, ...(terms && { terms }) }
}

/** The keys of a lineage after a change of one of them. */
interface ChangedLineage {
  readonly terms: KeyTerms | undefined
  readonly keys: readonly KeyRecord[]
}

/**
 * Changes a key, and the terms of its lineage.
 * @param all all keys of its account.
 * @throws Refusal `ledger-refused` for a key that is revoked, `wrong-usage` for terms that are none.
 */
export function changedLineage(
  key: KeyRecord,
  all: readonly KeyRecord[],
  change: KeyChange,
  nowMs: number,
): ChangedLineage {
  const { id, lineage } = key
  if (key.revokedAtMs !== null) throw new Refusal('ledger-refused', `key ${id} is revoked`)
  const terms = changedTerms(key.terms, change, nowMs)
  const { label = key.label, expiresAtMs = key.expiresAtMs } = change
  const keys = all
    .filter((each) => each.lineage === lineage)
    .map(({ terms: _, ...each }) => ({
      ...each,
      ...(each.id === id && { label, expiresAtMs }),
      ...(terms && { terms }),
    }))
  return { terms, keys }
}

/**
 * The heir of a key, of as long a life as the key was issued for, and when the key ends: with the overlap, or before,
 * when it would have expired.
 * @throws Refusal `ledger-refused` for a key that is not good any more, or was rotated before.
 */
export function rotationOf(
  old: KeyRecord,
  overlapMs: number,
  nowMs: number,
): { readonly heir: NewKey; readonly endMs: number } {
  refuseUnlessRotatable(old, nowMs)
  const { accountNumber, label, expiresAtMs, createdAtMs, lineage, terms } = old
  const heirEndMs = expiresAtMs === null ? null : nowMs + expiresAtMs - createdAtMs
  return {
    heir: { accountNumber, label, expiresAtMs: heirEndMs, lineage, ...(terms && { terms }) },
    endMs: Math.min(expiresAtMs ?? Number.POSITIVE_INFINITY, nowMs + overlapMs),
  }
}

/** A key that ends and the one that takes its place. */
interface Renewal {
  readonly old: KeyRecord
  readonly heir: NewKey
  /** Whether the old one must stay on record: the first key names the lineage, and a rotated one leads to its heir. */
  readonly isNamed: boolean
}

/**
 * The key that takes the place of another of the same lineage.
 * @param keys all keys of its account.
 * @returns undefined for a key that is not there or revoked.
 */
export function renewalOf(
  id: string,
  keys: readonly KeyRecord[],
  expiresAtMs: number,
): Renewal | undefined {
  const old = keys.find((key) => key.id === id)
  if (old === undefined || old.revokedAtMs !== null) return undefined
  const { accountNumber, label, lineage, terms } = old
  const heir = { accountNumber, label, expiresAtMs, lineage }
  const isNamed = id === lineage || keys.some(({ replacedBy }) => replacedBy === id)
  return { old, isNamed, heir: { ...heir, ...(terms && { terms }) } }
}

/** A key as it may be shown at a time, without what its lineage spent. @param account its name. */
export function keyFacts(key: KeyRecord, account: string, nowMs: number): KeyFacts {
  const { hash: _, unshown: __, accountNumber: ___, ...shown } = key
  return { ...shown, account, state: stateOf(shown, nowMs) }
}
