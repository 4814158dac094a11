/** The same thing measured in several manners by turns: what slows the machine slows all. */

export type Round<M extends string> = Readonly<Record<M, number>>

/** Measures every manner in every round, each round in another order; one round before warms up. */
export async function roundsOf<M extends string>(
  manners: readonly M[],
  count: number,
  measure: (manner: M) => number | Promise<number>,
): Promise<Round<M>[]> {
  const rounds: Round<M>[] = []
  for (let round = 0; round <= count; round += 1) {
    const figures: Partial<Record<M, number>> = {}
    for (const turn of manners.keys()) {
      const manner = manners[(round + turn) % manners.length]!
      figures[manner] = await measure(manner)
    }
    if (round > 0) rounds.push(figures as Round<M>)
  }
  return rounds
}

/** A mean ratio, and from where to where it lies nineteen times in twenty. */
export interface Interval {
  readonly ratio: number
  /** Below it by two standard errors; the ratio itself if there is one round. */
  readonly ratioFrom: number
  readonly ratioTo: number
}

/** The geometric mean of the ratios of one manner to another, of rounds that do not depend on each other. */
export function meanRatioOf<M extends string>(rounds: readonly Round<M>[], of: M, by: M): Interval {
  const logs = rounds.map((round) => Math.log(round[of] / round[by]))
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length
  const variance = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / (logs.length - 1 || 1)
  const error = Math.sqrt(variance / logs.length)
  return {
    ratio: Math.exp(mean),
    ratioFrom: Math.exp(mean - 2 * error),
    ratioTo: Math.exp(mean + 2 * error),
  }
}

export function median(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort()
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** The least of ascending values that no larger a share of them is above than 1 − `share` (nearest rank). */
export function shareOf(ascending: ArrayLike<number>, share: number): number {
  return ascending[Math.max(0, Math.ceil(ascending.length * share) - 1)] ?? 0
}
