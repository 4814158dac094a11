/**
 * Checks that the evidence of ranks agrees with the ranks: own parts, endorsers, and provenance of records. It relies
 * on the proofs of `verify.ts` about texts, columns and lists.
 */
import { limits } from '../../limits.ts'
import { EndorserLists, startCount, startShift } from '../endorser-lists.ts'
import { type Counts, endorserCounts, type Sections, wholeOf } from '../sections.ts'
import { areSmallCounts } from '../small-counts.ts'
import { areBelow, type Check, type Finding, type Rest, stepLength } from './contradiction.ts'

/** In this order: a later check may read through what an earlier one has proved. */
export const evidenceChecks: readonly Check[] = [
  checkRanks,
  checkEndorserCounts,
  checkOwnShares,
  checkEndorserColumns,
  checkEndorsers,
  checkOwnWholes,
  checkLosses,
  checkUnowned,
  checkProvenances,
]

/** There is evidence of every member of a topic, and of every authority. */
function checkRanks(sections: Sections, counts: Counts): Finding {
  return counts.ranks === sections['topic.members'].length + counts.authorities
    ? undefined
    : { section: 'evidence.own-shares', problem: 'length is not the number of ranks' }
}

/** No rank has more endorsers than there are nodes. */
function checkEndorserCounts(sections: Sections, counts: Counts, rest: Rest): Finding {
  if (!areSmallCounts(endorserCounts(sections), rest)) {
    return { section: 'evidence.many-ranks', problem: 'not those whom many endorse' }
  }
  return areBelow(sections['evidence.many-counts'], counts.nodes + 1, rest)
    ? undefined
    : { section: 'evidence.many-counts', problem: 'there are not so many who endorse' }
}

/** A share is its own part, and more only if the rank has endorsers. */
function checkOwnShares(sections: Sections, counts: Counts, rest: Rest): Finding {
  const own = sections['evidence.own-shares']
  const endorsers = sections['evidence.endorser-counts']
  const shareOf = sharesOf(sections)
  for (let rank = 0; rank < own.length; rank += 1) {
    if (rank % stepLength === 0) rest()
    const endorsement = shareOf(rank) - own[rank]!
    if (endorsers[rank]! > counts.nodes) {
      return { section: 'evidence.endorser-counts', problem: 'there are not so many who endorse' }
    }
    // A share that would round to 0 is stored as 1.
    if (endorsement >= 0 && (endorsement <= 1 || endorsers[rank]! > 0)) continue
    return { section: 'evidence.own-shares', problem: `rank ${rank} is not made of its parts` }
  }
  return undefined
}

function sharesOf(sections: Sections): (rank: number) => number {
  const topics = sections['topic.shares']
  const authorities = sections['authority.shares']
  // Reading behind the end of an array is slow.
  const members = topics.length
  return (rank) => (rank < members ? topics[rank]! : authorities[rank - members]!)
}

/**
 * The strongest endorsers stand where they are to be named, the strongest first, and give no more than
 * the endorsement; in a topic all of them are authorities.
 */
function checkEndorsers(sections: Sections, counts: Counts, rest: Rest): Finding {
  const starts = sections['evidence.starts']
  const ownShares = sections['evidence.own-shares']
  const endorsers = sections['evidence.endorsers']
  const shares = sections['evidence.endorser-shares']
  const members = sections['topic.members'].length
  const shareOf = sharesOf(sections)
  const lengthOf = namedLengths(sections, counts)
  let index = 0
  for (let rank = 0; rank < counts.ranks; rank += 1) {
    if (rank % stepLength === 0) rest()
    const start = index
    const end = start + lengthOf(rank)
    const isStart = rank % (1 << startShift) === 0
    if (end > endorsers.length || (isStart && starts[rank >>> startShift] !== start)) {
      return { section: 'evidence.starts', problem: `rank ${rank} has not its own endorsers` }
    }
    // Each was rounded.
    let left = shareOf(rank) - ownShares[rank]! + limits.endorsersPerRankMax
    const below = rank < members ? counts.authorities : counts.nodes
    for (; index < end; index += 1) {
      const share = shares[index]!
      left -= share
      if (endorsers[index]! >= below) {
        return { section: 'evidence.endorsers', problem: 'an endorser is no member of the topic' }
      }
      if (left < 0 || (index > start && share > shares[index - 1]!)) {
        return { section: 'evidence.endorser-shares', problem: `rank ${rank} has not those shares` }
      }
    }
  }
  return index === endorsers.length && starts.length === startCount(counts.ranks)
    ? undefined
    : { section: 'evidence.starts', problem: 'length is not that of all endorsers' }
}

/** Returns the number of named endorsers of a rank; call it with ascending ranks. */
function namedLengths(sections: Sections, counts: Counts): (rank: number) => number {
  const starts = sections['topic.member-starts']
  const lists = new EndorserLists(sections)
  let ranking = 0
  return (rank) => {
    while (ranking < counts.topics && rank >= starts[ranking + 1]!) ranking += 1
    return lists.lengthOf(rank, ranking)
  }
}

/** Checks that each named endorser has a share and a valid kind of connection. */
function checkEndorserColumns(sections: Sections, counts: Counts, rest: Rest): Finding {
  const { length } = sections['evidence.endorsers']
  for (const section of ['evidence.endorser-shares', 'evidence.endorser-kinds'] as const) {
    if (sections[section].length === length) continue
    return { section, problem: 'length is not the number of endorsers' }
  }
  return areBelow(sections['evidence.endorser-kinds'], counts.kinds, rest)
    ? undefined
    : { section: 'evidence.endorser-kinds', problem: 'a reference is out of range' }
}

/** Checks the sum of the own shares in each topic, and of all authorities. */
function checkOwnWholes(sections: Sections, counts: Counts, rest: Rest): Finding {
  const own = sections['evidence.own-shares']
  const wholes = sections['evidence.own-wholes']
  const starts = [...sections['topic.member-starts'], own.length]
  if (wholes.length !== counts.topics + 1) {
    return { section: 'evidence.own-wholes', problem: 'length is not that of all rankings' }
  }
  for (let ranking = 0; ranking < wholes.length; ranking += 1) {
    if (ranking % (stepLength / 128) === 0) rest()
    if (wholeOf(own.subarray(starts[ranking], starts[ranking + 1])) === wholes[ranking]) continue
    return { section: 'evidence.own-wholes', problem: `ranking ${ranking} has not its own whole` }
  }
  return undefined
}

/** No rank loses more endorsers than it has, and it falls by one place before it falls by ten. */
function checkLosses(sections: Sections, _counts: Counts, rest: Rest): Finding {
  const one = sections['evidence.losses-to-fall-1']
  const ten = sections['evidence.losses-to-fall-10']
  const endorsers = sections['evidence.endorser-counts']
  for (let rank = 0; rank < one.length; rank += 1) {
    if (rank % stepLength === 0) rest()
    const least = one[rank]!
    const most = ten[rank]!
    if (least > endorsers[rank]!) {
      return {
        section: 'evidence.losses-to-fall-1',
        problem: `rank ${rank} has not so many to lose`,
      }
    }
    if (most > endorsers[rank]! || (most > 0 && (least === 0 || most < least))) {
      return {
        section: 'evidence.losses-to-fall-10',
        problem: `rank ${rank} falls by ten before one`,
      }
    }
  }
  return undefined
}

/** Each node without an owner stands where its column says. */
function checkUnowned(sections: Sections, counts: Counts, rest: Rest): Finding {
  const problem = 'a handle that nobody owns is not where it is said to be'
  const places = sections['unowned.places']
  const nodes = sections['handle.nodes']
  if (places.length !== counts.nodes - counts.authorities) {
    return { section: 'unowned.places', problem }
  }
  for (let index = 0; index < places.length; index += 1) {
    if (index % stepLength === 0) rest()
    if (nodes[places[index]!] !== counts.authorities + index) {
      return { section: 'unowned.places', problem }
    }
  }
  return undefined
}

function checkProvenances(sections: Sections, counts: Counts, rest: Rest): Finding {
  const provenances = sections['authority.provenances']
  if (provenances.length !== (counts.provenances === 0 ? 0 : counts.authorities)) {
    return { section: 'authority.provenances', problem: 'length is not that of all who have one' }
  }
  return areBelow(provenances, counts.provenances + 1, rest)
    ? undefined
    : { section: 'authority.provenances', problem: 'a reference is out of range' }
}
