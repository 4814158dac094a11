/**
 * Lineages of keys: a chain of rotations, named by the id of its first key. Terms (cap, scopes, limit,
 * addresses) and usage belong to the lineage, so rotating a key resets nothing. A lineage may be the child of
 * another; then the terms of both hold, and it lives no longer than its parent.
 */
import { limits } from '../limits.ts'
import type { CapPeriod } from '../money.ts'
import { type KeyRecord, stateOf } from './account-records.ts'
import type { GoodKey, KeyTerms, LineageTerms } from './port.ts'

/** The period that a time is in: `total`, a day as `2026-07-28`, or a month as `2026-07`; by UTC. */
export function periodName(period: CapPeriod, atMs: number): string {
  if (period === 'total') return period
  return new Date(atMs).toISOString().slice(0, period === 'day' ? 10 : 7)
}

/** When the period after the one that a time is in begins, in milliseconds; undefined where none does. */
export function nextPeriodMs(period: CapPeriod, atMs: number): number | undefined {
  if (period === 'total') return undefined
  const at = new Date(atMs)
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()]
  return period === 'day' ? Date.UTC(year, month, at.getUTCDate() + 1) : Date.UTC(year, month + 1)
}

/** The lineage of each key by its id; of all the keys of a ledger. */
export function lineagesOf(
  keys: readonly Pick<KeyRecord, 'id' | 'replacedBy' | 'lineage'>[],
): ReadonlyMap<string, string> {
  const known = new Map<string, string>()
  const before = new Map<string, string>()
  for (const { id, replacedBy, lineage } of keys) {
    if (lineage !== undefined) known.set(id, lineage)
    if (replacedBy !== null) before.set(replacedBy, id)
  }
  for (const { id } of keys) {
    const passed: string[] = []
    let first = id
    // Only damage makes a circle; it ends at the first key that comes again.
    while (!known.has(first) && before.has(first) && !passed.includes(first)) {
      passed.push(first)
      first = before.get(first)!
    }
    const lineage = known.get(first) ?? first
    for (const each of [...passed, first]) known.set(each, lineage)
  }
  return known
}

/** What is known of a lineage that has an active key. */
interface LivingLineage {
  readonly parent: string | undefined
  readonly terms: KeyTerms | undefined
  /** When its last key expires. */
  readonly endsAtMs: number
}

/**
 * The keys that are good at a time, with all that restricts them.
 * @param keys all keys of a ledger.
 * @param isSuspended whether an account sells nothing.
 */
export function goodKeysOf(
  keys: readonly KeyRecord[],
  isSuspended: (accountNumber: number) => boolean,
  nowMs: number,
): GoodKey[] {
  const lineages = lineagesOf(keys)
  const active = keys.filter(
    (key) => stateOf(key, nowMs) === 'active' && !isSuspended(key.accountNumber),
  )
  const living = new Map<string, LivingLineage>()
  for (const { id, parent, terms, expiresAtMs } of active) {
    const lineage = lineages.get(id)!
    const endsAtMs = Math.max(endOf(expiresAtMs), living.get(lineage)?.endsAtMs ?? 0)
    living.set(lineage, { parent, terms, endsAtMs })
  }
  return active.flatMap(({ id, hash, accountNumber, expiresAtMs }) => {
    const lineage = lineages.get(id)!
    const chain = chainOf(lineage, living)
    if (chain === undefined) return []
    const endsAtMs = Math.min(endOf(expiresAtMs), ...chain.map((each) => each.endsAtMs))
    const terms = chain.flatMap((each) => each.terms ?? [])
    const key = { id, hash, accountNumber, expiresAtMs: endsAtMs, lineage }
    return terms.length === 0 ? key : { ...key, terms }
  })
}

/** The lineages that have an active key. */
export function livingLineages(keys: readonly KeyRecord[], nowMs: number): ReadonlySet<string> {
  const lineages = lineagesOf(keys)
  const active = keys.filter((key) => stateOf(key, nowMs) === 'active')
  return new Set(active.map(({ id }) => lineages.get(id)!))
}

/** A lineage and those above it; undefined where one of them has no active key. */
function chainOf(lineage: string, living: ReadonlyMap<string, LivingLineage>) {
  const chain: { endsAtMs: number; terms: LineageTerms | undefined }[] = []
  for (let at: string | undefined = lineage; at !== undefined; ) {
    const found: LivingLineage | undefined = living.get(at)
    if (found === undefined || chain.length === limits.keyGenerationsMax) return undefined
    chain.push({ endsAtMs: found.endsAtMs, terms: found.terms && { lineage: at, ...found.terms } })
    at = found.parent
  }
  return chain
}

/**
 * The keys that end when one is revoked: itself and, where its lineage has no other active key, those of the lineages
 * below it.
 * @param keys all keys of a ledger.
 */
export function endedWith(key: KeyRecord, keys: readonly KeyRecord[], nowMs: number): KeyRecord[] {
  const lineages = lineagesOf(keys)
  const active = keys.filter((each) => each.id !== key.id && stateOf(each, nowMs) === 'active')
  const own = lineages.get(key.id)!
  if (active.some(({ id }) => lineages.get(id) === own)) return [key]
  const ended = [key]
  const over = new Set([own])
  // A set gives what is added to it while it is gone through, too.
  for (const lineage of over) {
    for (const child of active.filter(({ parent }) => parent === lineage)) {
      ended.push(child)
      over.add(lineages.get(child.id)!)
    }
  }
  return ended
}

function endOf(expiresAtMs: number | null): number {
  return expiresAtMs ?? Number.POSITIVE_INFINITY
}
