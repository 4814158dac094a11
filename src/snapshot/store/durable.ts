/**
 * Small files that are whole or absent after any crash: they are written under a temporary name, made
 * durable, and renamed.
 */
import {
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { syncFile } from '../../process/sync-file.ts'

/** The suffix of a file's name while it is being written. */
export const temporarySuffix = '.tmp'

/**
 * Writes a file of a directory, durably and in one step. A failure leaves the file as it was, and nothing
 * beside it. @param mode that the file gets under any umask; without it, what the umask leaves.
 * @throws what the file system throws.
 */
export function writeDurably(
  directory: string,
  name: string,
  content: string | Uint8Array,
  mode?: number,
): void {
  const temporary = join(directory, `${name}${temporarySuffix}`)
  try {
    writeThrough(temporary, content, mode)
    renameSync(temporary, join(directory, name))
  } catch (error) {
    removeTemporary(temporary)
    throw error
  }
  syncFile(directory)
}

/** Removes a file that could not be written; ignores its own failure, which matters less than the one that is being reported. */
export function removeTemporary(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // It is not a file: this program did not write it.
  }
}

function writeThrough(path: string, content: string | Uint8Array, mode?: number): void {
  const file = openSync(path, 'w', mode)
  try {
    // One that a killed process left has a mode already.
    if (mode !== undefined) fchmodSync(file, mode)
    writeFileSync(file, content)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** The text of a file of a directory; '' where there is none. */
export function readSmallFile(directory: string, name: string): string {
  const path = join(directory, name)
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

/** Removes a file of a directory durably; false when there was none. */
export function removeDurably(directory: string, name: string): boolean {
  const path = join(directory, name)
  if (!existsSync(path)) return false
  rmSync(path)
  syncFile(directory)
  return true
}
