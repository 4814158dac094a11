/**
 * Positions of the named endorsers of each rank among those of all ranks. The number of named endorsers follows
 * from the number of endorsers and the place in the ranking, so that only every sixteenth rank has a start.
 */
import { limits } from '../limits.ts'
import type { Sections } from './sections.ts'

/** Ranks for each start, as a power of two. */
export const startShift = 4

export function startCount(ranks: number): number {
  return Math.ceil(ranks / (1 << startShift))
}

export function startsOf(all: Uint32Array, ranks: number): Uint32Array {
  return Uint32Array.from({ length: startCount(ranks) }, (_, index) => all[index << startShift]!)
}

/** A ranking is the number of a topic, or behind all of them that of the authorities by score. */
export class EndorserLists {
  readonly #starts: Uint32Array
  /** Number of endorsers of each rank, capped at 255, which is above `limits.endorsersPerRankMax`. */
  readonly #endorsed: Uint8Array
  readonly #rankings: Uint32Array

  constructor(sections: Sections) {
    this.#starts = sections['evidence.starts']
    this.#endorsed = sections['evidence.endorser-counts']
    this.#rankings = sections['topic.member-starts']
  }

  /** Number of named endorsers of a rank; 0 behind the first `limits.membersExplainedMax` members of a topic. */
  lengthOf(rank: number, ranking: number): number {
    const areNamed =
      ranking === this.#rankings.length - 1 ||
      rank - this.#rankings[ranking]! < limits.membersExplainedMax
    return areNamed ? Math.min(limits.endorsersPerRankMax, this.#endorsed[rank]!) : 0
  }

  /** Position of the first named endorser of a rank. O(ranks for each start). */
  startOf(rank: number, ranking: number): number {
    const first = (rank >>> startShift) << startShift
    let start = this.#starts[rank >>> startShift]!
    let rankingBefore = ranking
    for (let before = rank - 1; before >= first; before -= 1) {
      while (before < this.#rankings[rankingBefore]!) rankingBefore -= 1
      start += this.lengthOf(before, rankingBefore)
    }
    return start
  }
}
