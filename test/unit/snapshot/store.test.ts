/** What operators and syncs ask of a directory of snapshots. */
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Snapshot } from '../../../src/snapshot/file.ts'
import {
  announce,
  loadStored,
  publish,
  removeSnapshot,
} from '../../../src/snapshot/store/directory.ts'
import { pointers } from '../../../src/snapshot/store/states.ts'
import {
  findSnapshot,
  loadIfWhole,
  pointersOf,
  retain,
  storedSnapshots,
} from '../../../src/snapshot/store/store.ts'
import { snapshotOf, temporaryDirectory } from '../../support/built.ts'
import { authority } from '../../support/records.ts'
import { fixtureSnapshot } from '../../support/snapshot-fixture.ts'

function numbered(number: number): Snapshot {
  return snapshotOf({ authorities: [authority({ sdu: String(number) })] })
}

/** Publishes so many snapshots; returns their ids, newest first. */
function published(directory: string, count: number): string[] {
  for (let number = 0; number < count; number += 1) publish(directory, numbered(number))
  return idsOf(directory)
}

function idsOf(directory: string): string[] {
  return storedSnapshots(directory).map(({ id }) => id)
}

function newDirectory(): string {
  return join(temporaryDirectory(), 'snapshots')
}

describe('a directory', () => {
  it('points to nothing before something is published, and has nothing to list', () => {
    const directory = newDirectory()
    expect(() => storedSnapshots(directory)).toThrow(
      expect.objectContaining({ code: 'snapshot-missing' }),
    )
    expect(pointersOf(directory)).toEqual({ current: undefined, pinned: undefined })
    expect(pointers.PINNED.remove(directory)).toBe(false)
  })

  it('reads back into the memory that the snapshot lies in', () => {
    const { sections } = fixtureSnapshot()
    const { snapshot } = publish(newDirectory(), fixtureSnapshot())
    for (const name of ['profile.json', 'identity.slots', 'handle.nodes'] as const) {
      expect(snapshot.sections[name].buffer).toBe(sections[name].buffer)
      expect(snapshot.sections[name]).toEqual(sections[name])
    }
  })

  it('has no snapshot that was removed, and removes what is not there without harm', () => {
    const directory = newDirectory()
    const [first = '', second = ''] = published(directory, 2)
    removeSnapshot(directory, first)
    removeSnapshot(directory, first)
    expect(idsOf(directory)).toEqual([second])
    expect(() => loadStored(directory, first)).toThrow(
      expect.objectContaining({ code: 'snapshot-missing' }),
    )
    expect(loadIfWhole(directory, first)).toBeUndefined()
    expect(loadIfWhole(directory, second)?.header.id).toBe(second)
  })

  it('finds a snapshot by the beginning of its id when only one begins so', () => {
    const directory = newDirectory()
    const [first = ''] = published(directory, 2)
    expect(findSnapshot(directory, first.slice(0, 12)).id).toBe(first)
    expect(() => findSnapshot(directory, '')).toThrow(
      expect.objectContaining({ code: 'wrong-usage' }),
    )
    expect(() => findSnapshot(directory, 'x')).toThrow(`${directory}: no snapshot`)
  })

  it('retains what was announced last, and the current and the pinned one however old', () => {
    const directory = newDirectory()
    const ids = published(directory, 6)
    const [never = '', ...announced] = ids as [string, ...string[]]
    for (const id of announced) announce(directory, id)
    pointers.PINNED.write(directory, announced[0]!)
    expect(retain(directory, 3)).toEqual([announced[1], never])
    expect(idsOf(directory).sort()).toEqual([announced[0], ...announced.slice(2)].sort())
    pointers.PINNED.remove(directory)
    announce(directory, announced[0]!)
    expect(retain(directory, 2)).toEqual([announced[3], announced[2]])
    expect(idsOf(directory)).toEqual([announced[0], announced[4]])
  })
})
