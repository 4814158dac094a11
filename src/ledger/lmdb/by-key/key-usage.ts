/** Reads what an account was sold by key and day. */

import type { KeyUsage, UsageRange } from '../../administration.ts'
import type { Tables } from '../tables.ts'

/** Sales to an account by key, day and route; in the order of days. */
export function keyUsageOf(
  tables: Tables,
  number: number,
  { fromDay, toDay }: UsageRange,
): KeyUsage[] {
  const start: [number, string, string, string] = [number, '', '', '']
  const end: [number, string, string, string] = [number + 1, '', '', '']
  const all = Array.from(tables.keyUsage.getRange({ start, end }), ({ key, value }) => {
    const [, keyId, day, route] = key
    return { keyId, day, route, ...value }
  })
  return all
    .filter(({ day }) => day >= fromDay && day <= toDay)
    .sort((one, other) => (one.day < other.day ? -1 : one.day > other.day ? 1 : 0))
}
