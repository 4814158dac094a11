/**
 * Records in the process: one FlexSearch index over name, topics and bio for every search, maps for
 * everything else. Items are kept as ready-made text.
 */
import { Index } from 'flexsearch'
import type { Authority, Items } from './items.ts'
import type { Records } from './records.ts'

/** Fills the index in the order of authority, which is how it answers equal matches. */
export async function openFlexsearch(items: Items): Promise<Records> {
  const index = new Index()
  const authorities: Authority[] = []
  const bySdu = new Map<string, string>()
  for (const authority of items.authorities()) {
    index.add(authorities.length, authority.text)
    bySdu.set(authority.sdu, authority.profile)
    authorities.push(authority)
  }
  const summary = (ordinal: number, rank: number) => authorities[ordinal]!.summary.join(`${rank}`)
  const summaries = (ordinals: Iterable<number>) =>
    Array.from(ordinals, (ordinal, position) => summary(ordinal, position + 1)).join(',')
  const handles = Array.from(items.handles())
  const owners = new Map(handles.map((handle) => [handle, items.ownersOf(handle)]))
  const peers = new Map(handles.map((handle) => [handle, items.peersOf(handle, 50)]))
  return {
    search: (query, limit) => summaries(index.search(query, { limit }) as number[]),
    detail: (sdu) => bySdu.get(sdu) ?? '',
    peers: (handle, limit) => summaries(peers.get(handle)?.subarray(0, limit) ?? []),
    match: (handle) =>
      (owners.get(handle) ?? []).map(({ ordinal, rank }) => summary(ordinal, rank)).join(','),
  }
}
