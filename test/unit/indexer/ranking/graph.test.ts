/** Rows of the connection graph: who endorses whom, and who is connected at all. */
import { describe, expect, it } from 'vitest'
import { endorsementsOf, neighboursOf, type Rows } from '../../../../src/indexer/ranking/graph.ts'
import { connectionsOf } from '../../../support/edges.ts'

const connections = connectionsOf(4, [
  [0, 1, 2, false],
  [2, 1, 3, true],
  [0, 1, 4, false],
])

function rowsOf({ starts, nodes }: Rows): number[][] {
  return Array.from({ length: starts.length - 1 }, (_, row) => [
    ...nodes.subarray(starts[row]!, starts[row + 1]!),
  ])
}

describe('endorsements', () => {
  it('go to the target of a directed connection and to both ends of a symmetric one', () => {
    expect(rowsOf(endorsementsOf(connections))).toEqual([[], [0, 2, 0], [1], []])
  })

  it('carry the weight of their connection, repeated ones each their own', () => {
    expect([...endorsementsOf(connections).weights]).toEqual([2, 3, 4, 3])
  })

  it('add up to the weight that a node passes on, 0 where it passes on nothing', () => {
    expect([...endorsementsOf(connections).totals]).toEqual([6, 3, 3, 0])
  })
})

describe('neighbours', () => {
  it('are the ends of a connection in both directions, whatever its kind', () => {
    expect(rowsOf(neighboursOf(connections))).toEqual([[1, 1], [0, 2, 0], [1], []])
  })
})
