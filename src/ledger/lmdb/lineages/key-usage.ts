/** Reads what an account was sold by key: by day, or by the hours that are kept. */

import { dayOf } from '../../account-records.ts'
import type { KeyUsage, UsageRange } from '../../administration.ts'
import type { Tables } from '../tables.ts'

const hourMs = 3_600_000
const hoursOfDay = 24

/** Sales to an account by lineage, day or hour, and route; in the order of time if they are by hour. */
export function keyUsageOf(tables: Tables, number: number, range: UsageRange): KeyUsage[] {
  return range.byHour ? hourUsage(tables, number, range) : dayUsage(tables, number, range)
}

function dayUsage(tables: Tables, number: number, { fromDay, toDay }: UsageRange): KeyUsage[] {
  const start: [number, string, string, string] = [number, '', '', '']
  const end: [number, string, string, string] = [number + 1, '', '', '']
  const all = Array.from(tables.keyUsage.getRange({ start, end }), ({ key, value }) => {
    const [, lineage, day, route] = key
    return { lineage, day, hour: null, route, ...value }
  })
  return all
    .filter(({ day }) => day >= fromDay && day <= toDay)
    .sort((one, other) => (one.day < other.day ? -1 : one.day > other.day ? 1 : 0))
}

/** A range for each hour, because hours stand before accounts: an hour that is old is removed in one piece. */
function hourUsage(tables: Tables, number: number, { fromDay, toDay }: UsageRange): KeyUsage[] {
  const [first] = tables.hourUsage.getKeys({ limit: 1 })
  const [last] = tables.hourUsage.getKeys({ reverse: true, limit: 1 })
  if (first === undefined || last === undefined) return []
  const found: KeyUsage[] = []
  for (let hour = first[0]; hour <= last[0]; hour += 1) {
    const day = dayOf(hour * hourMs)
    if (day < fromDay || day > toDay) continue
    const start: [number, number, string, string] = [hour, number, '', '']
    const end: [number, number, string, string] = [hour, number + 1, '', '']
    for (const { key, value } of tables.hourUsage.getRange({ start, end })) {
      const [, , lineage, route] = key
      found.push({ lineage, day, hour: hour % hoursOfDay, route, ...value })
    }
  }
  return found
}
