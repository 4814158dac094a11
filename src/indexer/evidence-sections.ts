/** Evidence: the parts of every rank in a topic, then those of every rank by authority score. */

import { connectionKinds } from '../connection-kinds.ts'
import { encodeTexts } from '../memory/text-table.ts'
import { startsOf } from '../snapshot/endorser-lists.ts'
import { wholeOf } from '../snapshot/sections.ts'
import { smallCountsOf } from '../snapshot/small-counts.ts'
import { type Collector, noScore } from './collector.ts'
import { type Evidence, partOf, type Ranked } from './ranking/evidence.ts'
import type { Order } from './ranking/scores.ts'
import { named } from './text-sections.ts'

/** Adds the ranks by score to `evidence`, which has those in topics. */
export function evidenceSections(
  collector: Collector,
  evidence: Evidence,
  topicStarts: Uint32Array,
  ranked: Ranked,
  order: Order,
) {
  const shares = authorityShares(collector.scores.view(), evidence, ranked, order)
  const ownShares = evidence.ownShares.view()
  const starts = [...topicStarts, ownShares.length]
  const endorsers = smallCountsOf(evidence.endorserCounts.view())
  return {
    'authority.shares': shares,
    'evidence.own-shares': ownShares,
    'evidence.own-wholes': Uint32Array.from({ length: topicStarts.length }, (_, ranking) =>
      wholeOf(ownShares.subarray(starts[ranking], starts[ranking + 1])),
    ),
    'evidence.endorser-counts': endorsers.small,
    'evidence.many-ranks': endorsers.entries,
    'evidence.many-counts': endorsers.counts,
    'evidence.starts': startsOf(evidence.endorsers.starts.view(), ownShares.length),
    'evidence.endorsers': evidence.endorsers.values.view(),
    'evidence.endorser-shares': evidence.endorserShares.view(),
    'evidence.endorser-kinds': evidence.endorserKinds.view(),
    'evidence.losses-to-fall-1': evidence.losses[0].view(),
    'evidence.losses-to-fall-10': evidence.losses[1].view(),
    ...named('kind', encodeTexts(connectionKinds)),
  }
}

/** By ordinal what each authority has of all mass; nothing, and no evidence, where its record says the score. */
function authorityShares(
  ownScores: Uint32Array,
  evidence: Evidence,
  ranked: Ranked,
  { arrivals, ordinals }: Order,
): Uint32Array {
  const nodeOf = (node: number) => ordinals[node] ?? node
  const shares = arrivals.map((arrival) =>
    // A part that exists is never written as 0.
    ownScores[arrival] === noScore ? Math.max(1, partOf(ranked.masses.mass[arrival]!)) : 0,
  )
  shares.forEach((share, ordinal) => {
    const gapTo = (places: number) => share - leastBehind(shares, ordinal, places)
    if (share === 0) evidence.addNone()
    else evidence.add(ranked, arrivals[ordinal]!, share, nodeOf, true, gapTo)
  })
  return shares
}

/** Least share of the next `places` people; -Infinity if one has no share or does not exist. */
function leastBehind(shares: Uint32Array, ordinal: number, places: number): number {
  let least = Number.POSITIVE_INFINITY
  for (let place = ordinal + 1; place <= ordinal + places; place += 1) {
    least = Math.min(least, shares[place] || Number.NEGATIVE_INFINITY)
  }
  return least
}

/** Of each node without an owner, its place among the nodes of handles. */
export function unownedPlaces(handleNodes: Uint32Array, authorities: number, nodes: number) {
  const places = new Uint32Array(nodes - authorities)
  handleNodes.forEach((node, place) => {
    if (node >= authorities) places[node - authorities] = place
  })
  return places
}
