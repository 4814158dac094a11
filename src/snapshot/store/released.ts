/**
 * Release of a change that a sync held back: a small file beside the snapshots. The next sync of the same source uses
 * it, once: that sync passes the comparison with the current snapshot, as with `--force`.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { removeDurably, writeDurably } from './durable.ts'
import { readHeldBack } from './held-back.ts'

/** The name of the file. */
export const releasedName = 'RELEASED'

/** Releases what was held back. @returns false where nothing is, or it is another source by now. */
export function releaseHeldBack(directory: string, sourceFingerprint: string): boolean {
  // A mirror knows that a sync is held back elsewhere, not of which source.
  if (sourceFingerprint === '') return false
  if (readHeldBack(directory)?.sourceFingerprint !== sourceFingerprint) return false
  writeDurably(directory, releasedName, `${sourceFingerprint}\n`)
  return true
}

/** Whether what is held back now was released. */
export function isReleased(directory: string): boolean {
  const released = readReleased(directory)
  return released !== undefined && released === readHeldBack(directory)?.sourceFingerprint
}

/** Whether a source was released, which holds once. */
export function takeRelease(directory: string, sourceFingerprint: string): boolean {
  return readReleased(directory) === sourceFingerprint && removeDurably(directory, releasedName)
}

function readReleased(directory: string): string | undefined {
  try {
    return readFileSync(join(directory, releasedName), 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
