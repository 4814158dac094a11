/**
 * Lineages of keys: a chain of rotations, named by the id of its first key. Terms (cap, scopes, limit,
 * addresses) and usage belong to the lineage, so rotating a key resets nothing. A lineage may be the child of
 * another; then the terms of both hold, and it lives no longer than its parent.
 */
import { limits } from '../limits.ts'
import { type CapPeriod, capPeriods, formatUsd } from '../money.ts'
import { Refusal } from '../problems.ts'
import { type KeyRecord, stateOf } from './account-records.ts'
import type { GoodKey, KeyCap, KeyTerms, LineageTerms } from './port.ts'

/** The period that a time is in: `total`, a day as `2026-07-28`, or a month as `2026-07`; by UTC. */
export function periodName(period: CapPeriod, atMs: number): string {
  if (period === 'total') return period
  return new Date(atMs).toISOString().slice(0, period === 'day' ? 10 : 7)
}

/** Start of the period after the one that a time is in, in milliseconds; undefined if there is none. */
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

/** Facts about a lineage that has an active key. */
interface LivingLineage {
  readonly parent: string | undefined
  readonly terms: KeyTerms | undefined
  /** Time at which its last key expires. */
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
function livingLineages(keys: readonly KeyRecord[], nowMs: number): ReadonlySet<string> {
  const lineages = lineagesOf(keys)
  const active = keys.filter((key) => stateOf(key, nowMs) === 'active')
  return new Set(active.map(({ id }) => lineages.get(id)!))
}

/** Whether the lineage that a key is a child of, if it is of any, has an active key. @param keys all keys of its account. */
export function hasLivingParent(
  { parent }: KeyRecord,
  keys: readonly KeyRecord[],
  nowMs: number,
): boolean {
  return parent === undefined || livingLineages(keys, nowMs).has(parent)
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

/**
 * The lineage of a key that is to have a child.
 * @param keys all keys of its account.
 * @throws Refusal `ledger-refused` where it may have none.
 */
export function lineageForChild(key: KeyRecord, keys: readonly KeyRecord[], nowMs: number): string {
  const state = stateOf(key, nowMs)
  if (state !== 'active') throw new Refusal('ledger-refused', `key ${key.id} is ${state}`)
  const lineages = lineagesOf(keys)
  const lineage = lineages.get(key.id)!
  if (lineagesAbove(lineage, parentsOf(keys, lineages)).length >= limits.keyGenerationsMax) {
    const reason = `key ${key.id} may have no children: keys have at most ${limits.keyGenerationsMax} generations`
    throw new Refusal('ledger-refused', reason)
  }
  return lineage
}

/** @throws Refusal `ledger-refused` where the parent of a key is of another account than it. */
export function refuseUnlessOfAccount(parent: KeyRecord, accountNumber: number): void {
  if (parent.accountNumber === accountNumber) return
  throw new Refusal('ledger-refused', `key ${parent.id} is of another account`)
}

/** The parent of each lineage that has one. */
export function parentsOf(
  keys: readonly Pick<KeyRecord, 'id' | 'parent'>[],
  lineages: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  return new Map(
    keys.flatMap(({ id, parent }) => (parent === undefined ? [] : [[lineages.get(id)!, parent]])),
  )
}

/** A lineage and those above it. */
function lineagesAbove(lineage: string, parents: ReadonlyMap<string, string>): string[] {
  const chain: string[] = []
  for (let at: string | undefined = lineage; at !== undefined; at = parents.get(at)) {
    // Only damage makes more of them.
    if (chain.length === limits.keyGenerationsMax) break
    chain.push(at)
  }
  return chain
}

/** Sums the sales to lineages, each with those below it, in micro-USD by period. */
export function spentByPeriod(
  sold: Iterable<{ readonly lineage: string; readonly day: string; readonly amount: number }>,
  parents: ReadonlyMap<string, string>,
): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const spent = new Map<string, Map<string, number>>()
  for (const { lineage, day, amount } of sold) {
    for (const each of lineagesAbove(lineage, parents)) {
      const sums = spent.get(each) ?? new Map<string, number>()
      spent.set(each, sums)
      for (const period of capPeriods) {
        const name = periodName(period, Date.parse(day))
        sums.set(name, (sums.get(name) ?? 0) + amount)
      }
    }
  }
  return spent
}

/** The terms of a key, and its lineage with them; a key without parent and terms has neither. */
export function restricted(
  { id, parent }: Pick<KeyRecord, 'id' | 'parent'>,
  lineage: string,
  terms: KeyTerms | undefined,
): Pick<KeyRecord, 'lineage' | 'terms'> {
  if (terms === undefined && parent === undefined) return {}
  return { ...(id !== lineage && { lineage }), ...(terms && { terms }) }
}

/** Members inherited from a replaced key. A key with a parent or terms names its lineage, except the first of it. */
export function inherited({
  id,
  lineage,
  parent,
  terms,
}: KeyRecord): Pick<KeyRecord, 'lineage' | 'parent' | 'terms'> {
  return {
    ...(parent && { parent }),
    ...((parent || terms) && { lineage: lineage ?? id }),
    ...(terms && { terms }),
  }
}

/**
 * The caps that were passed in a period that began after they were set, a sentence each.
 * @param spent what lineages were sold with those below them, in micro-USD by period.
 */
export function passedCaps(
  keys: readonly KeyRecord[],
  spent: ReadonlyMap<string, ReadonlyMap<string, number>>,
): string[] {
  const lineages = lineagesOf(keys)
  return keys.flatMap(({ id, terms, createdAtMs }) => {
    const cap = terms?.cap
    if (cap === undefined || lineages.get(id) !== id) return []
    const passed = [...(spent.get(id) ?? [])].filter(
      ([name, amount]) => amount > cap.amountMicroUsd && isUnder(name, cap, createdAtMs),
    )
    return passed.map(([name, amount]) => {
      const [sum, most] = [formatUsd(amount), formatUsd(cap.amountMicroUsd)]
      return `key ${id} has spent ${sum} USD of ${name}, above its cap of ${most} USD`
    })
  })
}

/** Whether the cap held from the beginning of the period with this name on. */
export function isUnder(name: string, { period, sinceMs }: KeyCap, createdAtMs: number): boolean {
  if (period === 'total') return name === period && sinceMs <= createdAtMs
  const ofCap = periodName(period, sinceMs)
  return name.length === ofCap.length && name > ofCap
}

function endOf(expiresAtMs: number | null): number {
  return expiresAtMs ?? Number.POSITIVE_INFINITY
}
