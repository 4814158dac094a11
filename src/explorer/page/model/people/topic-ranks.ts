/**
 * The ranks of people in one topic, and how to ask for them: by a handle, which gives every rank, or by SDU
 * if a person has none, which gives the first 50.
 */
import type { Profile, TopicRankItem } from '../answers.ts'
import { type ApiQuery, historyQuery, rankQuery } from '../requests.ts'
import { wholeText } from '../wording.ts'
import { firstHandle } from './handles.ts'

/** A person whose rank is requested. */
export type RankedPerson = Pick<Profile, 'sdu' | 'socials'>

/** A rank in a topic. */
export interface TopicPlace {
  /** Null if the person stands behind the known ranks. */
  readonly rank: number | null
  /** Number of ranked people; undefined if the answer does not say. */
  readonly of: number | undefined
}

/** The places of people in a topic, by SDU. */
export type TopicPlaces = ReadonlyMap<string, TopicPlace>

/** The request for the ranks of people in a topic. */
export function topicRanksQuery(people: readonly RankedPerson[], topic: string): ApiQuery {
  const handles = people.map(({ socials }) => firstHandle(socials))
  return handles.includes('')
    ? historyQuery(people.map(({ sdu }) => sdu).join(','), topic)
    : rankQuery(handles, topic)
}

/** Reads the answer to that request; of several items of a person the first is the last that happened. */
export function placesIn(items: readonly TopicRankItem[], topic: string): TopicPlaces {
  const places = new Map<string, TopicPlace>()
  for (const { sdu, rank, explanation } of items) {
    if (sdu === null || places.has(sdu)) continue
    const of = explanation?.topic === topic ? explanation.of : undefined
    places.set(sdu, { rank, of })
  }
  return places
}

/** A place in words: `3 of 23`. */
export function placeText(place: TopicPlace | undefined): string {
  if (place === undefined) return '–'
  if (place.rank === null) return '> 50'
  const rank = wholeText(place.rank)
  return place.of === undefined ? rank : `${rank} of ${wholeText(place.of)}`
}
