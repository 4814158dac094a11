/** Every sixteenth start tells where the endorsers of every rank stand. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { limits } from '../../../src/limits.ts'
import { EndorserLists, startsOf } from '../../../src/snapshot/endorser-lists.ts'
import { fixtureSnapshot } from '../../support/snapshot-fixture.ts'

const { sections } = fixtureSnapshot()
const counts = fc.uint8Array({ maxLength: 60 })
/** Rankings of a few, of none, and of more than are explained. */
const rankings = fc.array(
  fc.oneof(counts, fc.constant(new Uint8Array(limits.membersExplainedMax + 40).fill(3))),
  { minLength: 1, maxLength: 6 },
)

/** The sections as they are for rankings in which so many endorse each rank, and all starts. */
function sectionsOf(rankingsOfCounts: readonly Uint8Array[]) {
  const starts = [0]
  const all = [0]
  rankingsOfCounts.forEach((ranking, number) => {
    starts.push(starts.at(-1)! + ranking.length)
    ranking.forEach((count, place) => {
      const isLast = number === rankingsOfCounts.length - 1
      const named = isLast || place < limits.membersExplainedMax ? Math.min(5, count) : 0
      all.push(all.at(-1)! + named)
    })
  })
  const endorsed = Uint8Array.from(rankingsOfCounts.flatMap((ranking) => [...ranking]))
  const made = {
    ...sections,
    'topic.member-starts': Uint32Array.from(starts.slice(0, -1)),
    'evidence.endorser-counts': endorsed,
    'evidence.starts': startsOf(Uint32Array.from(all), endorsed.length),
  }
  return { made, all, starts }
}

describe('the endorsers of a rank', () => {
  it('stand behind those of all ranks before it', () => {
    fc.assert(
      fc.property(rankings, (rankingsOfCounts) => {
        const { made, all, starts } = sectionsOf(rankingsOfCounts)
        const lists = new EndorserLists(made)
        rankingsOfCounts.forEach((ranking, number) => {
          ranking.forEach((_, place) => {
            const rank = starts[number]! + place
            const start = lists.startOf(rank, number)
            expect([start, start + lists.lengthOf(rank, number)]).toEqual(all.slice(rank, rank + 2))
          })
        })
      }),
      { numRuns: 40 },
    )
  })
})
