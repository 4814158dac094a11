/** How good an order is against the truth of its topic. */
import { ndcg } from '../ranking/quality.ts'
import { type Formula, massesOf, orderOf } from './formulas.ts'
import type { Topic } from './topics.ts'

/** Of the members, these are worth something in NDCG: 20 the best, 19 the next. */
const worthy = 20

/** NDCG@10 and Spearman's rank correlation. */
export interface Quality {
  readonly ndcg: number
  readonly spearman: number
}

/** The quality of a formula in a topic. */
export function qualityIn(topic: Topic, formula: Formula): Quality {
  const order = orderOf(massesOf(topic, formula))
  const worth = topic.members.map((member) => member.worth)
  const best = [...worth.keys()].sort((a, b) => worth[b]! - worth[a]! || a - b).slice(0, worthy)
  const gains = new Map(best.map((number, place) => [number, worthy - place]))
  return { ndcg: ndcg(order, gains), spearman: spearman(order, worth) }
}

/** Spearman's correlation of the places in an order with the worth; equal worths share the mean of their places. */
function spearman(order: readonly number[], worth: readonly number[]): number {
  const places = new Float64Array(order.length)
  order.forEach((number, place) => {
    places[number] = place
  })
  const sorted = [...worth.keys()].sort((a, b) => worth[b]! - worth[a]!)
  const truths = new Float64Array(order.length)
  for (let start = 0; start < sorted.length; ) {
    let end = start
    while (end < sorted.length && worth[sorted[end]!] === worth[sorted[start]!]) end += 1
    for (let at = start; at < end; at += 1) truths[sorted[at]!] = (start + end - 1) / 2
    start = end
  }
  return correlation(places, truths)
}

function correlation(a: Float64Array, b: Float64Array): number {
  const mean = (values: Float64Array) =>
    values.reduce((sum, value) => sum + value, 0) / values.length
  const [meanA, meanB] = [mean(a), mean(b)]
  let [product, squaresA, squaresB] = [0, 0, 0]
  for (let at = 0; at < a.length; at += 1) {
    product += (a[at]! - meanA) * (b[at]! - meanB)
    squaresA += (a[at]! - meanA) ** 2
    squaresB += (b[at]! - meanB) ** 2
  }
  return product / Math.sqrt(squaresA * squaresB)
}
