/**
 * Whether ranks find who is an authority, and what a farm of fakes can buy, in communities with planted
 * authorities. No clock: the same seeds give the same figures on every machine.
 */
import type { Bench, BenchOptions, BenchSize } from '../shared/bench.ts'
import { type Community, type Plan, plant } from './community.ts'
import { type Client, type Farm, farms } from './farms.ts'
import { type Standings, standingsOf } from './orders.ts'
import { qualityOf } from './quality.ts'
import { type RankingResult, report, type Standing } from './report.ts'

const sizes: Readonly<Record<BenchSize, { people: number; topics: number; seeds: number }>> = {
  tiny: { people: 300, topics: 4, seeds: 2 },
  full: { people: 5_000, topics: 30, seeds: 10 },
}
const fakes = [0, 10, 100, 1_000]
/** In the community where nobody of each topic has a farm. */
const fakesInEach = 100

const plain = { others: 0, habits: { noise: 0.1, fame: 0.1 } }
/** The kinds of communities: how each is planted, and whose farm is in every topic. */
const kinds: Readonly<Record<string, Pick<Plan, 'others' | 'habits'> & { readonly farm?: Farm }>> =
  {
    plain,
    'half of all connections at random': { ...plain, habits: { noise: 0.5, fame: 0.1 } },
    'half of all connections to the famous': { ...plain, habits: { noise: 0.1, fame: 0.5 } },
    'three of four not in the index': { ...plain, others: 3 },
    'plain, a farm of handles in every topic': {
      ...plain,
      farm: farms['handles that nobody owns']!,
    },
    'plain, a farm of authorities in every topic': {
      ...plain,
      farm: farms['authorities of the topic']!,
    },
  }

export const rankingBench: Bench = {
  name: 'ranking',
  run: async (options) => ({ lines: report(run(options)) }),
}

export function run({ size, signal, report: tell }: BenchOptions): RankingResult {
  const { people, topics, seeds } = sizes[size]
  const numbers = Array.from({ length: seeds }, (_, index) => index + 1)
  const qualities = Object.entries(kinds).map(([community, { farm, ...kind }]) => {
    tell(community)
    const each = numbers.map((seed) => {
      signal.throwIfAborted()
      const planted = plant({ ...kind, people, topics, seed })
      const farmed = farm === undefined ? planted : farmedEverywhere(planted, farm)
      return qualityOf(farmed, standingsOf(farmed))
    })
    return { community, qualities: each }
  })
  const rows = Object.entries(farms).map(([name, farm]) => {
    tell(name)
    const lifts = numbers.map((seed) => {
      signal.throwIfAborted()
      return liftsOf(plant({ ...plain, people, topics, seed }), farm)
    })
    return { farm: name, lifts }
  })
  return { fakes, qualities, farms: rows }
}

function farmedEverywhere(community: Community, farm: Farm): Community {
  const standings = standingsOf(community)
  return Array.from({ length: community.topics }, (_, topic) => topic).reduce(
    (before, topic) => farm(before, lastOf(standings, topic), fakesInEach),
    community,
  )
}

/** Nobody: who comes last by the order that is served. */
function lastOf({ orders }: Standings, topic: number): Client {
  return { topic, person: orders['topic rank'][topic]!.at(-1)! }
}

function liftsOf(community: Community, farm: Farm): Standing[] {
  const standings = standingsOf(community)
  const topics = standings.orders['topic rank'].map(({ length }, topic) => ({ topic, length }))
  topics.sort((a, b) => a.length - b.length || a.topic - b.topic)
  const client = lastOf(standings, topics[topics.length >> 1]!.topic)
  return fakes.map((count) => standingOf(standingsOf(farm(community, client, count)), client))
}

function standingOf(standings: Standings, { person, topic }: Client): Standing {
  const rank = standings.orders['topic rank'][topic]!.indexOf(person) + 1
  return { rank, score: standings.scores[person]! }
}
