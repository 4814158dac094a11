/** Snapshots whose texts stay in their files, ready to answer. */
import { closeSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import { type ActiveSnapshot, activate } from '../../src/api/active-snapshot.ts'
import { openSnapshot } from '../../src/snapshot/file.ts'
import { loadSnapshot } from '../../src/snapshot/store/directory.ts'
import { TextCache } from '../../src/snapshot/texts/text-cache.ts'

/**
 * The snapshot of a file with the texts of all but the first people in it.
 * @param cache of a few blocks unless given.
 */
export function storedSnapshot(
  path: string,
  first: number,
  textCache = new TextCache({ bytesMax: 0 }),
): ActiveSnapshot {
  const file = openSnapshot(path)
  onTestFinished(() => closeSync(file))
  const snapshot = loadSnapshot(path, { textsOnDisk: { file, first } })
  // As the loading thread makes what is derived from texts.
  const { readsAtOnce } = textCache
  textCache.readsAtOnce = true
  const active = activate(snapshot, { textCache })
  textCache.readsAtOnce = readsAtOnce
  return active
}
