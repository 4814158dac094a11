/**
 * What a request asks for, by way of its parameters: whatever they are and however they are
 * spelled.
 */
import type { RouteName } from '../../operations.ts'
import type { KeptItems } from '../answer-cache.ts'
import type { Served } from '../served.ts'
import type { Body } from '../write/body.ts'
import { writeFound, writeMatches, writeProfiles, writeUnion } from '../write/item-lists.ts'
import { type ParameterValues, type Parsed, parsePairs, readParameters } from './parameters.ts'

/** What a request asks for, once its parameters are read. */
export interface Ask {
  /** How many queries it is charged as: one, or one for each SDU or handle. */
  readonly queries: number
  /** Writes the items of the answer, comma between items; returns what a search wrote. */
  readonly write: (served: Served, body: Body) => KeptItems | undefined
}

/** Reads the query string of a route: what it asks for, or what is wrong with it. */
export function readAsk<R extends RouteName>(route: R, query: string): Parsed<Ask> {
  const pairs = parsePairs(query)
  if (pairs.problem !== undefined) return pairs
  const values = readParameters(route, pairs.value)
  return values.problem === undefined ? { value: asks[route](values.value, query) } : values
}

const asks: { readonly [R in RouteName]: (values: ParameterValues<R>, query: string) => Ask } = {
  /** The first `limit` authorities for the text, kept for whoever asks the same. */
  search: ({ query: text, limit, explain }, query) => ({
    queries: 1,
    write: (served, body) => {
      const items = writeFound(served, { text, limit, explain }, body)
      served.cache.keepMissed(query, items)
      return items
    },
  }),

  /** The profiles of the SDUs that are known, in the order of the request. */
  detail: ({ sdus }) => ({
    queries: sdus.length,
    write: ({ catalog }, body) => {
      const ordinals = sdus.map((sdu) => catalog.findSdu(sdu))
      writeProfiles(catalog, ordinals, body)
    },
  }),

  /** The union of the peers of all handles by authority score, ranked from 1. */
  peers: ({ handles, limit }) => ({
    queries: handles.length,
    write: ({ catalog }, body) => {
      const lists = handles.map(({ query }) => catalog.peersOf(query))
      writeUnion(catalog, lists, limit, body)
    },
  }),

  /**
   * The owners of each handle in the order of the request; when several handles were asked for, each
   * item says which one it answers.
   */
  match: ({ handles }) => ({
    queries: handles.length,
    write: ({ catalog }, body) => {
      writeMatches(catalog, handles, body)
    },
  }),
}
