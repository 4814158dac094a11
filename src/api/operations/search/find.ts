/** Finds the people for a text: the ready-made ranking of a topic, the first who match, or a page of them. */
import type { Found, Understood } from '../../../engine/interpret/found.ts'
import type { ActiveSnapshot } from '../../active-snapshot.ts'
import { type Page, pageOf } from '../lists/listing-pages.ts'
import type { SearchQuery } from './parse.ts'

/** The result of a search: what was found, and what was asked for besides. */
export interface SearchResult extends Found {
  /** The reading of the text; absent unless it is asked for. */
  readonly understood?: Understood | undefined
  /** Absent if no page is wanted. */
  readonly page?: Page
}

/** Finds whom a search shows. */
export function findSearch(served: ActiveSnapshot, query: SearchQuery): SearchResult {
  const { text, limit, explain, page } = query
  const { search } = served
  // A page needs only what the text means, which any one who is found shows.
  const found = search.find(text, page === undefined ? limit : 1, query)
  // Most searches ask for nothing else: another object would be garbage of each.
  if (page === undefined && explain === 'nothing') return found
  const understood = explain === 'nothing' ? undefined : understoodOf(served, text, found)
  if (page === undefined) return { ...found, understood }
  const shown = pageOf(served, search.matched(found), page, limit)
  const { ordinals, ranks } = shown
  return { ...found, ordinals, ranks, understood, page: shown }
}

/** The reading of a text; without a result, also other searches to try. */
function understoodOf({ search }: ActiveSnapshot, text: string, found: Found): Understood {
  const understood = search.understood(found)
  if (found.way !== 'nobody') return understood
  return { ...understood, suggestions: search.suggestionsFor(text) }
}
