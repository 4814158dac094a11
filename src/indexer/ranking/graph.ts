/**
 * The connection graph in compressed rows: for each node who endorses it and with what weight, and
 * for each node who it is connected with at all. Rows keep the order of the source, so that sums
 * of floating-point numbers come out the same on every machine.
 */

/** Connections as columns of one length; nodes are numbers below `nodes`. */
export interface Connections {
  readonly nodes: number
  readonly from: Uint32Array
  readonly to: Uint32Array
  readonly weights: Float64Array
  readonly kinds: Uint8Array
  /** For each kind whether both ends endorse each other. */
  readonly areSymmetric: readonly boolean[]
  /** Maximum total weight that one node may give another; unlimited if absent. */
  readonly pairWeightMax?: number
  /**
   * 1 for each node that is vetted, of the first nodes; all others are not vetted. A symmetric connection that
   * another node claims endorses the other end only. Undefined: both ends of all of them.
   */
  readonly vetted?: Uint8Array | undefined
  readonly origins?: Origins | undefined
}

/** Source of each connection, and the share that one source may carry; without this a source may carry all. */
export interface Origins {
  readonly of: Uint32Array
  /** All numbers are below it. */
  readonly count: number
  /** The share of the mass of a node that endorsements of one source may make up. Above 0, below 1. */
  readonly shareMax: number
}

/** Row i is `nodes[starts[i]]` to `nodes[starts[i + 1]]`, exclusive. */
export interface Rows {
  readonly starts: Uint32Array
  readonly nodes: Uint32Array
}

/** The endorsers of each node; `totals` is the weight that each node passes on to all others. */
export interface Endorsements extends Rows {
  /** Of 32 bits where that changes no weight: half as much to read in every round of PageRank. */
  readonly weights: Float64Array | Float32Array
  readonly totals: Float64Array
  readonly origins?: Origins | undefined
}

export interface KnownEndorsements extends Endorsements {
  readonly kinds: Uint8Array
}

/**
 * The rows of endorsements: a directed connection endorses `to`, a symmetric one both ends. If the connections of
 * a pair weigh more than `pairWeightMax` together, all of them are scaled down to it: neither a large weight nor
 * many rows buy more.
 */
export function endorsementsOf(connections: Connections): KnownEndorsements {
  const { nodes, from, to, weights, kinds, origins, pairWeightMax = Infinity } = connections
  const counts = new Uint32Array(nodes + 1)
  for (let index = 0; index < from.length; index += 1) {
    counts[to[index]! + 1]! += 1
    if (endorsesBack(connections, index)) counts[from[index]! + 1]! += 1
  }
  const { starts, ends } = rowStarts(counts)
  const sources = new Uint32Array(starts[nodes]!)
  const sourceKinds = new Uint8Array(starts[nodes]!)
  const sourceOrigins = origins && { ...origins, of: new Uint32Array(starts[nodes]!) }
  const areSingle = weights.every((weight) => Math.fround(weight) === weight)
  const sourceWeights = new (areSingle ? Float32Array : Float64Array)(starts[nodes]!)
  const add = (index: number, source: number, target: number): void => {
    const position = ends[target]!++
    sources[position] = source
    sourceWeights[position] = weights[index]!
    sourceKinds[position] = kinds[index]!
    if (sourceOrigins) sourceOrigins.of[position] = origins!.of[index]!
  }
  for (let index = 0; index < from.length; index += 1) {
    add(index, from[index]!, to[index]!)
    if (endorsesBack(connections, index)) add(index, to[index]!, from[index]!)
  }
  const rows = { starts, nodes: sources, weights: sourceWeights }
  if (pairWeightMax < Infinity) boundPairs(rows, pairWeightMax, nodes)
  const totals = totalsOf(rows, nodes)
  return { ...rows, totals, kinds: sourceKinds, origins: sourceOrigins }
}

function endorsesBack({ from, kinds, areSymmetric, vetted }: Connections, index: number): boolean {
  return areSymmetric[kinds[index]!]! && (vetted === undefined || vetted[from[index]!] === 1)
}

type WeightedRows = Omit<Endorsements, 'totals'>

function boundPairs(
  { starts, nodes: sources, weights }: WeightedRows,
  most: number,
  nodes: number,
) {
  const given = new Float64Array(nodes)
  for (let node = 0; node < nodes; node += 1) {
    const [start, end] = [starts[node]!, starts[node + 1]!]
    for (let index = start; index < end; index += 1) given[sources[index]!]! += weights[index]!
    for (let index = start; index < end; index += 1) {
      const sum = given[sources[index]!]!
      if (sum > most) weights[index]! *= most / sum
    }
    for (let index = start; index < end; index += 1) given[sources[index]!] = 0
  }
}

function totalsOf({ nodes: sources, weights }: WeightedRows, nodes: number): Float64Array {
  const totals = new Float64Array(nodes)
  for (let index = 0; index < sources.length; index += 1)
    totals[sources[index]!]! += weights[index]!
  return totals
}

/** The rows of neighbours: the nodes connected with each node in either direction, repeats included. */
export function neighboursOf({ nodes, from, to }: Connections): Rows {
  const counts = new Uint32Array(nodes + 1)
  for (let index = 0; index < from.length; index += 1) {
    counts[from[index]! + 1]! += 1
    counts[to[index]! + 1]! += 1
  }
  const { starts, ends } = rowStarts(counts)
  const neighbours = new Uint32Array(starts[nodes]!)
  for (let index = 0; index < from.length; index += 1) {
    neighbours[ends[from[index]!]!++] = to[index]!
    neighbours[ends[to[index]!]!++] = from[index]!
  }
  return { starts, nodes: neighbours }
}

/** Turns `counts[i + 1]` into starts; `ends` is where the next element of each row goes. */
export function rowStarts(counts: Uint32Array): { starts: Uint32Array; ends: Uint32Array } {
  for (let row = 1; row < counts.length; row += 1) counts[row]! += counts[row - 1]!
  return { starts: counts, ends: counts.slice() }
}
