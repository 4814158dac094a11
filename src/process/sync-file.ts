/** Syncs a file's bytes, or the names in a directory, to the disk. */
import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Syncs a file or a directory. A renamed file survives a crash only when its directory is synced, too. */
export function syncFile(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
