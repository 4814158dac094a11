/** Changes of handles and connections, each identified together with its owner. */
import { limits } from '../../limits.ts'
import { allTexts } from '../../memory/text-table.ts'
import type { StoredFacts } from '../../snapshot/facts.ts'
import { forClaims } from '../../snapshot/people/owners.ts'
import { StoredPeers } from '../../snapshot/people/peer-lists.ts'
import { tableOf, textsOf } from '../../snapshot/text-tables.ts'
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
  const platformsBefore = allTexts(textsOf(before, 'platform'))
  const platformsNext = allTexts(textsOf(next, 'platform'))
  const counted = { owned: 0, kept: 0, unowned: 0, unownedGone: 0 }
  forClaims(before, (handle, node, platform) => {
    if (node >= successors.length) {
      counted.unowned += 1
      if (found[handle]! < 0) counted.unownedGone += 1
    } else if (successors[node]! >= 0) {
      counted.owned += 1
      const number = platformsNext.indexOf(platformsBefore[platform]!)
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
