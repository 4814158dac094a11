/** The proof of the audit log: of its numbers, its last entry and the admin keys. */
import type { RunStatement } from '../../sql/port.ts'
import type { TrailFacts } from '../trail.ts'
import { contradictionsOfAdminKeys, selectAdminKeys } from './admin-key-rows.ts'
import { selectEntriesAfter, selectHead } from './recording-rows.ts'

/** Entries that are read at once. */
const entriesMax = 1_000

/** Returns the contradictions of the audit log, which has no gaps and all that was written, and of the admin keys. O(entries). */
export async function contradictionsOfTrailRows(query: RunStatement): Promise<readonly string[]> {
  const contradictions: string[] = []
  const lastStates = new Map<string, TrailFacts | null>()
  let last = 0
  let count = entriesMax
  while (count === entriesMax) {
    const entries = await selectEntriesAfter(query, last, entriesMax)
    for (const entry of entries) {
      if (entry.number !== last + 1) {
        contradictions.push(
          `audit log, entry ${entry.number}: it stands where entry ${last + 1} belongs`,
        )
      }
      last = entry.number
      if (entry.action.startsWith('admin-key.')) lastStates.set(entry.subject, entry.after)
    }
    count = entries.length
  }
  const written = await selectHead(query)
  if (written !== last) {
    contradictions.push(
      `audit log: the last entry that was written is entry ${written}, the last that is there is entry ${last}`,
    )
  }
  const adminKeys = await selectAdminKeys(query)
  return [...contradictions, ...contradictionsOfAdminKeys(adminKeys, lastStates)]
}
