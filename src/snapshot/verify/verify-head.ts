/** Checks that the sections of a head agree with the others: ranks among all are no better than places in the head. */
import type { Counts, Sections } from '../sections.ts'
import type { Check, Finding, Rest } from './contradiction.ts'
import { stepLength } from './contradiction.ts'

/** Of a snapshot that is no head there is nothing to check. */
export const headChecks: readonly Check[] = [checkHeadRanks]

/** The ranks of the members of a topic ascend; those in core topics are among them. */
function checkHeadRanks(sections: Sections, counts: Counts, rest: Rest): Finding {
  if (counts.people === undefined) return undefined
  const { 'head.member-ranks': ranks, 'head.core-ranks': coreRanks } = sections
  const starts = sections['topic.member-starts']
  if (ranks?.length !== sections['topic.members'].length) {
    return { section: 'head.member-ranks', problem: 'length is not that of all members' }
  }
  for (let topic = 0; topic < counts.topics; topic += 1) {
    if (topic % (stepLength / 128) === 0) rest()
    for (let at = starts[topic]!, before = 0; at < starts[topic + 1]!; at += 1) {
      const rank = ranks[at]!
      if (rank <= before) return { section: 'head.member-ranks', problem: 'ranks do not ascend' }
      before = rank
    }
  }
  const [topics, places] = [sections['authority.core-topics'], sections['authority.core-ranks']]
  const isOwn = (rank: number, ordinal: number) =>
    ranks[starts[topics[ordinal]!]! + places[ordinal]! - 1] === rank
  return coreRanks?.length === counts.authorities && coreRanks.every(isOwn)
    ? undefined
    : { section: 'head.core-ranks', problem: 'a rank is not the one in the core topic' }
}
