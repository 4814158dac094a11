import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readPointer } from '../../../../src/snapshot/store/states.ts'
import { temporaryDirectory } from '../../../support/built.ts'
import { copyDefaultSnapshot, defaultSnapshots } from '../../../support/program.ts'
import { SyncedInProcess } from '../../../support/synced-in-process.ts'
import { damages, type Folder } from '../../../unit/sync/damages.ts'

/** The default source after it was damaged, without the files that are gone. */
function damagedSource(apply: (folder: Folder) => void) {
  const read = (name: string) =>
    readFileSync(join(defaultSnapshots, 'source', `${name}.ndjson`), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
  const folder: Folder = {
    authorities: read('authorities'),
    connections: read('connections'),
    topics: read('topics'),
  }
  apply(folder)
  return Object.fromEntries(Object.entries(folder).filter(([, lines]) => lines !== undefined))
}

describe('a sync of the default source after something happened to it', () => {
  it.each(damages)('%s', async (_, apply, end) => {
    const snapshots = copyDefaultSnapshot(join(temporaryDirectory(), 'snapshots'))
    const before = readPointer(snapshots, 'CURRENT')
    const outcome = await new SyncedInProcess(snapshots).sync(damagedSource(apply))
    if (typeof end === 'string') {
      expect(outcome).toMatchObject({ published: true })
      expect(readPointer(snapshots, 'CURRENT')).not.toBe(before)
    } else {
      expect(outcome.refusal).toMatch(end)
      expect(readPointer(snapshots, 'CURRENT')).toBe(before)
    }
  })
})

it('at least 30 kinds of damage are held back', () => {
  const held = damages.filter(([, , end]) => end instanceof RegExp)
  expect(held.length).toBeGreaterThanOrEqual(30)
})
