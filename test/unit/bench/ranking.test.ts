/** The ranking bench: that it runs, how it counts, and that a farm of handles buys nothing. */
import { describe, expect, test } from 'vitest'
import { run } from '../../../bench/ranking/bench.ts'
import { plant } from '../../../bench/ranking/community.ts'
import { oneStep } from '../../../bench/ranking/former.ts'
import { ndcg } from '../../../bench/ranking/quality.ts'
import { meanOf, report } from '../../../bench/ranking/report.ts'
import type { BenchOptions } from '../../../bench/shared/bench.ts'
import { endorsementsOf } from '../../../src/indexer/ranking/graph.ts'
import { connectionsOf } from '../../support/edges.ts'

const options: BenchOptions = {
  size: 'tiny',
  signal: new AbortController().signal,
  report: () => {},
}
const result = run(options)
const plan = { people: 50, others: 0, topics: 3, habits: { noise: 0.1, fame: 0.1 }, seed: 1 }

describe('the ranking bench', () => {
  test('finds planted authorities better by topic rank than by score, and worst by followers', () => {
    const [plain] = result.qualities
    for (const quality of plain!.qualities) {
      expect(quality['topic rank']).toBeGreaterThan(quality.score)
      expect(quality.score).toBeGreaterThan(quality.followers)
    }
  })

  test('finds that handles that nobody owns lift nobody, however many follow, and lifted by the former formulas', () => {
    const { lifts } = result.farms.find(({ farm }) => farm === 'handles that nobody owns')!
    for (const [none, ...farmed] of lifts) {
      expect(farmed.length).toBeGreaterThan(0)
      for (const { rank, score } of farmed) {
        expect({ rank, score }).toEqual({ rank: none!.rank, score: none!.score })
      }
      expect(farmed.at(-1)!.formerScore).toBe(100)
      expect(farmed.at(-1)!.formerRank).toBeLessThan(none!.formerRank)
    }
  })

  test('finds that authorities of the topic who are fakes lift anybody to the top', () => {
    const { lifts } = result.farms.find(({ farm }) => farm === 'authorities of the topic')!
    expect(lifts.map((standings) => standings.at(-1)!.rank)).toEqual(lifts.map(() => 1))
  })

  test('has a row for each community and each farm, the same in every run', () => {
    const lines = report(result)
    expect(lines.length).toBe(result.qualities.length + result.farms.length + 5)
    expect(report(run(options))).toEqual(lines)
  })
})

describe('a community', () => {
  test('is another one for another seed', () => {
    expect(plant(plan)).toEqual(plant(plan))
    expect(plant({ ...plan, seed: 2 })).not.toEqual(plant(plan))
  })

  test('has those who are not in the index as handles that nobody owns', () => {
    const { people, connections } = plant({ ...plan, others: 3 })
    expect(people.length).toBe(50)
    expect(Math.max(...connections.flatMap(({ from, to }) => [from, to]))).toBe(49)
    const others = connections.filter(({ from }) => from < 0)
    expect(others.length / connections.length).toBeGreaterThan(0.6)
  })
})

describe('the figures', () => {
  test('are 1 for the best order, less for one that has the best later, 0 for one without them', () => {
    const gain = new Map([
      [7, 2],
      [8, 1],
    ])
    expect(ndcg([7, 8, 9], gain)).toBe(1)
    // (1 + 2 / log2 3) / (2 + 1 / log2 3)
    expect(ndcg([8, 7, 9], gain)).toBeCloseTo(0.8597, 4)
    expect(ndcg([1, 2, 3], gain)).toBe(0)
    expect(ndcg([0, 1, 2, 3, 4, 5, 6, 9, 10, 11, 8], new Map([[8, 1]]))).toBe(0)
  })

  test('are the mean of the seeds, and how far one of them is from it', () => {
    const qualities = [0.2, 0.4].map((score) => ({
      'topic rank': 0,
      'former topic rank': 0,
      score,
      'former score': 0,
      followers: 0,
    }))
    expect(meanOf({ community: '', qualities }, 'score')).toBe('0.300 ± 0.141')
  })
})

test('the former formula goes by weight, by the mass from everywhere, and by one step within', () => {
  const memberships = {
    starts: Uint32Array.of(0, 3),
    members: Uint32Array.of(0, 1, 2),
    weights: Float64Array.of(1, 1, 1),
  }
  const orderOf = (edges: Parameters<typeof connectionsOf>[1], weights = memberships.weights) => {
    const mass = Float64Array.of(0.4, 0.2, 0.1, 0.3)
    const endorsements = endorsementsOf(connectionsOf(4, edges))
    return oneStep([[0, 1, 2]], { ...memberships, weights }, mass, endorsements)[0]
  }
  expect(orderOf([])).toEqual([0, 1, 2])
  expect(orderOf([[3, 2, 1, false]])).toEqual([0, 1, 2])
  expect(orderOf([[1, 2, 1, false]])).toEqual([2, 0, 1])
  expect(orderOf([], Float64Array.of(0.1, 1, 1))).toEqual([1, 2, 0])
})
