/**
 * Stability of the orders: how many of the first ten of each topic stayed, and Kendall's τ of the
 * large topics (M. G. Kendall, A new measure of rank correlation, 1938), of the people in both.
 */
import type { Stability } from '../../snapshot/changes/change.ts'
import { membersOf, type Pair } from './pair.ts'

const firstMax = 10
const largeMembersMin = 20
const largeTopicsMax = 200
const orderedMax = 1_000

/** O(topics), and for each large topic O(n log n) of its first. */
export function stabilityOf(pair: Pair): Stability {
  const stayed = firstTensStayed(pair)
  const taus = kendallTaus(pair)
  return {
    firstTen: {
      topics: stayed.length,
      mean: meanOf(stayed),
      min: leastOf(stayed),
      share:
        stayed.length === 0
          ? null
          : rounded(stayed.filter((count) => count === firstMax).length / stayed.length),
    },
    kendallTau: { topics: taus.length, mean: meanOf(taus), min: leastOf(taus) },
  }
}

function firstTensStayed({ before, next, successors, topicSuccessors }: Pair): number[] {
  const counts: number[] = []
  topicSuccessors.forEach((successor, topic) => {
    if (successor < 0) return
    const had = membersOf(before, topic).subarray(0, firstMax)
    const has = membersOf(next, successor).subarray(0, firstMax)
    if (had.length < firstMax || has.length < firstMax) return
    counts.push(had.filter((ordinal) => has.includes(successors[ordinal]!)).length)
  })
  return counts
}

function largeTopics({ before }: Pair): number[] {
  const starts = before.sections['topic.member-starts']
  const sizeOf = (topic: number) => starts[topic + 1]! - starts[topic]!
  return Array.from({ length: before.header.counts.topics }, (_, topic) => topic)
    .filter((topic) => sizeOf(topic) >= largeMembersMin)
    .sort((a, b) => sizeOf(b) - sizeOf(a) || a - b)
    .slice(0, largeTopicsMax)
}

function kendallTaus(pair: Pair): number[] {
  const { before, next, successors, predecessors, topicSuccessors } = pair
  /** By ordinal next, counted from 1; 0 for people who are not in the topic. */
  const places = new Uint32Array(predecessors.length)
  return largeTopics(pair).flatMap((topic) => {
    const successor = topicSuccessors[topic]!
    if (successor < 0) return []
    const members = membersOf(next, successor)
    members.forEach((ordinal, place) => {
      places[ordinal] = place + 1
    })
    const first = membersOf(before, topic).subarray(0, orderedMax)
    const now = Array.from(first, (ordinal) => places[successors[ordinal]!] ?? 0)
    for (const ordinal of members) places[ordinal] = 0
    const stayed = now.filter((place) => place > 0)
    return stayed.length < 2 ? [] : [tauOf(stayed)]
  })
}

function tauOf(numbers: readonly number[]): number {
  const pairs = (numbers.length * (numbers.length - 1)) / 2
  return (
    1 - (2 * inversionsOf(Float64Array.from(numbers), new Float64Array(numbers.length))) / pairs
  )
}

/** Pairs in falling order; sorts the numbers by merging. */
function inversionsOf(numbers: Float64Array, spare: Float64Array): number {
  if (numbers.length < 2) return 0
  const middle = numbers.length >>> 1
  const left = numbers.subarray(0, middle)
  const right = numbers.subarray(middle)
  let inversions = inversionsOf(left, spare.subarray(0, middle))
  inversions += inversionsOf(right, spare.subarray(middle))
  // Most of an order stays: halves that are in order already need no merging.
  if (left[middle - 1]! < right[0]!) return inversions
  for (let at = 0, one = 0, other = 0; at < numbers.length; at += 1) {
    const takesLeft = other === right.length || (one < left.length && left[one]! < right[other]!)
    if (!takesLeft) inversions += left.length - one
    spare[at] = takesLeft ? left[one++]! : right[other++]!
  }
  numbers.set(spare)
  return inversions
}

function meanOf(values: readonly number[]): number | null {
  if (values.length === 0) return null
  return rounded(values.reduce((sum, value) => sum + value, 0) / values.length)
}

function leastOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : rounded(values.reduce((a, b) => Math.min(a, b)))
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000
}
