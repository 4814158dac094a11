/** Farms: what a nobody can buy to look like an authority. People keep their numbers. */
import type { Community, Connection, Person } from './community.ts'

export interface Client {
  readonly person: number
  readonly topic: number
}

export type Farm = (community: Community, client: Client, fakes: number) => Community

export const farms: Readonly<Record<string, Farm>> = {
  'followers that are only counted': (community, { person }, fakes) => ({
    ...community,
    people: community.people.map((each, number) =>
      number === person ? { ...each, followers: each.followers + fakes } : each,
    ),
  }),
  'collaborations that are only claimed': (community, client, fakes) =>
    withConnections(community, claimed(community, client, fakes)),
  'handles that nobody owns': (community, { person }, fakes) =>
    withConnections(community, followersOf(fakeHandles(fakes), person)),
  'the same, followed back': (community, { person }, fakes) =>
    withConnections(community, mutual(fakeHandles(fakes), person)),
  'authorities of other topics': (community, { person, topic }, fakes) =>
    withConnections(
      withPeople(community, fakes, (topic + 1) % community.topics),
      followersOf(newcomers(community, fakes), person),
    ),
  'authorities of the topic': (community, { person, topic }, fakes) =>
    withConnections(
      withPeople(community, fakes, topic),
      followersOf(newcomers(community, fakes), person),
    ),
  'the same ones, followed back': (community, { person, topic }, fakes) =>
    withConnections(
      withPeople(community, fakes, topic),
      mutual(newcomers(community, fakes), person),
    ),
}

function fakeHandles(count: number): number[] {
  return Array.from({ length: count }, (_, index) => -1_000_000_000 - index)
}

function newcomers({ people }: Community, count: number): number[] {
  return Array.from({ length: count }, (_, index) => people.length + index)
}

/** Adds authorities without followers, with one topic. */
function withPeople(community: Community, count: number, topic: number): Community {
  const fake: Person = { followers: 0, topics: [{ topic, weight: 1, skill: 0 }] }
  const fakes = Array.from({ length: count }, () => fake)
  return { ...community, people: [...community.people, ...fakes] }
}

function withConnections(community: Community, more: readonly Connection[]): Community {
  return { ...community, connections: [...community.connections, ...more] }
}

function followersOf(fakes: readonly number[], to: number): Connection[] {
  return fakes.map((from) => ({ from, to, weight: 1, isSymmetric: false }))
}

/** With as many of the topic as there are, those first who have most followers. */
function claimed({ people }: Community, { person, topic }: Client, count: number): Connection[] {
  const members = [...people.keys()].filter(
    (number) => number !== person && people[number]!.topics.some((each) => each.topic === topic),
  )
  members.sort((a, b) => people[b]!.followers - people[a]!.followers || a - b)
  return members.slice(0, count).map((to) => ({ from: person, to, weight: 1, isSymmetric: true }))
}

function mutual(fakes: readonly number[], to: number): Connection[] {
  return [
    ...followersOf(fakes, to),
    ...fakes.map((fake) => ({ from: to, to: fake, weight: 1, isSymmetric: false })),
  ]
}
