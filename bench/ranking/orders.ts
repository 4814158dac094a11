/**
 * Orders of the members of topics: those that are served, by the code that serves them, and others.
 */
import { noScore } from '../../src/indexer/collector.ts'
import { Evidence } from '../../src/indexer/ranking/evidence.ts'
import { type Connections, endorsementsOf } from '../../src/indexer/ranking/graph.ts'
import { pageRank, priorOf } from '../../src/indexer/ranking/pagerank.ts'
import { authorityScores, orderByScore } from '../../src/indexer/ranking/scores.ts'
import {
  type Memberships,
  membershipsOf,
  rankMembers,
} from '../../src/indexer/ranking/topic-ranks.ts'
import { Interner } from '../../src/memory/interner.ts'
import type { Community } from './community.ts'

export const orderNames = ['topic rank', 'score', 'followers'] as const
export type OrderName = (typeof orderNames)[number]

export interface Standings {
  /** Of each topic its members, the first first. */
  readonly orders: Readonly<Record<OrderName, readonly (readonly number[])[]>>
  /** Of each person, 0 to 100. */
  readonly scores: readonly number[]
}

export function standingsOf(community: Community): Standings {
  const { people } = community
  const followers = Float64Array.from(people, (person) => person.followers)
  const connections = connectionsOf(community)
  const endorsements = endorsementsOf(connections)
  const prior = priorOf(followers, connections.nodes)
  const { mass } = pageRank(endorsements, prior)
  const scores = authorityScores(new Uint32Array(people.length).fill(noScore), mass)
  const { arrivals, ordinals } = orderByScore(scores, sdusOf(people.length))
  const memberships = membershipsIn(community)
  const by = { endorsements, prior, ordinals }
  const { ranked } = rankMembers(memberships, by, new Evidence(connections.nodes))
  const members = ranked.map((ordinal) => arrivals[ordinal]!)
  const sorted = (values: Float64Array) =>
    rowsOf(memberships).map((row) => row.toSorted((a, b) => values[b]! - values[a]! || a - b))
  return {
    orders: {
      'topic rank': rowsOf({ ...memberships, members }),
      score: sorted(mass),
      followers: sorted(followers),
    },
    scores: Array.from(scores, (score) => score / 100),
  }
}

/** The columns of the connections; handles that nobody owns get the numbers behind the people's. */
function connectionsOf({ people, connections }: Community): Connections {
  const handles = new Map<number, number>()
  const nodeOf = (end: number) => {
    if (end >= 0) return end
    const node = handles.get(end) ?? people.length + handles.size
    handles.set(end, node)
    return node
  }
  const from = Uint32Array.from(connections, (connection) => nodeOf(connection.from))
  const to = Uint32Array.from(connections, (connection) => nodeOf(connection.to))
  const weights = Float64Array.from(connections, ({ weight }) => weight)
  const kinds = Uint8Array.from(connections, ({ isSymmetric }) => Number(isSymmetric))
  const nodes = people.length + handles.size
  return { nodes, from, to, weights, kinds, areSymmetric: [false, true] }
}

function sdusOf(count: number) {
  const sdus = new Interner()
  for (let person = 0; person < count; person += 1) sdus.intern(String(person + 1))
  return sdus.table()
}

function membershipsIn({ people, topics: count }: Community): Memberships {
  const topics = people.flatMap((person) => person.topics)
  const starts = new Uint32Array(people.length + 1)
  people.forEach((person, number) => {
    starts[number + 1] = starts[number]! + person.topics.length
  })
  return membershipsOf(
    starts,
    Uint32Array.from(topics, ({ topic }) => topic),
    Float64Array.from(topics, ({ weight }) => weight),
    count,
  )
}

function rowsOf({ starts, members }: Memberships): number[][] {
  return Array.from({ length: starts.length - 1 }, (_, topic) => [
    ...members.subarray(starts[topic]!, starts[topic + 1]!),
  ])
}
