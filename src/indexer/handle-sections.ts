/**
 * Handles as the snapshot has them: one entry a key, whatever the platforms, with a node for each
 * platform it is used on and one list of peers.
 */

import { uint32Column } from '../memory/columns.ts'
import type { Collector } from './collector.ts'
import { byNumber, setsOf } from './people-lists.ts'
import { rowStarts } from './ranking/graph.ts'
import type { PeerLists } from './ranking/peers.ts'

/** Nodes of each handle by ascending node, then platform; and the handles with several nodes. */
interface HandleNodes {
  readonly starts: Uint32Array
  readonly nodes: Uint32Array
  readonly platforms: Uint32Array
  readonly shared: Uint32Array
}

/**
 * A handle whose claims are one node has that node's peers; one with several nodes gets a list of
 * its own: the peers of any of them, none of them included.
 * @param peers already holding the list of every node, in the order of the nodes.
 */
export function handleNodes(
  collector: Collector,
  order: { readonly arrivals: Uint32Array; readonly ordinals: Uint32Array },
  peers: PeerLists,
): HandleNodes {
  const { starts, nodes, platforms } = claimsByHandle(collector, order.ordinals)
  const shared = uint32Column()
  for (let handle = 0; handle + 1 < starts.length; handle += 1) {
    const own = nodes.subarray(starts[handle], starts[handle + 1])
    // They ascend, so that the first and the last are one only when all are.
    if (own[0] === own.at(-1)) continue
    peers.add(Array.from(new Set(own), (node) => order.arrivals[node] ?? node))
    shared.push(handle)
  }
  return { starts, nodes, platforms, shared: shared.view() }
}

/** The platforms that each authority has handles on: each combination once, in ascending numbers. */
export function platformSections(
  { nodes, platforms }: Pick<HandleNodes, 'nodes' | 'platforms'>,
  collector: Pick<Collector, 'authorities' | 'nodes'>,
) {
  const held = byNumber(nodes, platforms, collector.nodes)
  const sets = setsOf(collector.authorities, (owner) => {
    const own = held.values.subarray(held.starts[owner], held.starts[owner + 1]).sort()
    return own.filter((platform, index) => platform !== own[index - 1])
  })
  return {
    'authority.platform-sets': sets.setOf,
    'platform-set.starts': sets.starts,
    'platform-set.platforms': sets.values,
  }
}

function claimsByHandle(collector: Collector, ordinals: Uint32Array): Omit<HandleNodes, 'shared'> {
  const { claims } = collector
  const handles = claims.claimHandles.view()
  const claimed = claims.claimNodes.view()
  const used = claims.claimPlatforms.view()
  const counts = new Uint32Array(claims.handles.length + 1)
  for (const handle of handles) counts[handle + 1]! += 1
  const { starts, ends } = rowStarts(counts)
  const nodes = new Uint32Array(handles.length)
  const platforms = new Uint32Array(handles.length)
  handles.forEach((handle, claim) => {
    const node = ordinals[claimed[claim]!] ?? claimed[claim]!
    // Put behind those that come before it: a handle has few.
    let at = ends[handle]!++
    for (; at > starts[handle]!; at -= 1) {
      const more = nodes[at - 1]! - node || platforms[at - 1]! - used[claim]!
      if (more <= 0) break
      nodes[at] = nodes[at - 1]!
      platforms[at] = platforms[at - 1]!
    }
    nodes[at] = node
    platforms[at] = used[claim]!
  })
  return { starts, nodes, platforms }
}
