/** How many peers of a node are kept; who they are is for `test/unit/api/model.test.ts` to say. */
import { expect, it } from 'vitest'
import { neighboursOf } from '../../../../src/indexer/ranking/graph.ts'
import { PeerLists } from '../../../../src/indexer/ranking/peers.ts'
import { limits } from '../../../../src/limits.ts'
import { readGaps } from '../../../../src/snapshot/gaps.ts'
import { connectionsOf, type Edge } from '../../../support/edges.ts'

it('the peers of a node are the 50 highest authorities of more', () => {
  const edges = Array.from({ length: 60 }, (_, index): Edge => [70, 60 - index, 1, false])
  const ordinals = Uint32Array.from({ length: 71 }, (_, ordinal) => ordinal)
  const peers = new PeerLists(neighboursOf(connectionsOf(71, edges)), ordinals)
  const list = peers.add([70])
  const starts = peers.starts.view()
  const found = new Uint32Array(limits.peersPerHandleMax)
  const count = readGaps(peers.gaps.view(), starts[list]!, starts[list + 1]!, found)
  expect([...found.subarray(0, count)]).toEqual(Array.from({ length: 50 }, (_, index) => index + 1))
})
