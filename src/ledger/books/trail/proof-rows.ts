/** The proof of the audit log: of its numbers, its last entry and the admin keys. */
import { contradictionsOfAdminKeys } from '../../admin-keys.ts'
import type { RunStatement } from '../../sql/port.ts'
import { type TrailFacts, TrailProof } from '../../trail/entries.ts'
import { selectAdminKeys } from './admin-key-rows.ts'
import { selectEntriesAfter, selectHead } from './recording-rows.ts'

/** Entries that are read at once. */
const entriesMax = 1_000

/** Returns the contradictions of the audit log and the admin keys. O(entries). */
export async function contradictionsOfTrailRows(query: RunStatement): Promise<readonly string[]> {
  const proof = new TrailProof()
  const lastStates = new Map<string, TrailFacts | null>()
  let after = 0
  let count = entriesMax
  while (count === entriesMax) {
    const entries = await selectEntriesAfter(query, after, entriesMax)
    for (const entry of entries) {
      proof.add(entry)
      if (entry.action.startsWith('admin-key.')) lastStates.set(entry.subject, entry.after)
    }
    count = entries.length
    after = entries.at(-1)?.number ?? after
  }
  return [
    ...proof.end(await selectHead(query)),
    ...contradictionsOfAdminKeys(await selectAdminKeys(query), lastStates),
  ]
}
