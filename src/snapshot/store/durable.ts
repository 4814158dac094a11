/**
 * Small files that are there whole or not at all, whatever happens meanwhile: written under a
 * temporary name, made durable, renamed.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { syncFile } from '../../process/sync-file.ts'

/** What stands behind a name while its file is being written. */
export const temporarySuffix = '.tmp'

/** Writes a file of a directory, durably and in one step; leaves nothing behind where that fails. */
export function writeDurably(directory: string, name: string, text: string): void {
  const temporary = join(directory, `${name}${temporarySuffix}`)
  try {
    writeWhole(temporary, text)
    renameSync(temporary, join(directory, name))
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
  syncFile(directory)
}

function writeWhole(path: string, text: string): void {
  const file = openSync(path, 'w')
  try {
    writeFileSync(file, text)
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
