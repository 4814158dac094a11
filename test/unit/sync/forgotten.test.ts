/** Who is on the list of removals does not come back: not by another SDU, nor because the list is lost. */
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Removals, readRemovals } from '../../../src/snapshot/store/removals.ts'
import { mentionsOf, tracesOf } from '../../../src/sync/removals/traces.ts'
import { peopleOf, SyncedInProcess } from '../../support/synced-in-process.ts'

const orcid = '0000-0002-1825-0097'
const forgotten = {
  sdu: '98765',
  name: 'Zebulon Quark',
  topics: ['Rust'],
  socials: { github: { handle: 'ZebQuark' } },
  identifiers: { orcid },
}
const back = { ...forgotten, sdu: '555', name: 'Someone Else' }
const others = peopleOf(60, (number) => ({ socials: { github: { handle: `person${number}` } } }))
const why = { reason: 'asked', at: '2026-11-01T00:00:00.000Z' }

/** A directory that has synced everybody, with the one on the list, as `forget` leaves it. */
async function removed() {
  const place = new SyncedInProcess()
  await place.sync({ authorities: [...others, forgotten] })
  const { people } = tracesOf(place.snapshots, forgotten.sdu)
  const handles = people.flatMap((person) => person.handles)
  new Removals('1'.repeat(64), []).with({ sdu: forgotten.sdu, handles }, why).write(place.snapshots)
  await place.sync()
  return place
}

function currentBytes(place: SyncedInProcess): string {
  return Object.values(place.current().sections)
    .map(({ buffer }) => Buffer.from(buffer as ArrayBuffer).toString('latin1'))
    .join('\n')
    .toLowerCase()
}

describe('a removed person who returns', () => {
  it.each([
    ['a handle', { ...back, identifiers: {}, socials: { github: { handle: '@ZEBQUARK' } } }],
    [
      'an identifier',
      { ...back, socials: {}, identifiers: { orcid: `https://orcid.org/${orcid}` } },
    ],
  ])('under another SDU with %s is left out, and reported by position only', async (_, record) => {
    const place = await removed()
    const { notes, ...result } = await place.sync({ authorities: [record, ...others] })
    expect(result).toMatchObject({ published: true, authorities: 60, rejects: 0 })
    expect(notes.join()).toMatch(/authorities\.ndjson:1 \w+\.\w+: is that of a removed person/)
    expect(`${notes.join()}${currentBytes(place)}`.toLowerCase()).not.toMatch(/zebquark|1825/)
  })

  it('is nobody who was there all along and only claims the handle: they stay without it', async () => {
    const place = await removed()
    const claiming = { ...others[0], socials: { github: { handle: 'zebquark' } } }
    const outcome = await place.sync({ authorities: [claiming, ...others.slice(1)] })
    expect(outcome).toMatchObject({ authorities: 60, rejects: 0 })
    expect(outcome.notes.join()).toContain('the record is taken without it')
    expect(currentBytes(place)).not.toContain('zebquark')
  })

  it('may be taken without handle and identifier, where a correction says so', async () => {
    const place = await removed()
    const set = { socials: null, identifiers: null }
    const corrections = [{ sdu: '555', set, source: 'a letter', date: '2026-11-01' }]
    expect(await place.sync({ authorities: [...others, back], corrections })).toMatchObject({
      authorities: 61,
    })
    expect(currentBytes(place)).not.toContain('zebquark')
  })

  it('takes no handle of another along that only the removed record claimed', async () => {
    const place = new SyncedInProcess()
    const greedy = { ...forgotten, socials: { github: { handle: 'person1' } }, identifiers: {} }
    await place.sync({ authorities: [...others, greedy] }, { rejectShareMax: 1 })
    new Removals('1'.repeat(64), [])
      .with({ sdu: greedy.sdu, handles: [] }, why)
      .write(place.snapshots)
    await place.sync()
    const again = await place.sync({ authorities: others })
    expect(again).toMatchObject({ published: true, authorities: 60 })
    expect(currentBytes(place)).toContain('person1')
    expect(readRemovals(place.snapshots).has('github:person1')).toBe(false)
  })
})

describe('a list of removals that is lost', () => {
  it('is noticed, forced or not, and put back it is taken again', async () => {
    const place = await removed()
    const list = join(place.snapshots, 'REMOVED')
    renameSync(list, `${list}-away`)
    for (const force of [false, true]) {
      const outcome = await place.sync({}, { force })
      expect(outcome.refusal).toContain('the list is gone')
    }
    renameSync(`${list}-away`, list)
    expect(await place.sync({ authorities: others })).toMatchObject({ authorities: 60 })
  })
})

describe('a snapshot', () => {
  it('tells which texts of others name a person, as whole words in any case', async () => {
    const place = new SyncedInProcess()
    const bios = ['Taught zebulon QUARK.', 'Knew Zebulon Quarkson.', 'Quark, Zebulon']
    const naming = others.map((person, index) => ({ ...person, bio: bios[index] ?? '' }))
    const { id } = await place.taken({ authorities: naming })
    const mentions = mentionsOf(place.snapshots, id, ['Zebulon Quark'])
    expect(mentions).toEqual([{ sdu: '1', field: 'bio' }])
  })
})
