/**
 * The merges of people. A source that finds two records to be one person keeps one SDU and gives it the handles of the
 * other: a person who went was merged into the person who has come to own any of their handles, if that is one
 * person only.
 */
import { findText, Scratch } from '../../memory/text-table.ts'
import type { StoredFacts } from '../../snapshot/facts.ts'
import { tableOf } from '../../snapshot/text-tables.ts'
import type { ComparedFacts } from './facts.ts'
import type { Pair } from './pair.ts'

/**
 * The people who own a handle of a person who went, and did not own it before: ordinals next. A namesake
 * who owned it all along took nothing over.
 */
export function ownersElsewhere(
  pair: Pair,
  before: ComparedFacts,
  next: ComparedFacts,
  was: number,
): number[] {
  const owners = new Set<number>()
  for (const claim of before.claimsOf(was)) {
    const handle = before.handleText(claim)
    const key = handle.slice(before.platforms[claim.platform]!.length + 1)
    for (const owner of ownersOf(pair.next, key)) {
      if (!next.handlesOf(owner).includes(handle)) continue
      const predecessor = pair.predecessors[owner]!
      const hadIt = predecessor >= 0 && before.handlesOf(predecessor).includes(handle)
      if (!hadIt) owners.add(owner)
    }
  }
  return [...owners]
}

/** The owners of a handle on all platforms. */
function ownersOf(snapshot: StoredFacts, key: string): number[] {
  const handle = findText(tableOf(snapshot, 'handle'), key, new Scratch())
  if (handle < 0) return []
  const { sections, header } = snapshot
  const starts = sections['handle.node-starts']
  const nodes = sections['handle.nodes'].subarray(starts[handle], starts[handle + 1])
  return [...new Set(nodes)].filter((node) => node < header.counts.authorities)
}
