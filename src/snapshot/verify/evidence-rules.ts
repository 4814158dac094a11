/** Rules of the evidence of ranks: own parts, endorsers, and provenance of records. */
import { limits } from '../../limits.ts'
import { EndorserLists, startCount, startShift } from '../endorser-lists.ts'
import { endorserCounts, wholeOf } from '../sections.ts'
import { areSmallCounts } from '../small-counts.ts'
import { areBelow, countsAs, every, isSo, type Rules, type Verified } from './rule.ts'

export function* evidenceRules(verified: Verified): Rules {
  yield* partRules(verified)
  yield* endorserRules(verified)
  yield* lossRules(verified)
  yield* provenanceRules(verified)
}

/** There is evidence of every member of a topic, and of every authority: an own part, and endorsers of the rest. */
function* partRules({ sections, counts }: Verified): Rules {
  const own = sections['evidence.own-shares']
  const endorsers = sections['evidence.endorser-counts']
  const starts = sections['topic.member-starts']
  const ranks = sections['topic.members'].length + counts.authorities
  yield isSo('evidence.own-shares', counts.ranks === ranks, 'there are not so many ranks')
  const areSplit = areSmallCounts(endorserCounts(sections))
  yield isSo('evidence.many-ranks', areSplit, 'not those whom many endorse')
  const shareOf = sharesOf(sections)
  yield every('evidence.own-shares', ['rank', ranks], 'is not made of its parts', (rank) => {
    const endorsement = shareOf(rank) - own[rank]!
    // A share that would round to 0 is stored as 1.
    return endorsement >= 0 && (endorsement <= 1 || endorsers[rank]! > 0)
  })
  const wholes = sections['evidence.own-wholes']
  yield countsAs('evidence.own-wholes', wholes, counts.topics + 1, 'rankings')
  const rankings = ['ranking', counts.topics + 1, 64] as const
  yield every('evidence.own-wholes', rankings, 'has not the sum of its own parts', (ranking) => {
    const end = ranking === counts.topics ? own.length : starts[ranking + 1]
    return wholeOf(own.subarray(starts[ranking], end)) === wholes[ranking]
  })
}

function sharesOf(sections: Verified['sections']): (rank: number) => number {
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
function* endorserRules({ sections, counts }: Verified): Rules {
  const endorsers = sections['evidence.endorsers']
  const shares = sections['evidence.endorser-shares']
  const starts = sections['evidence.starts']
  const own = sections['evidence.own-shares']
  const members = sections['topic.members'].length
  const shareOf = sharesOf(sections)
  const lengthOf = namedLengths(sections, counts.topics)
  const listStarts = new Uint32Array(counts.ranks + 1)
  let total = 0
  yield every('evidence.starts', ['rank', counts.ranks], 'has not its own endorsers', (rank) => {
    const isStart = rank % (1 << startShift) === 0
    if (isStart && starts[rank >>> startShift] !== total) return false
    total += lengthOf(rank)
    listStarts[rank + 1] = total
    return total <= endorsers.length
  })
  const areAll = total === endorsers.length && starts.length === startCount(counts.ranks)
  yield isSo('evidence.starts', areAll, 'length is not that of all endorsers')
  const ofTopics = endorsers.subarray(0, listStarts[members])
  yield areBelow('evidence.endorsers', ofTopics, counts.authorities)
  const ranks = ['rank', counts.ranks] as const
  yield every('evidence.endorser-shares', ranks, 'has endorsers of other shares', (rank) => {
    const start = listStarts[rank]!
    // Each was rounded.
    let left = shareOf(rank) - own[rank]! + limits.endorsersPerRankMax
    for (let index = start; index < listStarts[rank + 1]!; index += 1) {
      left -= shares[index]!
      if (left < 0 || (index > start && shares[index]! > shares[index - 1]!)) return false
    }
    return true
  })
}

/** Returns the number of named endorsers of a rank; call it with ascending ranks. */
function namedLengths(sections: Verified['sections'], topics: number): (rank: number) => number {
  const starts = sections['topic.member-starts']
  const lists = new EndorserLists(sections)
  let ranking = 0
  return (rank) => {
    while (ranking < topics && rank >= starts[ranking + 1]!) ranking += 1
    return lists.lengthOf(rank, ranking)
  }
}

/** No rank loses more endorsers than it has, and it falls by one place before it falls by ten. */
function* lossRules({ sections }: Verified): Rules {
  const one = sections['evidence.losses-to-fall-1']
  const ten = sections['evidence.losses-to-fall-10']
  const endorsers = sections['evidence.endorser-counts']
  const ranks = ['rank', one.length] as const
  yield every('evidence.losses-to-fall-1', ranks, 'has not so many to lose', (rank) => {
    return one[rank]! <= endorsers[rank]!
  })
  yield every('evidence.losses-to-fall-10', ranks, 'falls by ten places before one', (rank) => {
    const [least, most] = [one[rank]!, ten[rank]!]
    return most === 0 || (most <= endorsers[rank]! && least > 0 && most >= least)
  })
}

function* provenanceRules({ sections, counts }: Verified): Rules {
  const places = sections['unowned.places']
  const nodes = sections['handle.nodes']
  const unowned = counts.nodes - counts.authorities
  yield countsAs('unowned.places', places, unowned, 'handles without an owner')
  yield every('unowned.places', ['handle', unowned], 'is not where it is said to be', (index) => {
    return nodes[places[index]!] === counts.authorities + index
  })
  const provenances = sections['authority.provenances']
  const isGiven = counts.provenances > 0
  const stated = isGiven ? counts.authorities : 0
  yield countsAs('authority.provenances', provenances, stated, 'people who have one')
}
