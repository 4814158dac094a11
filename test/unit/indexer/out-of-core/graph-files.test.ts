/** Rows of a graph in files: every entry, total and mass is that of the same graph in memory, to the last bit. */
import { describe, expect, it } from 'vitest'
import {
  EndorsementWriter,
  NeighbourWriter,
} from '../../../../src/indexer/out-of-core/graph-files.ts'
import { endorsementsOf, type Rows } from '../../../../src/indexer/ranking/graph.ts'
import { pageRank, priorOf } from '../../../../src/indexer/ranking/pagerank.ts'
import { UnnamedFile } from '../../../../src/process/unnamed-file.ts'
import { temporaryDirectory } from '../../../support/built.ts'
import { connectionsOf, type Edge } from '../../../support/edges.ts'
import { Random } from '../../../support/random.ts'

const newFile = () => new UnnamedFile(temporaryDirectory(), 'file')

function edges(nodes: number, count: number, seed: number): Edge[] {
  const random = new Random(seed, 1)
  const celebrity = random.below(nodes)
  return Array.from({ length: count }, () => {
    const from = random.below(nodes)
    const to = random.below(4) === 0 ? celebrity : random.below(nodes)
    return [from, to, 0.1 + random.below(40) / 7, random.below(3) === 0] as const
  })
}

/** The endorsements of a graph in memory, and in files; the entries are added in the order of the rows in memory. */
function bothWays(nodes: number, count: number, seed: number, pairWeightMax: number) {
  const connections = { ...connectionsOf(nodes, edges(nodes, count, seed)), pairWeightMax }
  const inMemory = endorsementsOf(connections)
  const raw = endorsementsOf({ ...connections, pairWeightMax: Infinity })
  const writer = new EndorsementWriter({ nodes, areSingle: false, pairWeightMax, newFile })
  for (let target = 0; target < nodes; target += 1) {
    for (let index = raw.starts[target]!; index < raw.starts[target + 1]!; index += 1) {
      writer.add(target, raw.nodes[index]!, raw.weights[index]!, raw.kinds[index]!)
    }
  }
  return { inMemory, ...writer.end() }
}

describe('endorsements in files', () => {
  it('give the masses of the graph in memory, over several blocks of targets and of sources', () => {
    const nodes = 1_200_000
    const { inMemory, endorsements, close } = bothWays(nodes, 300_000, 1, 1)
    const prior = priorOf(new Float64Array(nodes).fill(3), nodes)
    const few = { changeMin: 0, roundsMax: 3 }
    const expected = pageRank(inMemory, prior, undefined, few)
    const found = pageRank(endorsements, prior, undefined, few)
    expect(Buffer.compare(bytes(found.mass), bytes(expected.mass))).toBe(0)
    expect(Buffer.compare(bytes(endorsements.totals), bytes(inMemory.totals))).toBe(0)
    close()
  })

  it('are read in any order, also rows longer than a window', () => {
    const nodes = 300
    const { inMemory, endorsements, close } = bothWays(nodes, 400_000, 2, 10)
    const random = new Random(3, 1)
    expect([...endorsements.starts]).toEqual([...inMemory.starts])
    for (let time = 0; time < 600; time += 1) {
      const node = time < nodes ? time : random.below(nodes)
      const [start, end] = [inMemory.starts[node]!, inMemory.starts[node + 1]!]
      const { nodes: sources, weights, kinds, first = 0 } = endorsements.read!(start, end)
      const pairs = [
        [sources, inMemory.nodes],
        [weights, inMemory.weights],
        [kinds, inMemory.kinds],
      ] as const
      for (const [found, expected] of pairs) {
        const part = bytes(found.subarray(start - first, end - first))
        expect(Buffer.compare(part, bytes(expected.subarray(start, end)))).toBe(0)
      }
    }
    close()
  })
})

describe('neighbours in files', () => {
  it('are in the rows of their nodes, in order', () => {
    const writer = new NeighbourWriter({ nodes: 4, newFile })
    for (const [node, neighbour] of [
      [0, 3],
      [0, 1],
      [0, 3],
      [1, 3],
      [3, 0],
    ] as const)
      writer.add(node, neighbour)
    const { neighbours, close } = writer.end()
    expect([0, 1, 2, 3].map((node) => rowOf(neighbours, node))).toEqual([[3, 1, 3], [3], [], [0]])
    close()
  })
})

function rowOf({ starts, read }: Rows, node: number): number[] {
  const [start, end] = [starts[node]!, starts[node + 1]!]
  const { nodes, first = 0 } = read!(start, end)
  return [...nodes.subarray(start - first, end - first)]
}

function bytes({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}
