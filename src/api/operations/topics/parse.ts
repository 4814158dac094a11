/** A request for a page of the topics. A place in the list is a size and a label. */

import type { ListParts } from '../../parameters/cursor.ts'
import { limitOf } from '../../parameters/meanings.ts'
import type { Parsed } from '../../parameters/pairs.ts'
import { queryParser } from '../../parameters/query-reader.ts'
import { parseCursor } from '../lists/list-page.ts'

/** The place behind the topic with this size and label. */
export interface TopicMark {
  readonly authorities: number
  readonly topic: string
}

/** A parsed request for topics. */
export interface TopicsQuery {
  readonly kind: 'topics'
  readonly count: 1
  /** The beginning of the topics; '' for all of them. */
  readonly typed: string
  readonly limit: number
  /** The mark behind which the page begins; undefined for the first page. */
  readonly behind: TopicMark | undefined
}

/** Parses a query string. */
export const parseTopics = queryParser('topics', (values, { cursors }): Parsed<TopicsQuery> => {
  const { query: typed = '', cursor } = values
  const limit = limitOf(values.limit)
  const place = parseCursor<TopicMark>(cursor, listOfTopics({ typed }), cursors)
  if (place.problem !== undefined) return place
  return { value: { kind: 'topics', count: 1, typed, limit, behind: place.value } }
})

/** The parts that identify the list of a request; its cursors belong to that list. */
export function listOfTopics({ typed }: Pick<TopicsQuery, 'typed'>): ListParts {
  return ['topics', typed]
}
