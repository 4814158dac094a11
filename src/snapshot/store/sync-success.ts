/**
 * Time of the last sync that succeeded, also if it found nothing changed: a small file beside the snapshots, so that a
 * service which follows them can tell a healthy source that does not change from a sync that fails.
 */
import { readSmallFile, writeDurably } from './durable.ts'

/** The name of the file. */
export const syncedName = 'SYNCED'

/** Time of the last sync that succeeded, in milliseconds since the epoch; undefined if unknown. */
export function readSyncedAtMs(directory: string): number | undefined {
  const milliseconds = Date.parse(readSmallFile(directory, syncedName).trim())
  return Number.isNaN(milliseconds) ? undefined : milliseconds
}

/** Says that a sync succeeded. @param atMs milliseconds since the epoch. */
export function writeSyncedAtMs(directory: string, atMs: number): void {
  writeDurably(directory, syncedName, `${new Date(atMs).toISOString()}\n`)
}
