/** What a record claims of its weights is bounded, unless the source is trusted for weights. */
import { describe, expect, it } from 'vitest'
import { textAt } from '../../../src/memory/text-table.ts'
import { directoryStore } from '../../../src/snapshot/store/directory.ts'
import { SyncedInProcess } from '../../support/synced-in-process.ts'

/** A tree of followers; the last person, whom nobody follows, makes the claims. */
const people = Array.from({ length: 30 }, (_, index) => ({
  sdu: String(index + 1),
  name: `Person Number${index + 1}`,
  topics: ['Rust'],
}))
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

/** The share of the topic that the claimant has, 0 to 1. */
async function shareOf(place: SyncedInProcess, id: string): Promise<number> {
  const { sections } = await directoryStore(place.snapshots).load(id)
  const sdus = { text: sections['sdu.text'], ends: sections['sdu.ends'] }
  const at = [...sections['topic.members']].findIndex((each) => textAt(sdus, each) === claimant)
  return sections['topic.shares'][at]! / 2 ** 32
}

describe.each(Object.entries(claims))('%s', (_, records) => {
  it('buys more only from a source that is trusted for weights', async () => {
    const place = new SyncedInProcess()
    const bounded = await place.sync(records)
    const believed = await place.sync(records, { trust: ['weights'], force: true })
    if (bounded.refusal !== undefined || believed.refusal !== undefined) throw new Error('refused')
    const share = await shareOf(place, bounded.id)
    expect(await shareOf(place, believed.id)).toBeGreaterThan(1.02 * share)
  })
})

it('other trust makes a new snapshot of the same records, the same trust does not', async () => {
  const place = new SyncedInProcess()
  const records = claims['a tie of weight 1000']
  expect(await place.sync(records)).toMatchObject({ published: true })
  const trusting = { trust: ['weights'] as const }
  const lenient = { firstTenChangeMax: 1, ordersChangeMax: 1, scoresChangeMax: 1 }
  expect(await place.sync({}, { ...trusting, ...lenient })).toMatchObject({ published: true })
  expect(await place.sync({}, trusting)).toMatchObject({ published: false })
})
