/** Finds the people for a text: the ready-made ranking of a topic, the first who match, or a page of them. */
import type { Found, Understood, Way } from '../../../engine/interpret/found.ts'
import type { ActiveSnapshot } from '../../active-snapshot.ts'
import { type Page, pageOf } from '../lists/listing-pages.ts'
import type { SearchQuery } from './parse.ts'

/** The people that a search shows. */
type Shown =
  | {
      readonly kind: 'ranking'
      /** The topic whose first members are shown, as the snapshot has them ready. */
      readonly topic: number
    }
  | {
      readonly kind: 'people'
      readonly ordinals: ArrayLike<number>
      readonly ranks: ArrayLike<number>
      /** Undefined if no page is wanted. */
      readonly page: Page | undefined
      /** The topics of the text, by which ranks are explained. */
      readonly topics: readonly number[]
    }

/** The result of a search. */
export interface SearchResult {
  readonly way: Way
  /** The reading of the text; undefined unless it is asked for. */
  readonly understood: Understood | undefined
  readonly shown: Shown
}

/** Finds whom a search shows. */
export function findSearch(
  served: ActiveSnapshot,
  { text, limit, explain, page, related }: SearchQuery,
): SearchResult {
  const { search } = served
  // A page needs only what the text means, which any one who is found shows.
  const found = search.find(text, page === undefined ? limit : 1, { related })
  const { way } = found
  const understood = explain === 'nothing' ? undefined : understoodOf(served, text, found)
  if (found.topic >= 0 && page === undefined && explain !== 'items') {
    return { way, understood, shown: { kind: 'ranking', topic: found.topic } }
  }
  const topics = topicsOf(found)
  if (page === undefined) {
    const { ordinals, ranks } = found
    return { way, understood, shown: { kind: 'people', ordinals, ranks, page, topics } }
  }
  const shown = pageOf(served, search.matched(found), page, limit)
  const { ordinals, ranks } = shown
  return { way, understood, shown: { kind: 'people', ordinals, ranks, page: shown, topics } }
}

const none: readonly never[] = []

/** The topics that the parts of a text mean: of most texts none. */
function topicsOf({ parts }: Found): readonly number[] {
  if (parts.every(({ topic }) => topic < 0)) return none
  return parts.map(({ topic }) => topic).filter((topic) => topic >= 0)
}

/** The reading of a text; without a result, also other searches to try. */
function understoodOf({ search }: ActiveSnapshot, text: string, found: Found): Understood {
  const understood = search.understood(found)
  if (found.way !== 'nobody') return understood
  return { ...understood, suggestions: search.suggestionsFor(text) }
}
