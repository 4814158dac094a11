/**
 * The order by topics against sorting everybody: small and large, from the top and by looking at all,
 * from its beginning and behind a mark.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Catalog } from '../../../../src/engine/catalog.ts'
import { TopicOrder } from '../../../../src/engine/interpret/ranking.ts'
import { type DocSet, unionOf } from '../../../../src/engine/postings/doc-set.ts'
import { Postings } from '../../../../src/engine/postings/postings.ts'
import { snapshotOf } from '../../../support/built.ts'
import { authority, topic } from '../../../support/records.ts'

const countries = ['France', 'Peru', 'Chad']
/** One in so many people has the topic of this place. */
const rarities = [1, 2, 3, 50, 700]
const count = 2_500

/** Whole numbers that look drawn, the same every time. */
function drawn(person: number, what: number): number {
  return Math.imul(Math.imul(person + 1, 2654435761) ^ Math.imul(what + 1, 40503), 2246822519) >>> 8
}

const authorities = Array.from({ length: count }, (_, person) =>
  authority({
    sdu: String(person + 1),
    countryName: countries[drawn(person, 9) % countries.length]!,
    topics: rarities.flatMap((rarity, place) =>
      drawn(person, place) % rarity === 0
        ? [topic(`Topic ${place}`, ((drawn(person, 20 + place) % 999) + 1) / 1000)]
        : [],
    ),
  }),
)
const snapshot = snapshotOf({ authorities })
const { sections, header } = snapshot
const catalog = new Catalog(snapshot)
const postings = new Postings(sections, header.counts)

/** The topic of a place, and what each of its members has of it. */
function topicOf(place: number) {
  const number = catalog.findTopic(`topic ${place}`)
  const { start, end } = catalog.membersOf(number)
  const members = sections['topic.members'].subarray(start, end)
  const shares = new Map(
    Array.from(members, (ordinal, at) => [ordinal, sections['topic.shares'][start + at]! + 1]),
  )
  return { number, shares, rank: (ordinal: number) => members.indexOf(ordinal) + 1 }
}

it('gives those with the most of all topics first, then the others by authority', () => {
  const plan = fc.record({
    places: fc.uniqueArray(fc.nat(rarities.length - 1), { minLength: 1, maxLength: 3 }),
    country: fc.option(fc.nat(countries.length - 1), { nil: undefined }),
    isAny: fc.boolean(),
    limit: fc.integer({ min: 1, max: 50 }),
    /** Where among the members a mark is put, of all of them. */
    share: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  })
  fc.assert(
    fc.property(plan, ({ places, country, isAny, limit, share }) => {
      const topics = places.map(topicOf)
      const lists: DocSet[] = topics.map(({ number }) => postings.meaning(number))
      const place = (each: number) => postings.meaning(header.counts.topics + each)
      const all = isAny ? [unionOf([...lists, place(0)])] : lists
      if (country !== undefined) all.push(place(country))
      const isWanted = (ordinal: number) =>
        all.every((each) => each.mayContain(ordinal) && each.contains(ordinal))
      const valueIn = (ordinal: number) =>
        topics.reduce((sum, { shares }) => sum + (shares.get(ordinal) ?? 0), 0)
      const expected = Array.from({ length: count }, (_, ordinal) => ordinal)
        .filter(isWanted)
        .sort((a, b) => valueIn(b) - valueIn(a) || rankOr(topics, a) - rankOr(topics, b) || a - b)
      const numbers = topics.map(({ number }) => number)
      const order = new TopicOrder(catalog, postings, numbers)
      expect(order.first(all, limit)).toEqual(expected.slice(0, limit))
      const members = expected.filter((ordinal) => order.valueOf(ordinal) > 0)
      const ordinal = members[Math.floor(members.length * share)] ?? -1
      if (ordinal >= 0) {
        const mark = { value: order.valueOf(ordinal), ordinal }
        const behind = expected.slice(expected.indexOf(ordinal) + 1)
        expect(order.first(all, limit, mark)).toEqual(behind.slice(0, limit))
      }
      if (topics.length > 1) return
      for (const ordinal of expected.slice(0, limit)) {
        expect(order.rankOf(ordinal)).toBe(topics[0]!.rank(ordinal))
      }
    }),
    { numRuns: 300 },
  )
})

/** Of one topic the rank decides between shares that are equal when they are rounded. */
function rankOr(topics: readonly { rank: (ordinal: number) => number }[], ordinal: number): number {
  return topics.length === 1 ? topics[0]!.rank(ordinal) : 0
}
