/** The rank of a person that an explanation is about, and its figures before anything writes them. */
import { wholeShare } from '../../snapshot/sections.ts'
import type { ExplainedRank, RankEvidence } from './rank-evidence.ts'

/** Chooses the rank of an authority that is explained: the one in a topic, or by authority score if it gives -1. */
export type Explained = (evidence: RankEvidence, ordinal: number) => number

export const inCoreTopic: Explained = (evidence, ordinal) => evidence.coreTopicOf(ordinal)

export const byScore: Explained = () => -1

/** Of some topics the rank in the one of which somebody has most; of none, by authority score. */
export function inTopics(topics: readonly number[]): Explained {
  return (evidence, ordinal) => evidence.topicOf(ordinal, topics)
}

const wholeParts = 1e10

/** A share in parts of 10¹⁰. */
export function sharePartsOf(share: number): number {
  return Math.round((share / wholeShare) * wholeParts)
}

/** The own part of a rank among all that is shared out, in parts of 10¹⁰. */
export function ownPartsOf({ ownShare, ownWhole }: ExplainedRank): number {
  return Math.round((ownShare / ownWhole) * wholeParts)
}

/** Per cent of a share that are its own; the rest are endorsement. */
export function ownPercentOf({ ownShare, share }: ExplainedRank): number {
  return Math.round((ownShare / Math.max(1, share)) * 100)
}

/** Whether it is a score that the record gives. */
export function isOfRecord({ topic, share }: ExplainedRank): boolean {
  return topic < 0 && share === 0
}
