/** Lists of peers: who is none, and how many there are; the others are for `test/unit/api/model.test.ts` to say. */
import { describe, expect, it } from 'vitest'
import { neighboursOf } from '../../../../src/indexer/ranking/graph.ts'
import { PeerLists } from '../../../../src/indexer/ranking/peers.ts'
import { limits } from '../../../../src/limits.ts'
import { readGaps } from '../../../../src/snapshot/gaps.ts'
import { connectionsOf, type Edge } from '../../../support/edges.ts'

/** The list of some nodes among so many; the ordinal of a node is its number. */
function listOf(count: number, edges: readonly Edge[], nodes: readonly number[]): number[] {
  const ordinals = Uint32Array.from({ length: count }, (_, ordinal) => ordinal)
  const peers = new PeerLists(neighboursOf(connectionsOf(count, edges)), ordinals)
  const list = peers.add(nodes)
  const starts = peers.starts.view()
  const found = new Uint32Array(limits.peersPerHandleMax)
  const length = readGaps(peers.gaps.view(), starts[list]!, starts[list + 1]!, found)
  return [...found.subarray(0, length)]
}

describe('the peers of a node', () => {
  it('are those of any of several nodes, none of which is among them', () => {
    const edges: Edge[] = [
      [0, 1, 1, false],
      [1, 2, 1, false],
      [0, 3, 1, false],
    ]
    expect(listOf(4, edges, [0, 1])).toEqual([2, 3])
  })

  it('are the 50 highest authorities of more', () => {
    const edges = Array.from({ length: 60 }, (_, index): Edge => [70, 60 - index, 1, false])
    expect(listOf(71, edges, [70])).toEqual(Array.from({ length: 50 }, (_, index) => index + 1))
  })
})
