/** The library as the build makes it: its threads start from `dist`. */
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type {
  AuthorityIndex,
  IndexSource,
  OpenOptions,
  SnapshotInfo,
} from '../../src/library/types.ts'

const root = join(import.meta.dirname, '..', '..')

export const libraryEntry = join(root, 'dist', 'open-index.js')

export const library: typeof import('../../src/library/open-index.ts') = await import(libraryEntry)

/** Opens an index and closes it when the test is done. */
export async function openedIndex(
  source: IndexSource,
  options?: OpenOptions,
): Promise<AuthorityIndex> {
  const index = await library.openIndex(source, options)
  onTestFinished(() => index.close())
  return index
}

export function nextSwap() {
  let onSwap: (...facts: [SnapshotInfo, SnapshotInfo]) => void = () => {}
  const swapped = new Promise<readonly [SnapshotInfo, SnapshotInfo]>((resolve) => {
    onSwap = (...facts) => resolve(facts)
  })
  return { swapped, onSwap }
}
