/** The spending of keys, in all and in the last days and months: caps are checked against it. */
import { capPeriods } from '../../../money.ts'
import { periodName } from '../../keys/spending-periods.ts'
import type { Charge, Funds, KeyCap } from '../../port.ts'
import type { SpendingRecord, Tables } from '../tables.ts'

/** Caps by key. */
export type Caps = ReadonlyMap<string, KeyCap>

/** Days and months whose sums are kept: more than one, for clocks that are set back. */
const keptMax = 4

/** Adds a charge to what its key has spent. Must run in the transaction of the charge. */
export function addSpending(
  tables: Tables,
  { accountNumber, keyId }: Charge,
  amountMicroUsd: number,
  atMs: number,
): void {
  const record = tables.spending.get(keyId) ?? { accountNumber, spent: {} }
  const spent: Record<string, number> = { ...record.spent }
  for (const period of capPeriods) {
    const name = periodName(period, atMs)
    spent[name] = (spent[name] ?? 0) + amountMicroUsd
  }
  tables.spending.putSync(keyId, { ...record, spent: withoutOldest(spent) })
}

/** Months are named with 7 characters, days with 10. */
function withoutOldest(spent: Record<string, number>): Record<string, number> {
  for (const length of [7, 10]) {
    const names = Object.keys(spent).filter((name) => name.length === length)
    if (names.length > keptMax) delete spent[names.sort()[0]!]
  }
  return spent
}

/** Spending of a key in the period of a cap that contains a time; in all, without a cap. */
export function spentOf(record: SpendingRecord | undefined, atMs: number, cap?: KeyCap): number {
  return record?.spent[periodName(cap?.period ?? 'total', atMs)] ?? 0
}

/** Funds of the keys of some charges, as far as they have caps. */
export function fundsOfCharged(
  tables: Tables,
  charges: readonly Charge[],
  caps: Caps,
  atMs: number,
): Funds[] {
  if (caps.size === 0) return []
  const keyIds = new Set(charges.map(({ keyId }) => keyId))
  return fundsOfCaps(tables, keyIds, caps, atMs)
}

/** Funds of some keys, as far as they have caps. */
export function fundsOfCaps(
  tables: Tables,
  keyIds: Iterable<string>,
  caps: Caps,
  atMs: number,
): Funds[] {
  return [...keyIds].flatMap((keyId) => {
    const cap = caps.get(keyId)
    const record = tables.spending.get(keyId)
    if (cap === undefined || record === undefined) return []
    const spentMicroUsd = spentOf(record, atMs, cap)
    const { accountNumber } = record
    return [{ accountNumber, keyId, grantedMicroUsd: cap.amountMicroUsd, spentMicroUsd }]
  })
}
