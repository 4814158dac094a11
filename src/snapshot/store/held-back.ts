/**
 * Record that the last sync published nothing although its source had changed, and why: a small file beside the
 * snapshots, so that a service which follows them can report it. The next sync that succeeds removes it.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { removeDurably, writeDurably } from './durable.ts'

/** The name of the file. */
export const heldBackName = 'HELD-BACK'

/** A sync that was held back. */
export interface HeldBack {
  /** One line. */
  readonly reason: string
  /** ISO 8601. */
  readonly at: string
  /** The fingerprint of the source that was held back. */
  readonly sourceFingerprint: string
}

/** The last sync that was held back, if one was since the last success. */
export function readHeldBack(directory: string): HeldBack | undefined {
  const path = join(directory, heldBackName)
  try {
    const { reason, at, sourceFingerprint } = JSON.parse(readFileSync(path, 'utf8'))
    return { reason: String(reason), at: String(at), sourceFingerprint: String(sourceFingerprint) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    // The file says that a sync is held back, even if its content cannot be read.
    return { reason: `${path} cannot be read`, at: '', sourceFingerprint: '' }
  }
}

/** Says that something is held back. */
export function writeHeldBack(directory: string, heldBack: HeldBack): void {
  writeDurably(directory, heldBackName, `${JSON.stringify(heldBack)}\n`)
}

/** Says that nothing is. */
export function removeHeldBack(directory: string): void {
  removeDurably(directory, heldBackName)
}
