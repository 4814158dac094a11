/** Handles change owners only as somebody confirms: one that two claim, one that moves, one that is proved. */
import { describe, expect, it } from 'vitest'
import { activate } from '../../../src/api/active-snapshot.ts'
import { SyncedInProcess } from '../../support/synced-in-process.ts'

const people = Array.from({ length: 60 }, (_, index) => person(index + 1))

function person(number: number, handles: readonly string[] = [`person${number}`]) {
  const socials = Object.fromEntries(
    handles.map((handle, index) => [['github', 'twitter'][index], { handle }]),
  )
  return { sdu: String(number), name: `Person Number${number}`, topics: ['Rust'], socials }
}

function ownersOf(place: SyncedInProcess, key: string): string[] {
  const { catalog } = activate(place.current())
  const owners = catalog.ownersOf({ platform: 'github', key })
  return [...owners].map((ordinal) => catalog.profiles.textAt(ordinal))
}

describe('a handle that two records claim', () => {
  it('stays with its owner in the current snapshot, though the other one stands before', async () => {
    const place = new SyncedInProcess()
    await place.sync({ authorities: people })
    const thief = person(61, ['person7'])
    const outcome = await place.sync({ authorities: [thief, ...people] })
    expect(outcome).toMatchObject({ authorities: 61, rejects: 0, leftOutFields: 1 })
    expect(outcome.notes).toContain(
      'authorities.ndjson:1 socials.github: github:person7 is claimed by authorities.ndjson:1 and authorities.ndjson:8; authorities.ndjson:8 has it',
    )
    expect(ownersOf(place, 'person7').join()).toContain('Number7"')
  })

  it('is nobody’s in a first snapshot, until a correction decides', async () => {
    const place = new SyncedInProcess()
    const both = [person(61, ['person7']), ...people]
    const outcome = await place.sync({ authorities: both })
    expect(outcome).toMatchObject({ published: true, rejects: 0, leftOutFields: 2 })
    expect(ownersOf(place, 'person7')).toEqual([])
    const set = { socials: { github: { handle: 'person7' } } }
    const corrections = [{ sdu: '7', set, source: 'a letter', date: '2026-11-01' }]
    const decided = await place.sync({ corrections })
    expect(decided).toMatchObject({ published: true, rejects: 0, leftOutFields: 1 })
    expect(ownersOf(place, 'person7').join()).toContain('Number7"')
  })
})

describe('a handle that changes owners', () => {
  const without = people.map((each) => (each.sdu === '7' ? person(7, []) : each))
  const moved = without.map((each) => (each.sdu === '8' ? person(8, ['person7', 'person8']) : each))

  it.each([
    ['to another of the best', moved, '8'],
    ['to a new record', [...without, person(61, ['person7'])], '61'],
  ])('%s is held back, and taken when it is confirmed', async (_, authorities, to) => {
    const place = new SyncedInProcess()
    await place.sync({ authorities: people })
    const held = await place.sync({ authorities })
    expect(held.refusal).toContain(`github:person7 from SDU 7 to ${to}; confirm with`)
    const taken = await place.sync({}, { acceptHandle: ['github:person7'] })
    expect(taken).toMatchObject({ published: true })
  })

  it('is taken when a correction gives it', async () => {
    const place = new SyncedInProcess()
    await place.sync({ authorities: people })
    const set = { socials: { github: { handle: 'person7' } } }
    const corrections = [{ sdu: '8', set, source: 'a letter', date: '2026-11-01' }]
    expect(await place.sync({ authorities: without, corrections })).toMatchObject({
      published: true,
    })
  })

  it('goes along with a person who is merged into an older record of the same name', async () => {
    const place = new SyncedInProcess()
    const twins = people.map((each) =>
      each.sdu === '8' ? { ...each, name: 'Person number7' } : each,
    )
    await place.sync({ authorities: twins })
    const socials = { github: { handle: 'person7' }, twitter: { handle: 'person8' } }
    const authorities = twins
      .filter(({ sdu }) => sdu !== '7')
      .map((each) => (each.sdu === '8' ? { ...each, name: 'Person Number7', socials } : each))
    expect(await place.sync({ authorities })).toMatchObject({ published: true, authorities: 59 })
  })

  it('passes where the person is new and the handle is, too', async () => {
    const place = new SyncedInProcess()
    await place.sync({ authorities: people })
    expect(await place.sync({ authorities: [...people, person(61)] })).toMatchObject({
      published: true,
    })
  })
})
