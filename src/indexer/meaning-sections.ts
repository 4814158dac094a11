/** Meanings: the people of a topic, place or attribute as postings, and the phrases for them. */
import { Lists } from '../memory/columns.ts'
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
  const lists = new Lists()
  const topicRanks = new Uint32Array(ranked.length)
  for (let topic = 0; topic + 1 < starts.length; topic += 1) {
    const start = starts[topic]!
    const members = ranked.subarray(start, starts[topic + 1])
    const order = Uint32Array.from(members, (_, position) => position)
    order.sort((a, b) => members[a]! - members[b]!)
    lists.values.append(order.map((position) => members[position]!))
    lists.end()
    topicRanks.set(
      order.map((position) => position + 1),
      start,
    )
  }
  for (const ordinals of people) {
    lists.values.append(ordinals)
    lists.end()
  }
  return {
    ...fieldSections('meaning', lists.view(), arrivals.length),
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
  const lists = new Lists()
  for (const numbers of countries) {
    lists.values.append(numbers)
    lists.end()
  }
  const { starts, values } = lists.view()
  return { 'place.starts': starts, 'place.countries': values }
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
