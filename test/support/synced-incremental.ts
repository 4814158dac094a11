/** Options of full and incremental syncs that are compared, and what an incremental one says. */
import type { SyncOptions } from '../../src/sync/sync.ts'

/** A full sync that takes whatever a source has, and publishes in any case. */
export const loose = {
  ...{ rejectShareMax: 1, fileRejectShareMax: 1, danglingShareMax: 1 },
  ...{ createdAt: '2026-01-01T00:00:00Z', force: true, keep: 1 },
} satisfies Partial<SyncOptions>

/** The same, incremental. */
export const incremental = { ...loose, incremental: true }

/** How many authorities a sync took as they were read before, as its notes tell; undefined where it kept none. */
export function takenIn(notes: readonly string[]): number | undefined {
  const words = notes.map((note) => /^(\d+) of \d+ authorities are as/.exec(note)?.[1])
  const taken = words.find((word) => word !== undefined)
  return taken === undefined ? undefined : Number(taken)
}
