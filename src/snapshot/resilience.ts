/** Dependence of the first ranks of a snapshot on single endorsers: the median over topics. */
import type { Sections } from './sections.ts'

export const fallSteps = [1, 10] as const

/** Stands for itself or more. */
export const lossesMax = 0xff

/** Topics with fewer members say little: their first ranks are a matter of chance. */
const membersMin = 20
const firstRanks = 10

/** The median over topics of the median of their first ten ranks; null where those ranks do not fall. */
export interface Resilience {
  readonly topics: number
  /** The strongest endorsers that have to go for a rank to fall by one place. */
  readonly by_1: number | null
  readonly by_10: number | null
}

export function resilienceOf(sections: Sections): Resilience {
  const starts = sections['topic.member-starts']
  const topics = Array.from({ length: starts.length - 1 }, (_, topic) => topic).filter(
    (topic) => starts[topic + 1]! - starts[topic]! >= membersMin,
  )
  const [by1, by10] = fallSteps.map((step) => {
    const losses = sections[`evidence.losses-to-fall-${step}`]
    const first = (topic: number) => losses.subarray(starts[topic]!, starts[topic]! + firstRanks)
    // A rank that never falls sorts above all others.
    return medianOf(
      topics.map((topic) => medianOf(Array.from(first(topic), (loss) => loss || lossesMax + 1))),
    )
  })
  const named = (loss = 0) => (loss === 0 || loss > lossesMax ? null : loss)
  return { topics: topics.length, by_1: named(by1), by_10: named(by10) }
}

/** The lower median; undefined of no values. */
function medianOf(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined)
  return known.sort((a, b) => a - b)[(known.length - 1) >> 1]
}
