/** Names that a source chose are data: none of them is a member of an object of the program, and none ends a sync. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Profiles } from '../../../src/snapshot/people/profiles.ts'
import { SyncedInProcess } from '../../support/synced-in-process.ts'

const foreign = [
  ...Object.getOwnPropertyNames(Object.prototype),
  ...['prototype', 'length', 'name', 'caller', 'then', 'toJSON', '0', '-1', 'hasOwn', 'ok'],
]

/** A source of one person in order and one who uses a foreign name everywhere, or in one place. */
async function profilesWith(fields: object, correction: object = {}) {
  const place = new SyncedInProcess()
  const person = { sdu: '1', name: 'Ann Lee', topics: ['Bees'] }
  await place.taken(
    {
      authorities: [
        { sdu: '2', name: 'Bob', topics: ['Bees'] },
        JSON.stringify({ ...person, ...fields }),
      ],
      corrections: [JSON.stringify({ sdu: '2', set: correction, source: 'x', date: '2026-01-02' })],
      topics: [{ topic: 'constructor', aliases: ['__proto__ x'], broader: ['toString'] }],
      connections: [
        { from: '1', to: 'constructor:valueOf' },
        { from: '__proto__:x', to: '2' },
      ],
    },
    { rejectShareMax: 1, fileRejectShareMax: 1, snapshots: place.snapshots },
  )
  const snapshot = place.current()
  const profiles = new Profiles(snapshot)
  const count = snapshot.header.counts.authorities
  return Array.from({ length: count }, (_, ordinal) => JSON.parse(profiles.textAt(ordinal)))
}

const names = fc.constantFrom(...foreign)
const made = (name: string, value: unknown) =>
  JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(value)}}`)

const fields = fc.record(
  {
    name: names,
    bio: names,
    country_name: names,
    topics: fc.array(names, { minLength: 1, maxLength: 3 }),
    also_known_as: fc.array(names, { maxLength: 2 }),
    socials: fc.tuple(names, names).map(([name, handle]) => made(name, { handle, followers: 3 })),
    identifiers: fc.tuple(names, names).map(([name, value]) => made(name, value)),
    attributes: fc.tuple(names, names).map(([name, value]) => made(name, value)),
    website: names,
    source: names,
    licence: names,
    verified_by: names,
    other: fc.tuple(names, names).map(([name, value]) => made(name, value)),
  },
  { requiredKeys: [] },
)

describe('a name that objects of JavaScript have', () => {
  it('is kept as the key of an attribute, each by itself', async () => {
    for (const key of ['constructor', 'valueof', 'ok']) {
      const profiles = await profilesWith({ attributes: { [key]: 'x' } })
      expect(profiles.find(({ sdu }) => sdu === '1').attributes).toEqual({ [key]: ['x'] })
    }
  })

  it('loses itself alone where its form is none of a key', async () => {
    const attributes = { ...made('__proto__', 'x'), toString: 'y', party: 'z' }
    const [ann] = (await profilesWith({ attributes })).filter(({ sdu }) => sdu === '1')
    expect(ann.attributes).toEqual({ party: ['z'] })
  })

  it('ends no sync, wherever records, connections and corrections have it', async () => {
    await fc.assert(
      fc.asyncProperty(fields, fields, async (drawn, set) => {
        const profiles = await profilesWith(drawn, set)
        expect(profiles.map(({ sdu }) => sdu)).toContain('2')
        expect(Object.getOwnPropertyNames({}.constructor)).not.toContain('handle')
      }),
      { numRuns: 40 },
    )
  })
})
