/** The spending of lineages, in all and in the last days and months: caps are checked against it. */
import { capPeriods } from '../../../money.ts'
import { periodName } from '../../lineages.ts'
import type { Charge, Funds, KeyCap } from '../../port.ts'
import type { LineageRecord, Tables } from '../tables.ts'

/** Caps by lineage. */
export type Caps = ReadonlyMap<string, KeyCap>

/** Days and months whose sums are kept: more than one, for clocks that are set back. */
const keptMax = 4

/** Adds a charge to what its lineage has spent. Must run in the transaction of the charge. */
export function addSpending(
  tables: Tables,
  { accountNumber, lineage }: Charge,
  amountMicroUsd: number,
  atMs: number,
): void {
  const record = tables.lineages.get(lineage) ?? { accountNumber, spent: {} }
  const spent: Record<string, number> = { ...record.spent }
  for (const period of capPeriods) {
    const name = periodName(period, atMs)
    spent[name] = (spent[name] ?? 0) + amountMicroUsd
  }
  tables.lineages.putSync(lineage, { ...record, spent: withoutOldest(spent) })
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

/** Funds of the lineages of some charges, as far as they have caps. */
export function fundsOfCharged(
  tables: Tables,
  charges: readonly Charge[],
  caps: Caps,
  atMs: number,
): Funds[] {
  if (caps.size === 0) return []
  const lineages = new Set(charges.map(({ lineage }) => lineage))
  return fundsOfCaps(tables, lineages, caps, atMs)
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
