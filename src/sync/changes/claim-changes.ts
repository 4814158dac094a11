/** Changes of handles and connections, each identified together with its owner. */
import { limits } from '../../limits.ts'
import { textAt } from '../../memory/text-table.ts'
import type { StoredFacts } from '../../snapshot/facts.ts'
import { StoredPeers } from '../../snapshot/people/peer-lists.ts'
import { tableOf } from '../../snapshot/text-tables.ts'
import { entriesIn, type Pair, shareOf } from './pair.ts'

/** Changes of the handles of the people in both snapshots, and of handles without an owner. */
interface ClaimChanges {
  /** The share of the handles that their owner has no more. */
  readonly gone: number
  /** The handles that their owner did not have, as a share of those that there were. */
  readonly new: number
  /** The share of the handles without an owner, known by connections only, that are in no record now. */
  readonly unownedGone: number
}

/** Compares handles by platform, key and owner. O(handles). */
export function claimChanges({ before, next, successors, predecessors }: Pair): ClaimChanges {
  const found = entriesIn(tableOf(before, 'handle'), tableOf(next, 'handle'))
  const platformsOfNext = platformsOf(next)
  const counted = { owned: 0, kept: 0, unowned: 0, unownedGone: 0 }
  forClaims(before, (handle, node, platform) => {
    if (node >= successors.length) {
      counted.unowned += 1
      if (found[handle]! < 0) counted.unownedGone += 1
    } else if (successors[node]! >= 0) {
      counted.owned += 1
      const number = platformsOfNext.indexOf(platform)
      if (isClaimed(next, found[handle]!, successors[node]!, number)) counted.kept += 1
    }
  })
  let owned = 0
  forClaims(next, (_, node) => {
    if ((predecessors[node] ?? -1) >= 0) owned += 1
  })
  return {
    gone: shareOf(counted.owned - counted.kept, counted.owned),
    new: shareOf(owned - counted.kept, counted.owned),
    unownedGone: shareOf(counted.unownedGone, counted.unowned),
  }
}

/** Visits every handle with each of its nodes and the name of the platform. */
function forClaims(
  snapshot: StoredFacts,
  visit: (handle: number, node: number, platform: string) => void,
): void {
  const { sections } = snapshot
  const starts = sections['handle.node-starts']
  const platforms = platformsOf(snapshot)
  for (let handle = 0; handle + 1 < starts.length; handle += 1) {
    for (let at = starts[handle]!; at < starts[handle + 1]!; at += 1) {
      visit(handle, sections['handle.nodes'][at]!, platforms[sections['handle.platforms'][at]!]!)
    }
  }
}

function platformsOf({ sections }: StoredFacts): string[] {
  const platforms = { text: sections['platform.text'], ends: sections['platform.ends'] }
  return Array.from(platforms.ends, (_, platform) => textAt(platforms, platform))
}

function isClaimed({ sections }: StoredFacts, handle: number, node: number, platform: number) {
  if (handle < 0) return false
  const starts = sections['handle.node-starts']
  for (let at = starts[handle]!; at < starts[handle + 1]!; at += 1) {
    const isNode = sections['handle.nodes'][at] === node
    if (isNode && sections['handle.platforms'][at] === platform) return true
  }
  return false
}

/**
 * The share of the peers of the people in both who are connected with them no more. Only the best
 * are kept of each, so one who would come behind the last of a full list is not missed. O(peers).
 */
export function peersGone({ before, next, successors }: Pair): number {
  const [listsBefore, listsNext] = [
    new StoredPeers(before.sections),
    new StoredPeers(next.sections),
  ]
  let peers = 0
  let gone = 0
  successors.forEach((successor, ordinal) => {
    if (successor < 0) return
    const now = listsNext.of(successor)
    const isFull = now.length === limits.peersPerHandleMax
    const end = isFull ? now.at(-1)! : Number.POSITIVE_INFINITY
    const kept = new Set(now)
    for (const peer of listsBefore.of(ordinal)) {
      const peerNow = successors[peer]!
      if (peerNow < 0) continue
      peers += 1
      if (peerNow < end && !kept.has(peerNow)) gone += 1
    }
  })
  return shareOf(gone, peers)
}
