/**
 * The files that open indexes read texts from. A file is closed when no snapshot, view or call can read it any
 * more; one that was shared with other threads stays open as long as the process.
 */
import { closeSync } from 'node:fs'
import type { StoredTexts } from '../snapshot/texts/stored-texts.ts'

const files = new FinalizationRegistry<number>((file) => closeSync(file))

/** Closes the file of some texts when they are no longer reachable. */
export function closeWhenUnused(texts: StoredTexts | undefined): void {
  if (texts !== undefined) files.register(texts, texts.file, texts)
}

/** Leaves the file open, because other threads read it. */
export function keepOpen(texts: StoredTexts | undefined): void {
  if (texts !== undefined) files.unregister(texts)
}
