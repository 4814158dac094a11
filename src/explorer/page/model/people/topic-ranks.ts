/**
 * The rank of a person in one topic, and how to ask for it: by a handle, which gives every rank, or by SDU
 * if the person has none, which gives the first 50.
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

/** The request for the rank of a person in a topic. */
export function topicRankQuery({ sdu, socials }: RankedPerson, topic: string): ApiQuery {
  const handle = firstHandle(socials)
  return handle === '' ? historyQuery(sdu, topic) : rankQuery(handle, topic)
}

/** Reads the answer to that request; of several items of the person the first is the last that happened. */
export function placeAmong(
  items: readonly TopicRankItem[],
  sdu: string,
  topic: string,
): TopicPlace | undefined {
  const item = items.find((each) => each.sdu === sdu)
  if (item === undefined) return undefined
  const { rank, explanation } = item
  return { rank, of: explanation?.topic === topic ? explanation.of : undefined }
}

/** A place in words: `3 of 23`. */
export function placeText(place: TopicPlace | undefined): string {
  if (place === undefined) return '–'
  if (place.rank === null) return '> 50'
  const rank = wholeText(place.rank)
  return place.of === undefined ? rank : `${rank} of ${wholeText(place.of)}`
}
