/** References below a count: as wide as that takes. */
import { expect, it } from 'vitest'
import { typeOf } from '../../../src/snapshot/sections.ts'
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
