/** Peer lists: who is connected with a node, top authorities first. */
import { describe, expect, it } from 'vitest'
import { neighboursOf } from '../../../../src/indexer/ranking/graph.ts'
import { PeerLists } from '../../../../src/indexer/ranking/peers.ts'
import { limits } from '../../../../src/limits.ts'
import { readGaps } from '../../../../src/snapshot/gaps.ts'
import { connectionsOf, type Edge } from '../../../support/edges.ts'

/** The lists of these sets of nodes; the ordinal of a node is its number. */
function listsOf(
  authorities: number,
  nodes: number,
  edges: readonly Edge[],
  sets: readonly (readonly number[])[],
): number[][] {
  const ordinals = Uint32Array.from({ length: authorities }, (_, ordinal) => ordinal)
  const peers = new PeerLists(neighboursOf(connectionsOf(nodes, edges)), ordinals)
  return sets.map((set) => {
    const list = peers.add(set)
    const starts = peers.starts.view()
    const found = new Uint32Array(limits.peersPerHandleMax)
    const count = readGaps(peers.gaps.view(), starts[list]!, starts[list + 1]!, found)
    return [...found.subarray(0, count)]
  })
}

describe('the peers of a node', () => {
  it('are connected with it in either direction, each once, by authority', () => {
    const edges: Edge[] = [
      [3, 1, 1, false],
      [1, 2, 1, false],
      [1, 0, 9, true],
      [2, 1, 1, false],
    ]
    expect(listsOf(4, 4, edges, [[1], [3]])).toEqual([[0, 2, 3], [1]])
  })

  it('are authorities, never handles that nobody owns', () => {
    const edges: Edge[] = [
      [0, 2, 1, false],
      [2, 1, 1, false],
    ]
    expect(listsOf(2, 3, edges, [[0], [2]])).toEqual([[], [0, 1]])
  })

  it('are those of any of several nodes, none of which is among them', () => {
    const edges: Edge[] = [
      [0, 1, 1, false],
      [1, 2, 1, false],
      [0, 3, 1, false],
    ]
    expect(listsOf(4, 4, edges, [[0, 1]])).toEqual([[2, 3]])
  })

  it('are the 50 highest authorities of more', () => {
    const edges = Array.from({ length: 60 }, (_, index): Edge => [70, 60 - index, 1, false])
    const [list] = listsOf(71, 71, edges, [[70]])
    expect(list).toEqual(Array.from({ length: 50 }, (_, index) => index + 1))
  })
})
