/** Snapshots whose texts stay in their files, ready to answer. */
import { closeSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import { type ActiveSnapshot, activate } from '../../src/api/active-snapshot.ts'
import { openSnapshot } from '../../src/snapshot/file.ts'
import { loadSnapshot } from '../../src/snapshot/store/directory.ts'

export function storedSnapshot(path: string): ActiveSnapshot {
  const file = openSnapshot(path)
  onTestFinished(() => closeSync(file))
  return activate(loadSnapshot(path, { textsOnDisk: { file } }))
}
