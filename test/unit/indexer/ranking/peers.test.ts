/** Lists of peers: how many there are; whose they are is for `test/unit/api/model.test.ts` to say. */
import { expect, it } from 'vitest'
import { neighboursOf } from '../../../../src/indexer/ranking/graph.ts'
import { PeerLists } from '../../../../src/indexer/ranking/peers.ts'
import { limits } from '../../../../src/limits.ts'
import { readGaps } from '../../../../src/snapshot/gaps.ts'
import { connectionsOf, type Edge } from '../../../support/edges.ts'

it('are the 50 highest authorities of more', () => {
  const edges = Array.from({ length: 60 }, (_, index): Edge => [70, 60 - index, 1, false])
  const ordinals = Uint32Array.from({ length: 71 }, (_, ordinal) => ordinal)
  const peers = new PeerLists(neighboursOf(connectionsOf(71, edges)), ordinals)
  peers.add([70])
  const found = new Uint32Array(limits.peersPerHandleMax)
  expect(readGaps(peers.gaps.view(), 0, peers.gaps.length, found)).toBe(50)
  expect([...found]).toEqual(Array.from({ length: 50 }, (_, index) => index + 1))
})
