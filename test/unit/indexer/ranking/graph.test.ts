/** Rows of the connection graph: what bounds an endorsement. */
import { describe, expect, it } from 'vitest'
import { endorsementsOf, type Rows } from '../../../../src/indexer/ranking/graph.ts'
import { connectionsOf, type Edge } from '../../../support/edges.ts'

function rowsOf({ starts, nodes }: Rows): number[][] {
  return Array.from({ length: starts.length - 1 }, (_, row) => [
    ...nodes.subarray(starts[row]!, starts[row + 1]!),
  ])
}

describe('the bound of what one node gives another', () => {
  const bounded = (edges: readonly Edge[]) =>
    endorsementsOf({ ...connectionsOf(3, edges), pairWeightMax: 10 })

  it('holds for a large weight and for many rows, which keep their proportions', () => {
    const { weights, totals } = bounded([
      [0, 1, 1e9, false],
      [2, 1, 6, false],
      [2, 1, 18, true],
    ])
    // By target: node 1 from 0 and twice from 2, node 2 from 1.
    expect([...weights]).toEqual([10, 2.5, 7.5, 10])
    expect([...totals]).toEqual([10, 10, 10])
  })

  it('changes nothing at or below it, and nothing where there is none', () => {
    const edges: Edge[] = [
      [0, 1, 4, true],
      [0, 1, 6, false],
      [2, 1, 9.5, false],
    ]
    expect(bounded(edges)).toEqual(endorsementsOf(connectionsOf(3, edges)))
    expect([...endorsementsOf(connectionsOf(2, [[0, 1, 1e9, false]])).totals]).toEqual([1e9, 0])
  })
})

describe('a symmetric connection', () => {
  const from = (vetted: number[]) =>
    endorsementsOf({ ...connectionsOf(3, [[0, 1, 2, true]]), vetted: Uint8Array.from(vetted) })

  it('endorses both ends where one who is vetted claims it, else the other end only', () => {
    expect(rowsOf(from([1, 0]))).toEqual([[1], [0], []])
    expect(rowsOf(from([0, 1]))).toEqual([[], [0], []])
    expect(rowsOf(from([]))).toEqual([[], [0], []])
  })
})
