/** Meanings: the people of a topic, place or attribute as postings, and the phrases for them. */
import type { ListView } from '../memory/columns.ts'
import { Interner } from '../memory/interner.ts'
import type { AttributeIndex } from './attributes.ts'
import { fieldSections } from './field-sections.ts'
import { peopleOf } from './people-lists.ts'
import type { PlaceNames } from './places.ts'
import type { Order } from './ranking/scores.ts'
import type { Memberships } from './ranking/topic-ranks.ts'
import { tabled } from './text-sections.ts'
import type { TopicPhrases } from './topic-phrases.ts'

/** @param people of the meanings behind the topics, ascending. */
export function meaningSections(
  { starts }: Pick<Memberships, 'starts'>,
  ranked: Uint32Array,
  people: readonly Uint32Array[],
  { arrivals }: Order,
) {
  const topics = starts.length - 1
  const lists: ListView = {
    starts: new Uint32Array(topics + people.length + 1),
    values: new Uint32Array(people.reduce((sum, { length }) => sum + length, ranked.length)),
  }
  lists.starts.set(starts)
  const topicRanks = new Uint32Array(ranked.length)
  for (let topic = 0; topic < topics; topic += 1) {
    const members = ranked.subarray(starts[topic], starts[topic + 1])
    const order = Uint32Array.from(members, (_, position) => position)
    order.sort((a, b) => members[a]! - members[b]!)
    order.forEach((position, index) => {
      lists.values[starts[topic]! + index] = members[position]!
      topicRanks[starts[topic]! + index] = position + 1
    })
  }
  people.forEach((ordinals, meaning) => {
    const start = lists.starts[topics + meaning]!
    lists.values.set(ordinals, start)
    lists.starts[topics + meaning + 1] = start + ordinals.length
  })
  return {
    ...fieldSections('meaning', lists, arrivals.length),
    'meaning.topic-ranks': topicRanks,
  }
}

/** The ordinals of the people of each place, ascending. */
export function peopleOfPlaces(
  { countries }: PlaceNames,
  authorityCountries: Uint32Array,
  { arrivals }: Pick<Order, 'arrivals'>,
): Uint32Array[] {
  const placesOf = new Map<number, number[]>()
  countries.forEach((numbers, place) => {
    for (const country of numbers) placesOf.set(country, [...(placesOf.get(country) ?? []), place])
  })
  return peopleOf(
    countries.length,
    arrivals.length,
    (ordinal) => placesOf.get(authorityCountries[arrivals[ordinal]!]!) ?? [],
  )
}

export function placeSections({ countries }: PlaceNames) {
  const starts = new Uint32Array(countries.length + 1)
  countries.forEach((numbers, place) => {
    starts[place + 1] = starts[place]! + numbers.length
  })
  return { 'place.starts': starts, 'place.countries': Uint32Array.from(countries.flat()) }
}

/** Sections of phrases, each with the numbers of its meanings: counted from 1, 0 for none. */
export function phraseSections(
  topics: Pick<TopicPhrases, 'meant' | 'behind' | 'related'>,
  { phrases, codes, absent }: PlaceNames,
  attributes: Pick<AttributeIndex, 'phrases' | 'codes'>,
) {
  const texts = new Interner()
  const numbers = [
    ['phrase.topics', topics.meant],
    ['phrase.topics-behind', topics.behind],
    ['phrase.related', topics.related],
    ['phrase.places', phrases],
    ['phrase.codes', codes],
    ['phrase.attributes', attributes.phrases],
    ['phrase.attribute-codes', attributes.codes],
  ] as const
  const columns = numbers.map(([section, meanings]) => {
    const values: number[] = []
    for (const [phrase, meant] of meanings) values[texts.intern(phrase)] = meant + 1
    return [section, values] as const
  })
  const sections = columns.map(([section, values]) => [
    section,
    Uint32Array.from({ length: texts.length }, (_, phrase) => values[phrase] ?? 0),
  ])
  return {
    ...tabled('phrase', texts.table()),
    ...(Object.fromEntries(sections) as Record<(typeof numbers)[number][0], Uint32Array>),
    'absent-country.keys': new TextEncoder().encode([...absent].join('\n')),
  }
}
