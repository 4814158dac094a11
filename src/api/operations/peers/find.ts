/** Finds the top authorities connected with handles: the union of their peers, each person once. */
import type { PeersOfLists } from '../../../engine/catalog.ts'
import { unionOf } from '../../../engine/postings/doc-set.ts'
import { listOf } from '../../../engine/postings/list.ts'
import type { ActiveSnapshot } from '../../active-snapshot.ts'
import { type Page, pageOf } from '../lists/listing-pages.ts'
import type { PeersQuery } from './parse.ts'

/** The peers that are shown, ranked by their positions, or a page of them with their ranks; good until the next request. */
export type PeersResult = Uint32Array | readonly number[] | Page

/** Whether peers are a page. Plain peers are a list and nothing else: an object around them is garbage for each request. */
export function isPage(result: PeersResult): result is Page {
  return !ArrayBuffer.isView(result) && !Array.isArray(result)
}

/** Finds the peers by authority score, ranked from 1. */
export function findPeers(served: ActiveSnapshot, query: PeersQuery): PeersResult {
  const { handles, limit, page } = query
  if (handles.length !== 1 || page !== undefined) return peersOfSeveral(served, query)
  const { catalog } = served
  return catalog.peersIn(catalog.peersOf(handles[0]!.query), limit)
}

/** Functions that keep what they are made in stay out of the path of one handle: there, that is garbage. */
function peersOfSeveral(served: ActiveSnapshot, { handles, limit, page }: PeersQuery): PeersResult {
  const { catalog } = served
  const lists = handles.map(({ query }) => catalog.peersOf(query))
  if (page === undefined) return mergeTop(catalog.peersOfLists(lists, limit), limit)
  const { ordinals, ends } = catalog.peersOfLists(lists)
  const peers = unionOf(ends.map((end, list) => listOf(ordinals, ends[list - 1] ?? 0, end)))
  const matched = { names: [[peers]], words: [], order: undefined, isRanked: false }
  return pageOf(served, matched, page, limit)
}

/** The first of some ascending lists together: merged, each once. O(limit × lists). */
function mergeTop({ ordinals, ends }: PeersOfLists, limit: number): number[] {
  const places = ends.map((_, list) => ends[list - 1] ?? 0)
  const top: number[] = []
  while (top.length < limit) {
    let next = Number.POSITIVE_INFINITY
    for (let list = 0; list < ends.length; list += 1) {
      const place = places[list]!
      if (place < ends[list]! && ordinals[place]! < next) next = ordinals[place]!
    }
    if (next === Number.POSITIVE_INFINITY) break
    top.push(next)
    for (let list = 0; list < ends.length; list += 1) {
      const place = places[list]!
      if (place < ends[list]! && ordinals[place] === next) places[list] = place + 1
    }
  }
  return top
}
