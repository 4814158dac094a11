/** References below a count: as wide as that takes, and read the same at every width. */
import { expect, it } from 'vitest'
import { TopicLists } from '../../../src/engine/facets/topic-lists.ts'
import { typeOf } from '../../../src/snapshot/references.ts'
import type { References, Sections } from '../../../src/snapshot/sections.ts'
import { fixtureSnapshot } from '../../support/snapshot-fixture.ts'

it.each([
  [256, 'uint8'],
  [257, 'uint16'],
  [0x7ff0, 'uint16'],
  [0x7ff1, 'uint32'],
] as const)('of %i topics are %s', (topics, type) => {
  const { counts } = fixtureSnapshot().header
  expect(typeOf('authority.topics', { ...counts, topics })).toBe(type)
})

it.each([
  [Uint8Array, 256],
  [Uint16Array, 0x7ff0],
  [Uint32Array, 100_000],
])('are counted the same: %o', (Elements, topics) => {
  const people = 5_000
  const starts = new Uint32Array(people + 1)
  for (let person = 0; person < people; person += 1) {
    starts[person + 1] = starts[person]! + 1 + (person % 5)
  }
  // The largest stand beside each other: as doubles, numbers of two bytes could be NaN there.
  const all = Array.from({ length: starts[people]! }, (_, at) =>
    at % 3 === 0 ? (at * 7) % topics : topics - 1 - (at % 5),
  )
  const values: References = new Elements(all)
  const sections = { 'authority.topics': values, 'authority.topic-starts': starts }
  const counts = new Uint32Array(topics)
  const ordinals = Uint32Array.from({ length: people }, (_, person) => person)
  new TopicLists(sections as unknown as Sections, counts).count(ordinals, people)
  const expected = new Uint32Array(topics)
  for (const topic of all) expected[topic]! += 1
  expect(counts).toEqual(expected)
})
