/** Directories of snapshots that differ in a number alone, for what becomes of files whatever they hold. */
import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import type { Snapshot } from '../../src/snapshot/file.ts'
import { pathOf, publish } from '../../src/snapshot/store/directory.ts'
import { snapshotOf, temporaryDirectory } from './built.ts'
import { authority } from './records.ts'

export function numbered(number: number): Snapshot {
  return snapshotOf({ authorities: [authority({ sdu: String(number) })] })
}

/** A directory with so many of them, the first one oldest, none announced; and their ids. */
export function published(count: number): { directory: string; ids: string[] } {
  const directory = join(temporaryDirectory(), 'snapshots')
  const ids = Array.from({ length: count }, (_, index) => {
    const { id } = publish(directory, numbered(index)).snapshot.header
    utimesSync(pathOf(directory, id), 1_000_000 + index, 1_000_000 + index)
    return id
  })
  return { directory, ids }
}
