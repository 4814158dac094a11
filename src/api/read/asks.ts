/**
 * What a request asks for, by way of its parameters: whatever they are and however they are
 * spelled.
 */
import type { RouteName } from '../../operations.ts'
import type { KeptItems } from '../answer-cache.ts'
import type { Served } from '../served.ts'
import type { Body } from '../write/body.ts'
import { byScore, type Explained, inCoreTopic } from '../write/explanations.ts'
import { writeFound, writeMatches, writeProfiles, writeUnion } from '../write/item-lists.ts'
import {
  type Explain,
  type ParameterValues,
  type Parsed,
  parsePairs,
  readParameters,
} from './parameters.ts'

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
  detail: ({ sdus, explain }) => ({
    queries: sdus.length,
    write: ({ catalog }, body) => {
      const ordinals = sdus.map((sdu) => catalog.findSdu(sdu))
      writeProfiles(catalog, ordinals, body, explainedWhere(explain, inCoreTopic))
    },
  }),

  /** The union of the peers of all handles by authority score, ranked from 1. */
  peers: ({ handles, limit, explain }) => ({
    queries: handles.length,
    write: ({ catalog }, body) => {
      const lists = handles.map(({ query }) => catalog.peersOf(query))
      writeUnion(catalog, lists, limit, body, explainedWhere(explain, byScore))
    },
  }),

  /**
   * The owners of each handle in the order of the request; when several handles were asked for, each
   * item says which one it answers.
   */
  match: ({ handles, explain }) => ({
    queries: handles.length,
    write: ({ catalog }, body) => {
      writeMatches(catalog, handles, body, explainedWhere(explain, inCoreTopic))
    },
  }),
}

function explainedWhere(explain: Explain, explained: Explained): Explained | undefined {
  return explain === 'items' ? explained : undefined
}
