/** What a record claims of its weights is bounded, unless the source is trusted for weights. */

import { describe, expect, it } from 'vitest'
import { Identities } from '../../../src/snapshot/people/identities.ts'
import { loadStored } from '../../../src/snapshot/store/directory.ts'
import { peopleOf, type SourceLines, SyncedInProcess } from '../../support/synced-in-process.ts'

/** A tree of followers; the last person, whom nobody follows, makes the claims. */
const people = peopleOf(30)
const connections = people.flatMap((_, index) =>
  [index >> 1, index >> 2].map((to) => ({ from: String(index + 1), to: String(to + 1) })),
)
const claimant = '30'
const claims = {
  'a topic weight of 100': {
    authorities: people.map((person) =>
      person.sdu === claimant ? { ...person, topics: [{ topic: 'Rust', weight: 100 }] } : person,
    ),
    connections,
  },
  'a tie of weight 1000': {
    authorities: people,
    connections: [...connections, { from: claimant, to: '1', weight: 1_000, kind: 'coauthor' }],
  },
  'a thousand ties': {
    authorities: people,
    connections: [
      ...connections,
      ...Array.from({ length: 1_000 }, () => ({ from: claimant, to: '1', kind: 'coauthor' })),
    ],
  },
}

async function shareOf(place: SyncedInProcess, id: string): Promise<number> {
  const { sections } = loadStored(place.snapshots, id)
  const identities = new Identities({ sections })
  const at = [...sections['topic.members']].findIndex((each) => identities.sduOf(each) === claimant)
  return sections['topic.shares'][at]! / 2 ** 32
}

async function membersOf(records: SourceLines, settings: object): Promise<string[]> {
  const place = new SyncedInProcess()
  const { id } = await place.taken(records, settings)
  const { sections } = loadStored(place.snapshots, id)
  const identities = new Identities({ sections })
  return [...sections['topic.members']].map((each) => identities.sduOf(each))
}

describe.each(Object.entries(claims))('%s', (_, records) => {
  it('buys more only from a source that is trusted for weights', async () => {
    const place = new SyncedInProcess()
    const bounded = await place.taken(records)
    const believed = await place.taken(records, { trust: ['weights'], force: true })
    const share = await shareOf(place, bounded.id)
    expect(await shareOf(place, believed.id)).toBeGreaterThan(1.02 * share)
  })
})

describe('made-up people', () => {
  const vetted = people.map((person) => ({ ...person, verified_by: 'register' }))
  const fakes = Array.from({ length: 40 }, (_, index) => ({
    sdu: String(100 + index),
    name: `Fake Name${index}`,
    topics: ['Rust'],
    verified_by: 'themselves',
  }))
  const [favourite, ...others] = fakes.map(({ sdu }) => sdu)
  const records = {
    authorities: [...vetted, ...fakes],
    connections: [
      ...connections,
      ...others.flatMap((sdu) => [
        { from: sdu, to: favourite! },
        { from: favourite!, to: sdu },
      ]),
      // A symmetric tie that only a fake claims.
      { from: favourite!, to: '1', kind: 'coauthor' },
    ],
  }

  const membersBy = (settings: object) => membersOf(records, settings)

  it('lift one of them to the first place, however many others there are', async () => {
    expect((await membersBy({}))[0]).toBe(favourite)
  })

  it('stand behind all others where these are vetted', async () => {
    const members = await membersBy({ vetted: ['register'] })
    const real = new Set(vetted.map(({ sdu }) => sdu))
    expect(members.slice(0, real.size).every((sdu) => real.has(sdu))).toBe(true)
  })

  it('are like everybody where nobody is vetted in the way that is asked for', async () => {
    expect((await membersBy({ vetted: ['dns'] }))[0]).toBe(favourite)
  })
})

describe('a source that lies', () => {
  const honest = connections.map((each, index) => ({ ...each, source: `register ${index % 3}` }))
  const lies = people.slice(0, -1).map(({ sdu }) => {
    return { from: sdu, to: claimant, weight: 10, source: 'a liar' }
  })
  const lying = { authorities: people, connections: [...honest, ...lies] }
  const lenient = { scoresChangeMax: 1, force: true }

  const rankBy = async (records: SourceLines, sourceShareMax: number) =>
    (await membersOf(records, { ...lenient, sourceShareMax })).indexOf(claimant) + 1

  it('lifts somebody to the first place, but not where it may carry a share only', async () => {
    expect(await rankBy(lying, 1)).toBe(1)
    expect(await rankBy(lying, 0.5)).toBeGreaterThan(1)
  })

  it('is that of the record of the one who is connected where connections name none', async () => {
    const [first, ...others] = people
    const liar = { ...first!, source: 'a liar' }
    const said = others.map((person, at) => ({ ...person, source: `register ${at % 3}` }))
    const ties = [...connections, { from: liar.sdu, to: claimant, weight: 10 }]
    const records = { authorities: [liar, ...said], connections: ties }
    expect(await rankBy(records, 0.5)).toBeGreaterThan(await rankBy(records, 1))
  })

  it('carries all where there is no other', async () => {
    const alone = {
      authorities: people,
      connections: lying.connections.map(({ source: _, ...each }) => each),
    }
    expect(await rankBy(alone, 0.5)).toBe(1)
  })
})

it('other trust makes a new snapshot of the same records, the same trust does not', async () => {
  const place = new SyncedInProcess()
  const records = claims['a tie of weight 1000']
  expect(await place.sync(records)).toMatchObject({ published: true })
  const trusting = { trust: ['weights'] as const }
  const lenient = { scoresChangeMax: 1 }
  expect(await place.sync({}, { ...trusting, ...lenient })).toMatchObject({ published: true })
  expect(await place.sync({}, trusting)).toMatchObject({ published: false })
  const vetting = { ...trusting, vetted: ['register'] }
  expect(await place.sync({}, { ...vetting, force: true })).toMatchObject({ published: true })
  expect(await place.sync({}, vetting)).toMatchObject({ published: false })
  const bounding = { ...vetting, sourceShareMax: 0.7 }
  expect(await place.sync({}, { ...bounding, force: true })).toMatchObject({ published: true })
  expect(await place.sync({}, bounding)).toMatchObject({ published: false })
})
