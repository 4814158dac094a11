/** What an incremental sync keeps for the next: what it saves, and whatever became of it, the snapshot of a full one. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { recordRemoval } from '../../../src/sync/removals/forgetting.ts'
import type { SyncOptions } from '../../../src/sync/sync.ts'
import { SyncedInProcess } from '../../support/synced-in-process.ts'
import { incremental, loose, takenIn } from '../../support/synced-incremental.ts'

const people = Array.from({ length: 20 }, (_, index) => ({
  sdu: String(index + 1),
  name: `Person Number${index + 1}`,
  topics: ['Rust'],
  socials: { github: { handle: `person${index + 1}` } },
}))
const changed = people.map((each, index) => (index === 4 ? { ...each, bio: 'New.' } : each))
const files = { authorities: people, connections: [{ from: '1', to: '2' }] }

/** The snapshot of a full sync of what changed. */
async function changedId(): Promise<string> {
  const full = new SyncedInProcess()
  await full.sync(files, loose)
  return ((await full.sync({ authorities: changed }, loose)) as { id: string }).id
}

/** A place that keeps what it has read, and its file. */
async function keeping() {
  const place = new SyncedInProcess()
  await place.sync(files, incremental)
  return { place, path: join(place.snapshots, 'KEPT') }
}

describe('what an incremental sync keeps', () => {
  it('saves the reading of all that did not change but the first who name something', async () => {
    const { place } = await keeping()
    const after = await place.sync({ authorities: changed }, incremental)
    expect(after).toMatchObject({ id: await changedId() })
    expect(takenIn(after.notes)).toBe(18)
  })

  it.each([
    ['is cut short', (bytes: Buffer) => bytes.subarray(0, bytes.length - 5)],
    ['is empty', () => Buffer.alloc(0)],
    ['was written in part', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
    ['has another byte', (bytes: Buffer) => bytes.fill(bytes[99]! + 1, 99, 100)],
    ['states another length', (bytes: Buffer) => bytes.fill(0xff, bytes.length - 4)],
    ['is something else', () => Buffer.from('x'.repeat(1_000))],
  ])('is not used where it %s: a line says so, and all is read', async (_, damage) => {
    const { place, path } = await keeping()
    writeFileSync(path, damage(readFileSync(path)))
    const after = await place.sync({ authorities: changed }, incremental)
    expect(after).toMatchObject({ id: await changedId() })
    expect(after.notes.filter((note) => note.startsWith(path))).toHaveLength(1)
    expect(takenIn(after.notes)).toBe(0)
    // And what it kept instead is whole.
    expect(takenIn((await place.sync({}, incremental)).notes)).toBe(19)
  })

  it.each([
    ['trust', { trust: ['weights'] }],
    ['vetted', { vetted: ['passport'] }],
    ['lookalikes', { lookalikes: 'off' }],
  ] satisfies [string, Partial<SyncOptions>][])(
    'is not used with another --%s',
    async (_, more) => {
      const { place, path } = await keeping()
      const after = await place.sync({}, { ...incremental, ...more })
      expect(after.notes).toContainEqual(expect.stringContaining(`${path} was written with other`))
      expect(takenIn(after.notes)).toBe(0)
    },
  )

  it('is replaced as a whole: what a killed sync left of a new one is not read', async () => {
    const { place, path } = await keeping()
    writeFileSync(`${path}.tmp`, 'half of it')
    const after = await place.sync({ authorities: changed }, incremental)
    expect(takenIn(after.notes)).toBe(18)
    expect(existsSync(`${path}.tmp`)).toBe(false)
  })

  it('may fail to be written: the sync publishes, and the file before stays', async () => {
    const { place, path } = await keeping()
    mkdirSync(`${path}.tmp`)
    const after = await place.sync({ authorities: changed }, incremental)
    expect(after).toMatchObject({ id: await changedId() })
    expect(after.notes).toContainEqual(expect.stringContaining(`${path} was not written: `))
    rmSync(`${path}.tmp`, { recursive: true })
    expect(takenIn((await place.sync({}, incremental)).notes)).toBe(18)
  })

  it('is gone once a person was removed', async () => {
    const { place, path } = await keeping()
    const { snapshots } = place
    const order = { snapshots, removalKey: '', sdu: '3', reason: 'asked', force: false }
    await recordRemoval({ ...order, clock: () => 1_000 })
    expect(existsSync(path)).toBe(false)
  })

  it('is gone after a sync that keeps nothing', async () => {
    const { place } = await keeping()
    await place.sync({}, loose)
    expect(readdirSync(place.snapshots).filter((name) => name.startsWith('KEPT'))).toEqual([])
  })
})
