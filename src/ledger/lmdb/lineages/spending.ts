/**
 * The spending of lineages, in all and in the last days and months: caps are checked against it. A lineage has spent
 * what its own keys were charged for, and what those of the lineages below it were.
 */
import { limits } from '../../../limits.ts'
import { capPeriods } from '../../../money.ts'
import { periodName } from '../../lineages.ts'
import type { Charge, Funds, KeyCap } from '../../port.ts'
import type { LineageRecord, Tables } from '../tables.ts'

/** Caps by lineage. */
export type Caps = ReadonlyMap<string, KeyCap>

/** Days and months whose sums are kept: more than one, for clocks that are set back. */
const keptMax = 4

/** Adds a charge to what its lineage, and those above it, have spent. Must run in the transaction of the charge. */
export function addSpending(
  tables: Tables,
  { accountNumber, lineage }: Charge,
  amountMicroUsd: number,
  atMs: number,
): void {
  for (const each of chainOf(tables, lineage)) {
    const record = tables.lineages.get(each) ?? { accountNumber, spent: {} }
    const spent: Record<string, number> = { ...record.spent }
    for (const period of capPeriods) {
      const name = periodName(period, atMs)
      spent[name] = (spent[name] ?? 0) + amountMicroUsd
    }
    tables.lineages.putSync(each, { ...record, spent: withoutOldest(spent) })
  }
}

/** A lineage and those above it. */
function chainOf(tables: Tables, lineage: string): string[] {
  const chain = [lineage]
  for (let at = tables.lineages.get(lineage)?.parent; at !== undefined; ) {
    if (chain.length === limits.keyGenerationsMax) break
    chain.push(at)
    at = tables.lineages.get(at)?.parent
  }
  return chain
}

/** Months are named with 7 characters, days with 10. */
function withoutOldest(spent: Record<string, number>): Record<string, number> {
  for (const length of [7, 10]) {
    const names = Object.keys(spent).filter((name) => name.length === length)
    if (names.length > keptMax) delete spent[names.sort()[0]!]
  }
  return spent
}

/** Spending of a lineage in the period of a cap that contains a time; in all, without a cap. */
export function spentOf(record: LineageRecord | undefined, atMs: number, cap?: KeyCap): number {
  return record?.spent[periodName(cap?.period ?? 'total', atMs)] ?? 0
}

/** Funds of the lineages of some charges, and of those above them, as far as they have caps. */
export function fundsOfCharged(
  tables: Tables,
  charges: readonly Charge[],
  caps: Caps,
  atMs: number,
): Funds[] {
  if (caps.size === 0) return []
  const lineages = new Set(charges.flatMap(({ lineage }) => chainOf(tables, lineage)))
  return fundsOfCaps(tables, [...lineages], caps, atMs)
}

/** Funds of some lineages, as far as they have caps. */
export function fundsOfCaps(
  tables: Tables,
  lineages: Iterable<string>,
  caps: Caps,
  atMs: number,
): Funds[] {
  return [...lineages].flatMap((lineage) => {
    const cap = caps.get(lineage)
    const record = tables.lineages.get(lineage)
    if (cap === undefined || record === undefined) return []
    const spentMicroUsd = spentOf(record, atMs, cap)
    const { accountNumber } = record
    return [{ accountNumber, lineage, grantedMicroUsd: cap.amountMicroUsd, spentMicroUsd }]
  })
}
