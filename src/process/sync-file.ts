/** Syncs a file's bytes, or the names in a directory, to the disk, and knows the errors of one that refuses. */
import { closeSync, fsyncSync, openSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** Syncs a file or a directory. A renamed file survives a crash only when its directory is synced, too. */
export function syncFile(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Makes new names in a directory, and the directories above it, durable. */
export function syncDirectories(directory: string): void {
  const path = resolve(directory)
  syncFile(path)
  if (path !== dirname(path)) syncDirectories(dirname(path))
}

/** Whether the system refused: its errors name the call. */
export function isStorageError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error
}
