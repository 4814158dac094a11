/**
 * Changes of handles and connections, each identified together with its owner. A share of all
 * handles says nothing of a single one, nor one of all connections of a kind: so each handle that
 * is worth taking, or that a new record has taken, waits for a confirmation, and kinds of
 * connections are compared each by itself.
 */
import { limits } from '../../limits.ts'
import { allTexts, countOf, textAt } from '../../memory/text-table.ts'
import type { StoredFacts } from '../../snapshot/facts.ts'
import { Identities } from '../../snapshot/people/identities.ts'
import { forClaims, Owners } from '../../snapshot/people/owners.ts'
import { StoredPeers } from '../../snapshot/people/peer-lists.ts'
import { tableOf, textsOf } from '../../snapshot/text-tables.ts'
import { topicKey } from '../../text/analyzer.ts'
import { entriesIn, type Pair, personNamesOf, shareOf } from './pair.ts'

interface ClaimChanges {
  readonly gone: number
  /** Those that their owner did not have, as a share of those before. */
  readonly new: number
  /** Share of those known by connections only that are gone. */
  readonly unownedGone: number
}

/** O(handles). */
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
 * Only the best are kept of each person, so one who would come behind the last of a full list is
 * not missed. O(peers).
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

/** The best by authority score, whose handles are worth taking. */
const bestMax = 1_000
const namedMax = 10

/**
 * The end of a refusal. A person who went, and whose handle a namesake from before has now, was
 * merged: that takes no handle from a person. O(handles).
 * @param confirmed handles, `platform:key`.
 */
export function takenHandles(pair: Pair, confirmed: ReadonlySet<string>): string | undefined {
  const { before, next, successors, predecessors } = pair
  const owners = new Owners(next)
  const [was, is] = [new Identities(before), new Identities(next)]
  const [nameBefore, nameNext] = [personNamesOf(before), personNamesOf(next)]
  const isSameName = (owner: number, now: number) =>
    topicKey(nameBefore(owner)) === topicKey(nameNext(now))
  const taken: string[] = []
  const platforms = allTexts(textsOf(before, 'platform'))
  const handles = textsOf(before, 'handle')
  forClaims(before, (handle, owner, platform) => {
    if (owner >= before.header.counts.authorities) return
    const end = `${platforms[platform]}:${textAt(handles, handle)}`
    const now = owners.ordinalOf(end)
    if (now === undefined || predecessors[now] === owner || confirmed.has(end)) return
    const isOfBest = owner < bestMax || now < bestMax
    const isNew = predecessors[now]! < 0
    if (!isOfBest && !isNew) return
    const isMerged = successors[owner]! < 0 && !isNew && isSameName(owner, now)
    if (!isMerged) taken.push(`${end} from SDU ${was.sduOf(owner)} to ${is.sduOf(now)}`)
  })
  if (taken.length === 0) return undefined
  const ends = taken.slice(0, namedMax).map((each) => each.slice(0, each.indexOf(' from SDU ')))
  const more = taken.length > namedMax ? `, … (${taken.length})` : ''
  const what = taken.slice(0, namedMax).join(', ')
  return `handles of the ${bestMax} best or of new records have other owners: ${what}${more}; confirm with --accept-handle ${ends.join()} or a correction`
}

/** Smaller kinds say nothing. */
const endorsementsMin = 20

interface KindChanges {
  readonly gone: number
  /** Growth of the share of a kind in all endorsement. */
  readonly grown: number
}

/** Of the strongest endorsers that ranks are explained by. O(endorsers). */
export function kindChanges({ before, next }: Pair): KindChanges {
  const had = kindsOf(before)
  const has = kindsOf(next)
  let gone = 0
  let grown = 0
  for (const [kind, { count, share }] of has) {
    const was = had.get(kind) ?? { count: 0, share: 0 }
    if (count >= endorsementsMin) grown = Math.max(grown, share - was.share)
  }
  for (const [kind, { count }] of had) {
    if (count >= endorsementsMin) gone = Math.max(gone, 1 - (has.get(kind)?.count ?? 0) / count)
  }
  return { gone, grown: had.size === 0 ? 0 : grown }
}

function kindsOf({ sections }: StoredFacts): Map<string, { count: number; share: number }> {
  const names = textsOf({ sections }, 'kind')
  const counts = new Float64Array(countOf(names))
  const sums = new Float64Array(countOf(names))
  const shares = sections['evidence.endorser-shares']
  sections['evidence.endorser-kinds'].forEach((kind, index) => {
    counts[kind]! += 1
    sums[kind]! += shares[index]!
  })
  const whole = sums.reduce((sum, value) => sum + value, 0)
  return new Map(
    Array.from(counts, (count, kind) => {
      return [textAt(names, kind), { count, share: shareOf(sums[kind]!, whole) }]
    }),
  )
}
