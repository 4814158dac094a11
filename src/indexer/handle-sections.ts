/**
 * Handles as the snapshot has them: one entry a key, whatever the platforms, with a node for each
 * platform it is used on and one list of peers.
 */

import { Lists } from '../memory/columns.ts'
import type { Collector } from './collector.ts'
import type { PeerLists } from './ranking/peers.ts'

/** Nodes of each handle by ascending node, then platform; and the peer list of each handle. */
export interface HandleNodes {
  readonly starts: Uint32Array
  readonly nodes: Uint32Array
  readonly platforms: Uint32Array
  readonly peerLists: Uint32Array
}

/**
 * Gathers the claims of each handle. A handle whose claims are one node has that node's peers; one
 * with several nodes gets a list of its own: the peers of any of them, none of them included.
 * @param arrivals of the authorities by ordinal, `ordinals` the other way round.
 * @param peers already holding the list of every node, in the order of the nodes.
 */
export function handleNodes(
  collector: Collector,
  order: { readonly arrivals: Uint32Array; readonly ordinals: Uint32Array },
  peers: PeerLists,
): HandleNodes {
  const claims = claimsByHandle(collector, order.ordinals)
  const lists = new Lists()
  const platforms = new Lists()
  const peerLists = new Uint32Array(claims.length)
  claims.forEach((entries, handle) => {
    entries.sort((a, b) => a.node - b.node || a.platform - b.platform)
    for (const { node, platform } of entries) {
      lists.values.push(node)
      platforms.values.push(platform)
    }
    lists.end()
    const distinct = [...new Set(entries.map(({ node }) => node))]
    peerLists[handle] =
      distinct.length === 1
        ? distinct[0]!
        : peers.add(distinct.map((node) => order.arrivals[node] ?? node))
  })
  return {
    starts: lists.starts.view(),
    nodes: lists.values.view(),
    platforms: platforms.values.view(),
    peerLists,
  }
}

interface ClaimedNode {
  readonly node: number
  readonly platform: number
}

/** The platforms that each authority has handles on: each combination once, in ascending numbers. */
export function platformSections({ starts, nodes, platforms }: HandleNodes, authorities: number) {
  const held: number[][] = Array.from({ length: authorities }, () => [])
  for (let index = 0; index < starts.at(-1)!; index += 1) {
    const own = held[nodes[index]!]
    if (own !== undefined && !own.includes(platforms[index]!)) own.push(platforms[index]!)
  }
  const known = new Map<string, number>()
  const sets = new Lists()
  const setOf = Uint32Array.from(held, (own) => {
    const ascending = own.sort((a, b) => a - b)
    const name = ascending.join()
    const set = known.get(name) ?? known.size
    if (set < known.size) return set
    known.set(name, set)
    for (const platform of ascending) sets.values.push(platform)
    sets.end()
    return set
  })
  return {
    'authority.platform-sets': setOf,
    'platform-set.starts': sets.starts.view(),
    'platform-set.platforms': sets.values.view(),
  }
}

function claimsByHandle(collector: Collector, ordinals: Uint32Array): ClaimedNode[][] {
  const handles = collector.claimHandles.view()
  const nodes = collector.claimNodes.view()
  const platforms = collector.claimPlatforms.view()
  const byHandle: ClaimedNode[][] = Array.from({ length: collector.handles.length }, () => [])
  for (let claim = 0; claim < handles.length; claim += 1) {
    const node = nodes[claim]!
    byHandle[handles[claim]!]!.push({ node: ordinals[node] ?? node, platform: platforms[claim]! })
  }
  return byHandle
}
