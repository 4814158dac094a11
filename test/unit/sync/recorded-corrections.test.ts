import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openEngine } from '../../../src/engine/open.ts'
import { Profiles } from '../../../src/snapshot/people/profiles.ts'
import { recordRemoval } from '../../../src/sync/removals/forgetting.ts'
import {
  recordCorrection,
  recordedCorrections,
  undoCorrection,
} from '../../../src/sync/removals/recorded-corrections.ts'
import { peopleOf, SyncedInProcess } from '../../support/synced-in-process.ts'

const people = peopleOf(30, () => ({ bio: 'Writes.' }))
const letter = { source: 'a letter', date: '2026-11-01', force: false }
const right = { sdu: '3', set: { name: 'Ann Right' }, ...letter }

async function synced() {
  const place = new SyncedInProcess()
  await place.sync({ authorities: people })
  return place
}

function profiles(place: SyncedInProcess): string {
  const snapshot = place.current()
  expect(openEngine(snapshot)).toBeDefined()
  const items = new Profiles(snapshot)
  const { authorities } = snapshot.header.counts
  return Array.from({ length: authorities }, (_, ordinal) => items.textAt(ordinal)).join()
}

describe('a correction that is recorded', () => {
  it('is taken by the next sync of the same source, and by every later one, until it is undone', async () => {
    const place = await synced()
    const { id, recorded } = await recordCorrection(place.snapshots, right, Date.now)
    expect(recorded).toBe(true)
    expect(await place.sync()).toMatchObject({ published: true })
    expect(profiles(place)).toContain('Ann Right')
    expect(await place.sync()).toMatchObject({ published: false })
    await place.sync({ authorities: [{ ...people[0], bio: 'Wrote.' }, ...people.slice(1)] })
    expect(profiles(place)).toContain('Ann Right')
    expect(undoCorrection(place.snapshots, id, Date.now)).toBe(true)
    expect(undoCorrection(place.snapshots, id, Date.now)).toBe(false)
    expect(await place.sync()).toMatchObject({ published: true })
    expect(profiles(place)).not.toContain('Ann Right')
  })

  it('wins over one of the source, field by field, and a later one over an earlier one', async () => {
    const place = await synced()
    await recordCorrection(place.snapshots, right, Date.now)
    await recordCorrection(place.snapshots, { ...right, set: { name: 'Ann Later' } }, Date.now)
    const set = { name: 'Ann Source', bio: 'By the source.' }
    await place.sync({
      corrections: [{ sdu: '3', set, source: 'supplier', date: '2026-10-01' }],
    })
    expect(profiles(place)).toContain('Ann Later')
    expect(profiles(place)).toContain('By the source.')
    expect(profiles(place)).not.toMatch(/Ann (Right|Source)/)
  })

  it('is one, however often it is recorded; after its undoing it is a new one', async () => {
    const place = await synced()
    const { id } = await recordCorrection(place.snapshots, right, Date.now)
    expect(await recordCorrection(place.snapshots, right, Date.now)).toEqual({
      id,
      recorded: false,
    })
    undoCorrection(place.snapshots, id, Date.now)
    const again = await recordCorrection(place.snapshots, right, Date.now)
    expect([again.recorded, again.id === id]).toEqual([true, false])
    expect(recordedCorrections(place.snapshots).map(({ undone }) => undone === null)).toEqual([
      false,
      true,
    ])
  })

  it.each([
    ['a field that records do not have', { set: { nmae: 'x' } }, 'set.nmae'],
    ['a value that no record may have', { set: { topics: [] } }, 'set.topics'],
    ['an SDU that nobody has', { sdu: '404' }, 'no snapshot has this SDU'],
    ['no day', { date: 'soon' }, 'date'],
  ])('is refused with %s, and nothing is written', async (_, wrong, message) => {
    const place = await synced()
    const order = { ...right, ...wrong }
    await expect(recordCorrection(place.snapshots, order, Date.now)).rejects.toThrow(message)
    expect(recordedCorrections(place.snapshots)).toEqual([])
  })

  it('goes with the person who is removed, and is refused for them', async () => {
    const place = await synced()
    await recordCorrection(place.snapshots, right, Date.now)
    const why = { removalKey: '', reason: 'asked', force: false, clock: Date.now }
    await recordRemoval({ snapshots: place.snapshots, sdu: '3', ...why })
    expect(readFileSync(join(place.snapshots, 'CORRECTIONS'), 'utf8')).not.toContain('Right')
    await expect(recordCorrection(place.snapshots, right, Date.now)).rejects.toThrow('was removed')
    expect(await place.sync()).toMatchObject({ published: true, authorities: 29 })
  })

  it('is never read from a file that is none: the sync is refused', async () => {
    const place = await synced()
    writeFileSync(join(place.snapshots, 'CORRECTIONS'), '{"corrections":[{}]}')
    expect((await place.sync()).refusal).toContain('CORRECTIONS: is no list of corrections')
  })
})
