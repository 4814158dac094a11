/** Writes the answer to a search, and says what of it is to be cached. */

import { inTopics } from '../../../engine/explain/explained.ts'
import type { Understood, Way } from '../../../engine/interpret/found.ts'
import type { ActiveSnapshot } from '../../active-snapshot.ts'
import type { CachedAnswer, Written } from '../../answer-cache.ts'
import type { Body } from '../../items/body.ts'
import { fieldsWriter } from '../../items/item-fields.ts'
import { itemFormOf, writeItems } from '../../items/write-items.ts'
import { pageMembers } from '../lists/listing-pages.ts'
import { isBehindCursor } from '../lists/page-query.ts'
import type { SearchResult } from './find.ts'
import { type SearchQuery, searchedProfilesMax } from './parse.ts'

/**
 * Writes the items. What it returns is a piece of a section, or of the body, which lasts until the next
 * begins; a page behind a cursor is asked for too seldom to be cached.
 */
export function renderSearch(
  { catalog }: ActiveSnapshot,
  query: SearchQuery,
  { way, topic, understood, ordinals, ranks, page, parts }: SearchResult,
  body: Body,
): CachedAnswer | Written {
  const members = understood === undefined ? '' : `,"query":${understoodJson(understood)}`
  const explainsItems = query.explain === 'items'
  if (topic >= 0 && page === undefined && !explainsItems) {
    return writeRanking(catalog, topic, query, body, way, members)
  }
  const start = body.length
  writeItems(
    catalog,
    ordinals,
    body,
    ranks,
    itemFormOf(query, explainsItems ? inTopics(topicsOf(parts)) : undefined),
  )
  const more = members + pageMembers(page)
  if (isBehindCursor(query.page)) return { way, members: more }
  return body.answerFrom(start, way, more, searchedProfilesMax(query))
}

/** The topics that the parts of a text mean. */
function topicsOf(parts: SearchResult['parts']): readonly number[] {
  return parts.map(({ topic }) => topic).filter((topic) => topic >= 0)
}

/** Writes the first of a topic's ranking: as they lie ready, or of each the wanted fields. */
function writeRanking(
  catalog: ActiveSnapshot['catalog'],
  topic: number,
  query: SearchQuery,
  body: Body,
  way: Way,
  members: string,
): CachedAnswer {
  const { limit, fields } = query
  const { rankedItems: items } = catalog
  const { start: first, end: last } = catalog.itemsOfTopic(topic, limit)
  if (fields === undefined && items.isInMemory) {
    const { source } = items.pageOf(first)
    const [start, end] = [items.startOf(first), items.endOf(last - 1)]
    body.slice(source, start, end)
    return { source, start, end, isOfSection: true, way, members, profiles: 0, profilesMax: 0 }
  }
  const start = body.length
  if (fields !== undefined) fieldsWriter(fields).writeRanking(catalog, topic, limit, body)
  else for (let item = first; item < last; item += 1) body.entry(items, item)
  return body.answerFrom(start, way, members, searchedProfilesMax(query))
}

function understoodJson(understood: Understood): string {
  const { way, words, corrected, leftOut, countries, topics, suggestions } = understood
  const country = countries.length === 0 ? null : countries.join(', ')
  return JSON.stringify({
    way,
    words,
    corrected,
    left_out: leftOut,
    country,
    topics,
    suggestions,
  })
}
