/**
 * What a request asks for, by way of its parameters: whatever they are and however they are
 * spelled.
 */
import type { RouteName } from '../../operations.ts'
import type { Served } from '../served.ts'
import type { Body } from '../write/body.ts'
import { writeFound, writeMatches, writeProfiles, writeUnion } from '../write/item-lists.ts'
import {
  type Pairs,
  type Parsed,
  parseHandles,
  parseLimit,
  parsePairs,
  parseSdus,
  parseText,
} from './parameters.ts'

/** What a request asks for, once its parameters are read. */
export interface Ask {
  /** How many queries it is charged as: one, or one for each SDU or handle. */
  readonly queries: number
  /** Writes the items of the answer, comma between items. */
  readonly write: (served: Served, body: Body) => void
}

/** Reads the query string of a route: what it asks for, or what is wrong with it. */
export function readAsk(route: RouteName, query: string): Parsed<Ask> {
  const pairs = parsePairs(query)
  return pairs.problem === undefined ? asks[route](pairs.value, query) : pairs
}

const asks: Readonly<Record<RouteName, (pairs: Pairs, query: string) => Parsed<Ask>>> = {
  search: readSearch,
  detail: readDetail,
  peers: readPeers,
  match: readMatch,
}

/** Search: the first `limit` authorities for the text, kept for whoever asks the same. */
function readSearch(pairs: Pairs, query: string): Parsed<Ask> {
  const text = parseText(pairs)
  if (text.problem !== undefined) return text
  const limit = parseLimit(pairs)
  if (limit.problem !== undefined) return limit
  const write: Ask['write'] = (served, body) =>
    served.cache.keepMissed(query, writeFound(served, text.value, limit.value, body))
  return { value: { queries: 1, write } }
}

/** Detail: the profiles of the SDUs that are known, in the order of the request. */
function readDetail(pairs: Pairs): Parsed<Ask> {
  const sdus = parseSdus(pairs)
  if (sdus.problem !== undefined) return sdus
  const write: Ask['write'] = ({ catalog }, body) =>
    writeProfiles(
      catalog,
      sdus.value.map((sdu) => catalog.findSdu(sdu)),
      body,
    )
  return { value: { queries: sdus.value.length, write } }
}

/** Peers: the union of the peers of all handles by authority score, ranked from 1. */
function readPeers(pairs: Pairs): Parsed<Ask> {
  const handles = parseHandles(pairs)
  if (handles.problem !== undefined) return handles
  const limit = parseLimit(pairs)
  if (limit.problem !== undefined) return limit
  const write: Ask['write'] = ({ catalog }, body) => {
    const lists = handles.value.map(({ query }) => catalog.peersOf(query))
    writeUnion(catalog, lists, limit.value, body)
  }
  return { value: { queries: handles.value.length, write } }
}

/**
 * Match: the owners of each handle in the order of the request; when several handles were asked
 * for, each item says which one it answers.
 */
function readMatch(pairs: Pairs): Parsed<Ask> {
  const handles = parseHandles(pairs)
  if (handles.problem !== undefined) return handles
  const write: Ask['write'] = ({ catalog }, body) => writeMatches(catalog, handles.value, body)
  return { value: { queries: handles.value.length, write } }
}
