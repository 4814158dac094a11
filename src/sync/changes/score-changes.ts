/** The change of authority scores: all together, and between people. */
import type { StoredFacts } from '../../snapshot/facts.ts'
import { type Pair, shareOf } from './pair.ts'

const scoreMax = 10_000
/** Hundredths. Where many have nearly the same score, a hundredth reorders them. */
const slack = 100

interface ScoreChanges {
  /**
   * The largest difference between the shares of people up to any score, one point more or less:
   * the statistic of Kolmogorov and Smirnov with slack.
   */
  readonly shifted: number
  /** Mean move of the people in both, as a share of all; 1/3 when shuffled. */
  readonly moved: number
}

/** O(people). */
export function scoreChanges({ before, next, successors, stayed }: Pair): ScoreChanges {
  const was = sharesUpTo(before)
  const is = sharesUpTo(next)
  const shifted = Math.max(excess(was, is), excess(is, was))
  let moved = 0
  successors.forEach((successor, ordinal) => {
    if (successor < 0) return
    const wasScore = before.sections['authority.scores'][ordinal]!
    const isScore = next.sections['authority.scores'][successor]!
    if (Math.abs(isScore - wasScore) <= slack) return
    moved += Math.abs(placeOf(is, isScore) - placeOf(was, wasScore))
  })
  return { shifted, moved: shareOf(moved, stayed) }
}

function excess(shares: Float64Array, others: Float64Array): number {
  return shares.reduce(
    (most, share, score) => Math.max(most, share - others[Math.min(score + slack, scoreMax)]!),
    0,
  )
}

/** By score, the share of the people who have it or a lower one. */
function sharesUpTo({ header, sections }: StoredFacts): Float64Array {
  const shares = new Float64Array(scoreMax + 1)
  for (const score of sections['authority.scores']) shares[score] = shares[score]! + 1
  for (let score = 0, people = 0; score <= scoreMax; score += 1) {
    people += shares[score]!
    shares[score] = people / header.counts.authorities
  }
  return shares
}

function placeOf(shares: Float64Array, score: number): number {
  return ((shares[score - 1] ?? 0) + shares[score]!) / 2
}
