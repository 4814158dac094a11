/**
 * Explanations of the ranks of everybody, of the head and behind it, as they were written when the snapshot was made:
 * an explanation names endorsers, who may stand anywhere.
 */
import { type ExplainedRank, RankEvidence } from '../engine/explain/rank-evidence.ts'
import { pieceOf } from '../memory/copy-text.ts'
import type { Snapshot } from '../snapshot/file.ts'
import type { TextCache } from '../snapshot/texts/text-cache.ts'
import type { TailReader } from './tail-reader.ts'

export class TailedEvidence extends RankEvidence {
  readonly #tail: TailReader

  constructor(snapshot: Snapshot, tail: TailReader, cache?: TextCache) {
    super(snapshot, cache)
    this.#tail = tail
  }

  override wantPeople(ordinals: readonly number[]): void {
    this.#tail.wantReasons(ordinals)
  }

  /** All of it was brought with the people. */
  override want(): void {}

  /** The rank of a person behind the head among all members of a topic. */
  override rankIn(topic: number, ordinal: number): number {
    if (ordinal < this.#tail.facts.head) return super.rankIn(topic, ordinal)
    const { topics, ranks } = this.#tail.personAt(ordinal)
    return ranks[topics.indexOf(topic)] ?? 0
  }

  override topicOf(ordinal: number, topics: readonly number[]): number {
    const { topics: own, shares } = this.#tail.reasonsAt(ordinal)
    let [best, most] = [-1, -1]
    for (const topic of topics) {
      const share = shares[own.indexOf(topic)] ?? -1
      if (share > most) [best, most] = [topic, share]
    }
    return best
  }

  override ofMember(topic: number, ordinal: number): ExplainedRank {
    const { topics, ofTopics } = this.#tail.reasonsAt(ordinal)
    return readyRank(topic, ordinal, ofTopics[topics.indexOf(topic)]!)
  }

  override coreTopicOf(ordinal: number): number {
    return this.#tail.reasonsAt(ordinal).topics[0]!
  }

  override ofScore(ordinal: number): ExplainedRank {
    return readyRank(-1, ordinal, this.#tail.reasonsAt(ordinal).ofScore)
  }
}

/** A rank of which only the text is known. */
function readyRank(topic: number, ordinal: number, text: string): ExplainedRank {
  const unknown = {
    rank: 0,
    of: 0,
    share: 0,
    ownShare: 0,
    ownWhole: 0,
    margin: 0,
    endorserCount: 0,
  }
  return { topic, ordinal, ...unknown, losses: [0, 0], start: 0, end: 0, ready: pieceOf(text) }
}
