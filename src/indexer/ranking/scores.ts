/** Authority scores, and the order that follows from them: ordinal 0 is the top authority. */
import { compareDigits } from '../../memory/ascii.ts'
import { rangesOf } from '../../memory/text-order.ts'
import type { Texts } from '../../memory/text-table.ts'
import { noScore } from '../collector.ts'

/** Hundredths of the highest score, 100. */
const scoreMax = 10_000

/**
 * The score of each authority in hundredths, 0 to 10,000: the record's own, else the log-scaled
 * PageRank mass `100 · ln(1 + n π_i) / ln(1 + n π_max)`, n being the number of authorities, so that the
 * top authority has 100 and one that has the n-th part of all mass about `69 / ln(1 + n π_max)`.
 * @param mass of each authority, then of handles without an owner.
 */
export function authorityScores(own: Uint32Array, mass: Float64Array): Uint16Array {
  const authorities = own.length
  let highest = 0
  for (let authority = 0; authority < authorities; authority += 1) {
    highest = Math.max(highest, mass[authority]!)
  }
  const scale = scoreMax / Math.log(1 + authorities * highest)
  return Uint16Array.from(own, (score, authority) =>
    score === noScore ? Math.round(scale * Math.log(1 + authorities * mass[authority]!)) : score,
  )
}

/** Authorities by arrival, in the order of their ordinals; and the ordinal of each arrival. */
export interface Order {
  readonly arrivals: Uint32Array
  readonly ordinals: Uint32Array
}

/** Orders authorities by descending score, ties by SDU as a number (`7` before `07` before `8`). */
export function orderByScore(scores: Uint16Array, sdus: Texts): Order {
  const { text, startOf, endOf } = rangesOf(sdus)
  const bySdu = (a: number, b: number) =>
    compareDigits(text, startOf(a), endOf(a), startOf(b), endOf(b))
  const arrivals = Uint32Array.from(scores, (_, arrival) => arrival)
  arrivals.sort((a, b) => scores[b]! - scores[a]! || bySdu(a, b))
  const ordinals = new Uint32Array(arrivals.length)
  arrivals.forEach((arrival, ordinal) => {
    ordinals[arrival] = ordinal
  })
  return { arrivals, ordinals }
}
