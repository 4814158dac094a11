/**
 * Where the named endorsers of each rank stand among those of all ranks. How many are named follows from
 * how many endorse it and from its place in its ranking, so that only every sixteenth rank has a start.
 */
import { limits } from '../limits.ts'
import type { Sections } from './sections.ts'

/** Ranks for each start, as a power of two. */
export const startShift = 4

/** How many starts so many ranks have. */
export function startCount(ranks: number): number {
  return Math.ceil(ranks / (1 << startShift))
}

/** The starts that are kept of those of all ranks. */
export function startsOf(all: Uint32Array, ranks: number): Uint32Array {
  return Uint32Array.from({ length: startCount(ranks) }, (_, index) => all[index << startShift]!)
}

/** A ranking is the number of a topic, or behind all of them that of the authorities by score. */
export class EndorserLists {
  readonly #starts: Uint32Array
  /** Many are as good as more. */
  readonly #endorsed: Uint8Array
  /** Where each ranking begins. */
  readonly #rankings: Uint32Array

  constructor(sections: Sections) {
    this.#starts = sections['evidence.starts']
    this.#endorsed = sections['evidence.endorser-counts']
    this.#rankings = sections['topic.member-starts']
  }

  /** How many endorsers of a rank are named: of the first in a topic, and of all authorities. */
  lengthOf(rank: number, ranking: number): number {
    const areNamed =
      ranking === this.#rankings.length - 1 ||
      rank - this.#rankings[ranking]! < limits.membersExplainedMax
    return areNamed ? Math.min(limits.endorsersPerRankMax, this.#endorsed[rank]!) : 0
  }

  /** Where they begin. O(ranks for each start). */
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
