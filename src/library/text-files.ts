/** Files of texts: closed when nothing can read them any more; one shared with other threads stays open. */
import { closeSync } from 'node:fs'
import type { StoredTexts } from '../snapshot/texts/stored-texts.ts'

const files = new FinalizationRegistry<number>((file) => closeSync(file))

export function closeWhenUnused(texts: StoredTexts | undefined): void {
  if (texts !== undefined) files.register(texts, texts.file, texts)
}

/** Leaves the file open, because other threads read it. */
export function keepOpen(texts: StoredTexts | undefined): void {
  if (texts !== undefined) files.unregister(texts)
}
