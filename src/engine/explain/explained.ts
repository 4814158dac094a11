/** The rank of a person that an explanation is about. */
import type { RankEvidence } from './rank-evidence.ts'

/** Chooses the rank of an authority that is explained: the one in a topic, or by authority score if it gives -1. */
export type Explained = (evidence: RankEvidence, ordinal: number) => number

export const inCoreTopic: Explained = (evidence, ordinal) => evidence.coreTopicOf(ordinal)

export const byScore: Explained = () => -1

/** Of some topics the rank in the one of which somebody has most; of none, by authority score. */
export function inTopics(topics: readonly number[]): Explained {
  return (evidence, ordinal) => evidence.topicOf(ordinal, topics)
}
