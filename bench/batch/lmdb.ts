/**
 * LMDB in a file that the system keeps in memory: one read a handle, all of a batch in one transaction.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { open } from 'lmdb'
import type { Store } from './redis.ts'

export function lmdbOf(
  handles: readonly string[],
  scores: Float64Array,
): Store & { readonly close: () => Promise<void> } {
  const directory = mkdtempSync(join(tmpdir(), 'bench-lmdb-'))
  const path = join(directory, 'scores.mdb')
  const database = open<number, string>({ path, noSync: true })
  database.transactionSync(() => {
    for (const [place, handle] of handles.entries()) database.putSync(handle, scores[place]!)
  })
  const close = async () => {
    await database.close()
    rmSync(directory, { recursive: true })
  }
  // The sum keeps the work from being left out.
  const ask = (texts: readonly string[]) =>
    texts.reduce((sum, text) => sum + (database.get(text) ?? 0), 0)
  return { bytes: statSync(path).size, ask, close }
}
