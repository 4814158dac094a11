/** The proof of the audit log of a ledger on a disk: of its numbers, its last entry and the admin keys. */
import { contradictionsOfAdminKeys } from '../../admin-keys.ts'
import { type TrailFacts, TrailProof } from '../../trail/entries.ts'
import type { Tables } from '../tables.ts'
import { adminKeyRecords } from './admin-keys.ts'

/** Returns the contradictions of the audit log and the admin keys. O(entries). */
export function contradictionsOfTrail(tables: Tables): readonly string[] {
  const proof = new TrailProof()
  const lastStates = new Map<string, TrailFacts | null>()
  for (const { value: entry } of tables.trail.getRange()) {
    proof.add(entry)
    if (entry.action.startsWith('admin-key.')) lastStates.set(entry.subject, entry.after)
  }
  return [
    ...proof.end(tables.heads.get('trail') ?? 0),
    ...contradictionsOfAdminKeys(adminKeyRecords(tables), lastStates),
  ]
}
