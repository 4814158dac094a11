/**
 * The topics of a head: the members among its people in their order, with their ranks among all members. Shares are
 * scaled so that those of a topic are its whole again: they give the order of a search, and explain nothing.
 */
import { startCount } from '../../snapshot/endorser-lists.ts'
import type { Snapshot } from '../../snapshot/file.ts'
import { type Sections, wholeOf, wholeShare } from '../../snapshot/sections.ts'
import { topicItemSections } from '../topic-items.ts'

/** A snapshot to cut. */
export type Cuttable = { readonly header: Pick<Snapshot['header'], 'counts'> } & Pick<
  Snapshot,
  'sections'
>

/** Members of the topics, one topic behind the other. */
interface Members {
  readonly starts: Uint32Array
  readonly members: Uint32Array
  readonly shares: Uint32Array
  /** Rank of each among all members. */
  readonly ranks: Uint32Array
}

/** The sections of topics, and the columns of ranks and evidence that follow from them. */
export function topicsOfHead(whole: Cuttable, people: number) {
  const { sections } = whole
  const kept = membersOf(sections, people)
  const { starts, members, shares, ranks } = kept
  return {
    'topic.member-starts': starts,
    'topic.members': members,
    'topic.shares': shares,
    ...topicItemSections(sections, kept, (position) => ranks[position]!),
    'authority.core-ranks': coreRanks(sections, kept, people),
    'head.core-ranks': sections['authority.core-ranks'].slice(0, people),
    'head.member-ranks': ranks,
    ...withoutEvidence(sections, kept, people),
  }
}

function membersOf(sections: Sections, people: number): Members {
  const whole = sections['topic.member-starts']
  const [all, shares] = [sections['topic.members'], sections['topic.shares']]
  const kept = all.reduce((sum, member) => sum + Number(member < people), 0)
  const own = {
    starts: new Uint32Array(whole.length),
    members: new Uint32Array(kept),
    shares: new Uint32Array(kept),
    ranks: new Uint32Array(kept),
  }
  let end = 0
  for (let topic = 0; topic + 1 < whole.length; topic += 1) {
    const start = end
    let sum = 0
    for (let at = whole[topic]!; at < whole[topic + 1]!; at += 1) {
      if (all[at]! >= people) continue
      own.members[end] = all[at]!
      own.ranks[end] = at - whole[topic]! + 1
      own.shares[end] = shares[at]!
      sum += shares[at]!
      end += 1
    }
    // Scaled up, so that shares that differ still do.
    for (let at = start; at < end; at += 1) {
      own.shares[at] = Math.min(wholeShare, Math.round((own.shares[at]! / sum) * wholeShare))
    }
    own.starts[topic + 1] = end
  }
  return own
}

/** Place of each person in its core topic, from 1. */
function coreRanks(sections: Sections, { starts, members }: Members, people: number): Uint32Array {
  const core = sections['authority.core-topics']
  const places = new Uint32Array(people)
  for (let topic = 0; topic + 1 < starts.length; topic += 1) {
    for (let at = starts[topic]!; at < starts[topic + 1]!; at += 1) {
      if (core[members[at]!] === topic) places[members[at]!] = at - starts[topic]! + 1
    }
  }
  return places
}

const nothing = new Uint8Array(0)

/** No rank of a head has endorsers: its share is its own. */
function withoutEvidence(sections: Sections, { starts, shares }: Members, people: number) {
  const own = new Uint32Array(shares.length + people)
  own.set(shares)
  own.set(sections['authority.shares'].subarray(0, people), shares.length)
  const ends = [...starts, own.length]
  const wholes = ends.slice(1).map((end, ranking) => wholeOf(own.subarray(ends[ranking], end)))
  const none = () => new Uint32Array(0)
  return {
    'evidence.own-shares': own,
    'evidence.endorser-counts': new Uint8Array(own.length),
    'evidence.many-ranks': none(),
    'evidence.many-counts': none(),
    'evidence.starts': new Uint32Array(startCount(own.length)),
    'evidence.endorsers': none(),
    'evidence.endorser-shares': none(),
    'evidence.endorser-kinds': nothing,
    'evidence.own-wholes': Uint32Array.from(wholes),
    'evidence.losses-to-fall-1': new Uint8Array(own.length),
    'evidence.losses-to-fall-10': new Uint8Array(own.length),
  }
}
