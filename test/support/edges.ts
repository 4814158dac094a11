/** Connections written as tuples, for the tests of what is computed from the graph. */
import type { Connections } from '../../src/indexer/ranking/graph.ts'

/** From, to, weight, and whether both ends endorse each other. */
export type Edge = readonly [from: number, to: number, weight: number, symmetric: boolean]

export function connectionsOf(nodes: number, edges: readonly Edge[]): Connections {
  return {
    nodes,
    from: Uint32Array.from(edges, ([from]) => from),
    to: Uint32Array.from(edges, ([, to]) => to),
    weights: Float64Array.from(edges, ([, , weight]) => weight),
    kinds: Uint8Array.from(edges, ([, , , symmetric]) => (symmetric ? 1 : 0)),
    areSymmetric: [false, true],
  }
}
