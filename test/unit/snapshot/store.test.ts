/** What every store of snapshots does; each kind of store goes through the same tests. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Snapshot } from '../../../src/snapshot/file.ts'
import { directoryStore } from '../../../src/snapshot/store/directory.ts'
import {
  findSnapshot,
  loadIfWhole,
  retain,
  type SnapshotStore,
  type StoredSnapshot,
} from '../../../src/snapshot/store/store.ts'
import { snapshotOf, temporaryDirectory } from '../../support/built.ts'
import { authority } from '../../support/records.ts'
import { fixtureSnapshot, resealed, withElement } from '../../support/snapshot-fixture.ts'

/** Different snapshots, told apart by their number. */
function numbered(number: number): Snapshot {
  return snapshotOf({ authorities: [authority({ sdu: String(number) })] })
}

/** A store with so many published snapshots, and their ids, newest first. */
async function published(store: SnapshotStore, count: number): Promise<string[]> {
  for (let number = 0; number < count; number += 1) await store.publish(numbered(number))
  return (await store.list()).map(({ id }) => id)
}

async function idsOf(store: SnapshotStore): Promise<string[]> {
  return (await store.list()).map(({ id }) => id)
}

describe.each([['a directory', () => directoryStore(join(temporaryDirectory(), 'snapshots'))]])(
  '%s as a store',
  (_, newStore) => {
    it('points to nothing before something is published, and has nothing to list', async () => {
      const store = newStore()
      await expect(store.list()).rejects.toMatchObject({ code: 'snapshot-missing' })
      expect(await store.pointers()).toEqual({ current: undefined, pinned: undefined })
      expect(await store.unpin()).toBe(false)
    })

    it('gives back what was published, and publishes the same once', async () => {
      const store = newStore()
      const { header, sections } = fixtureSnapshot()
      const first = await store.publish(fixtureSnapshot())
      const again = await store.publish(fixtureSnapshot())
      expect([first.written, again.written]).toEqual([true, false])
      expect([first.snapshot.header, again.snapshot.header]).toEqual([header, header])
      const loaded = await store.load(header.id)
      expect([...loaded.sections['profile.json']]).toEqual([...sections['profile.json']])
      expect((await store.pointers()).current).toBeUndefined()
    })

    it('reads back into the memory that the snapshot lies in', async () => {
      const { sections } = fixtureSnapshot()
      const { snapshot } = await newStore().publish(fixtureSnapshot())
      for (const name of ['profile.json', 'identity.slots', 'handle.nodes'] as const) {
        expect(snapshot.sections[name].buffer).toBe(sections[name].buffer)
        expect(snapshot.sections[name]).toEqual(sections[name])
      }
    })

    it('refuses a snapshot that contradicts itself, and keeps nothing of it', async () => {
      const store = newStore()
      const { sections } = fixtureSnapshot()
      const wrong = resealed(fixtureSnapshot(), {
        sections: withElement(sections, 'peer.gaps', 0, 99),
      })
      await expect(store.publish(wrong)).rejects.toMatchObject({ code: 'snapshot-refused' })
      expect(await store.list()).toEqual([])
    })

    it('lists what it holds, with what points to it', async () => {
      const store = newStore()
      const ids = await published(store, 3)
      await store.announce(ids[1]!)
      await store.pin(ids[2]!)
      expect(await store.pointers()).toEqual({ current: ids[1], pinned: ids[2] })
      const marks = ({ id, current, pinned }: StoredSnapshot) => [id, current, pinned]
      expect((await store.list()).map(marks)).toEqual([
        [ids[1], true, false],
        [ids[0], false, false],
        [ids[2], false, true],
      ])
      expect(await store.unpin()).toBe(true)
      expect(await store.pointers()).toEqual({ current: ids[1], pinned: undefined })
    })

    it('has no snapshot that was removed, and removes what is not there without harm', async () => {
      const store = newStore()
      const [first = '', second = ''] = await published(store, 2)
      await store.remove(first)
      await store.remove(first)
      expect(await idsOf(store)).toEqual([second])
      await expect(store.load(first)).rejects.toMatchObject({ code: 'snapshot-missing' })
      expect(await loadIfWhole(store, first)).toBeUndefined()
      expect((await loadIfWhole(store, second))?.header.id).toBe(second)
    })

    it('finds a snapshot by the beginning of its id when only one begins so', async () => {
      const store = newStore()
      const [first = ''] = await published(store, 2)
      expect((await findSnapshot(store, first.slice(0, 12))).id).toBe(first)
      await expect(findSnapshot(store, '')).rejects.toMatchObject({ code: 'wrong-usage' })
      await expect(findSnapshot(store, 'x')).rejects.toThrow(`${store.name}: no snapshot`)
    })

    it('retains what was announced last, and the current and the pinned one however old', async () => {
      const store = newStore()
      const ids = await published(store, 6)
      const [never = '', ...announced] = ids as [string, ...string[]]
      for (const id of announced) await store.announce(id)
      await store.pin(announced[0]!)
      expect(await retain(store, 3)).toEqual([announced[1], never])
      expect((await idsOf(store)).sort()).toEqual([announced[0], ...announced.slice(2)].sort())
      await store.unpin()
      await store.announce(announced[0]!)
      expect(await retain(store, 2)).toEqual([announced[3], announced[2]])
      expect(await idsOf(store)).toEqual([announced[0], announced[4]])
    })
  },
)

describe('a damaged snapshot', () => {
  it('is not loaded as a whole one, whatever is wrong with the file', async () => {
    const store = directoryStore(temporaryDirectory())
    const [id = ''] = await published(store, 1)
    writeFileSync(store.pathOf(id), 'damaged')
    expect(await loadIfWhole(store, id)).toBeUndefined()
    await expect(store.load(id)).rejects.toThrow(store.pathOf(id))
  })
})
