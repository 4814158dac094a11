/** The people for a text: the ready-made ranking of a topic, the first who match, or a page of them. */
import type { Catalog } from '../../engine/catalog.ts'
import { inTopics } from '../../engine/explain/rank-evidence.ts'
import type { Found, Understood } from '../../engine/interpret/found.ts'
import { limits } from '../../limits.ts'
import type { TextPiece } from '../../memory/copy-text.ts'
import { type FieldName, holdsProfile } from '../../request-parameters.ts'
import type { ActiveSnapshot } from '../active-snapshot.ts'
import type { CachedAnswer, Written } from '../answer-cache.ts'
import type { Parsed } from '../exchange.ts'
import type { Body } from '../items/body.ts'
import { itemFormOf, writeItems } from '../items/write-items.ts'
import { decoded, fastTail, firstEnd } from '../parameters/fast-parse.ts'
import type { Explain } from '../schemas/values.ts'
import { type Page, type PageQuery, pageOf, parsePage } from './lists/people-pages.ts'
import { operation } from './operation.ts'

interface SearchQuery {
  readonly text: string
  readonly limit: number
  readonly explain: Explain
  /** Undefined for summaries. */
  readonly fields: readonly FieldName[] | undefined
  /** Whether another word for a topic finds its members. */
  readonly related: boolean
  /** Undefined if only the first items are wanted. */
  readonly page: PageQuery | undefined
}

function searchedProfilesMax({ fields, limit }: SearchQuery): number {
  return holdsProfile(fields) ? limit : 0
}

const queryIs = 'query='

/** Parses a text that comes first, and a limit and fields behind it. */
export function fastParseSearch(query: string): SearchQuery | undefined {
  if (!query.startsWith(queryIs)) return undefined
  const end = firstEnd(query)
  const tail = fastTail(query, end)
  const text = decoded(query.slice(queryIs.length, end))?.trim()
  if (tail === undefined || text === undefined || text === '') return undefined
  if (text.length > limits.queryCharactersMax) return undefined
  const { limit, fields } = tail
  const related = true
  const page = undefined
  return { text, limit, explain: false, fields, related, page }
}

interface SearchResult extends Found {
  /** The reading of the text; absent unless it is asked for. */
  readonly understood?: Understood | undefined
  /** Absent if no page is wanted. */
  readonly page?: Page
}

export function findSearch(served: ActiveSnapshot, query: SearchQuery): SearchResult {
  const { text, limit, explain, page } = query
  const { search } = served
  // A page needs only what the text means, which any one who is found shows.
  const found = search.find(text, page === undefined ? limit : 1, query)
  // Most searches ask for nothing else: another object would be garbage of each.
  if (page === undefined && explain === false) return found
  const understood = explain === false ? undefined : search.understood(found, text)
  if (page === undefined) return { ...found, understood }
  const shown = pageOf(served, search.matched(found), page, limit)
  const { ordinals, ranks } = shown
  return { ...found, ordinals, ranks, understood, page: shown }
}

/** Returns a piece of a section, or of the body until its next `begin`; a page behind a cursor is not cached. */
export function renderSearch(
  { catalog }: ActiveSnapshot,
  query: SearchQuery,
  { way, topic, understood, ordinals, ranks, page, parts }: SearchResult,
  body: Body,
): CachedAnswer | Written {
  const members = understood === undefined ? '' : `,"query":${JSON.stringify(understood)}`
  const start = body.length
  const explainsItems = query.explain === true
  if (topic >= 0 && page === undefined && query.fields === undefined && !explainsItems) {
    const piece = copyRanking(catalog, topic, query.limit, body)
    if (piece !== undefined) {
      return { ...piece, isOfSection: true, way, members, profiles: 0, profilesMax: 0 }
    }
    return body.answerFrom(start, way, members, 0)
  }
  const explained = explainsItems
    ? inTopics(parts.map((part) => part.topic).filter((meant) => meant >= 0))
    : undefined
  writeItems(catalog, ordinals, body, ranks, itemFormOf(query, explained))
  const more = members + (page?.members ?? '')
  if (typeof query.page?.start === 'object') return { way, members: more }
  return body.answerFrom(start, way, more, searchedProfilesMax(query))
}

/** Copies the ready-made ranking of a topic; returns the piece of the section that it is, if that is in memory. */
function copyRanking(
  catalog: Catalog,
  topic: number,
  limit: number,
  body: Body,
): TextPiece | undefined {
  const { rankedItems: items } = catalog
  const { start: first, end: last } = catalog.itemsOfTopic(topic, limit)
  if (items.isInMemory) {
    const { source } = items.pageOf(first)
    const [start, end] = [items.startOf(first), items.endOf(last - 1)]
    body.slice(source, start, end)
    return { source, start, end }
  }
  for (let item = first; item < last; item += 1) body.entry(items, item)
  return undefined
}

export const search = operation('search', {
  isCached: true,
  fastParse: fastParseSearch,
  understand: (values, { cursors }): Parsed<SearchQuery> => {
    const { query: text, limit, explain, fields, related } = values
    // A cursor goes on in the list that it was made for.
    const list = related ? ['search', text] : ['search', text, 'unrelated']
    const { value: page, problem } = parsePage(list, values, cursors)
    if (problem !== undefined) return { problem }
    return { value: { text, limit, explain, fields, related, page } }
  },
  profilesMax: searchedProfilesMax,
  find: findSearch,
  render: renderSearch,
})
