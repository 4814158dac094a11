/**
 * The rows of a graph in files: written from entries that are sorted by node, read a window at a time. In each row the
 * entries have the order in which they come, so that every sum is that of the same graph in memory, to the last bit.
 */
import { Refusal } from '../../problems.ts'
import {
  boundRow,
  type Gifts,
  type KnownEndorsements,
  type Rows,
  rowStarts,
} from '../ranking/graph.ts'
import { giftBlocks } from '../ranking/pagerank.ts'
import { type ByteFile, FileColumns } from './file-columns.ts'

/** Entries that are in memory while rows are written: whole rows go to the file beyond that. */
const heldEntries = 65_536
/** Numbers of entries have 32 bits. */
const entriesMax = 0xffff_ffff
/** Gifts that are read at once, and those that all blocks together hold while they are written. */
const giftsAtOnce = 262_144
const giftsHeld = 1 << 21

const uint32 = (length: number) => new Uint32Array(length)
const uint8 = (length: number) => new Uint8Array(length)
const float32 = (length: number) => new Float32Array(length)
const float64 = (length: number): Float32Array | Float64Array => new Float64Array(length)

/** Facts of a graph that its rows do not show. */
export interface GraphFacts {
  readonly nodes: number
  /** Whether 32 bits hold every weight. */
  readonly areSingle: boolean
  /** Maximum total weight that one node may give another. */
  readonly pairWeightMax: number
  readonly newFile: () => ByteFile
}

/** Writes the endorsements of each node, node by node. */
export class EndorsementWriter {
  readonly #facts: GraphFacts
  readonly #columns
  readonly #counts: Uint32Array
  readonly #totals: Float64Array
  /** Weight that each node gives in the row that is being bound; 0 between rows. */
  readonly #given: Float64Array
  #held
  #room = heldEntries
  #length = 0
  #rowStart = 0
  #target = 0

  constructor(facts: GraphFacts) {
    this.#facts = facts
    const weights = facts.areSingle ? float32 : float64
    this.#columns = new FileColumns({ nodes: uint32, weights, kinds: uint8 }, facts.newFile)
    this.#counts = new Uint32Array(facts.nodes + 1)
    this.#totals = new Float64Array(facts.nodes)
    this.#given = new Float64Array(facts.nodes)
    this.#held = this.#columns.arrays(this.#room)
  }

  /** Adds an endorsement; targets ascend. @throws Refusal `store-refused`, `build-limit`. */
  add(target: number, source: number, weight: number, kind: number): void {
    if (target !== this.#target) this.#endRow()
    this.#target = target
    if (this.#length === this.#room) this.#grow()
    const { nodes, weights, kinds } = this.#held
    nodes[this.#length] = source
    weights[this.#length] = weight
    kinds[this.#length] = kind
    this.#length += 1
    this.#counts[target + 1]! += 1
  }

  /** Ends the last row; the endorsements, and what closes their files. */
  end(): { endorsements: KnownEndorsements; close: () => void } {
    this.#endRow()
    this.#flush()
    const { starts } = rowStarts(this.#counts)
    const columns = this.#columns
    const rows = { starts, totals: this.#totals, ...columns.arrays(0) }
    const read = (start: number, end: number) => columns.window(start, end)
    let gifts: GiftFile | undefined
    return {
      endorsements: {
        ...rows,
        read,
        gifts: () => {
          gifts ??= new GiftFile({ ...rows, read }, this.#facts)
          return gifts
        },
      },
      close: () => {
        columns.close()
        gifts?.close()
      },
    }
  }

  #endRow(): void {
    const [start, end] = [this.#rowStart, this.#length]
    const { pairWeightMax } = this.#facts
    if (pairWeightMax < Infinity) boundRow(this.#held, start, end, pairWeightMax, this.#given)
    const { nodes, weights } = this.#held
    for (let index = start; index < end; index += 1) {
      this.#totals[nodes[index]!]! += weights[index]!
    }
    this.#rowStart = end
    if (end >= heldEntries / 2) this.#flush()
  }

  /** Writes the rows that have ended. */
  #flush(): void {
    if (this.#columns.length + this.#length > entriesMax) {
      throw new Refusal('build-limit', `the graph has more than ${entriesMax} endorsements`)
    }
    this.#columns.write(this.#held, 0, this.#length)
    this.#length = 0
    this.#rowStart = 0
  }

  /** Makes room for a row that is longer than what is held. */
  #grow(): void {
    this.#room *= 2
    const larger = this.#columns.arrays(this.#room)
    larger.nodes.set(this.#held.nodes)
    larger.weights.set(this.#held.weights)
    larger.kinds.set(this.#held.kinds)
    this.#held = larger
  }
}

/** The endorsements in the order in which PageRank takes them, in files. */
class GiftFile implements Iterable<Gifts> {
  readonly #columns
  /** Those that were read last: the same memory in every round. */
  readonly #read

  /** Writes them: two passes over the endorsements. @throws Refusal `store-refused`. */
  constructor(
    endorsements: Pick<KnownEndorsements, 'starts' | 'nodes' | 'weights' | 'read'>,
    facts: GraphFacts,
  ) {
    const weights = facts.areSingle ? float32 : float64
    this.#columns = new FileColumns({ targets: uint32, sources: uint32, weights }, facts.newFile)
    const columns = this.#columns
    const { blocks, sourceBlocks, blockOf } = giftBlocks(facts.nodes)
    const counts = new Uint32Array(blocks + 1)
    forEntries(endorsements, (target, source) => {
      counts[blockOf(target, source) + 1]! += 1
    })
    const { ends } = rowStarts(counts)
    // A block of targets has all of its sources before the next: only so many blocks are open at once.
    const room = Math.max(256, Math.min(8_192, Math.floor(giftsHeld / Math.max(1, sourceBlocks))))
    const held = columns.arrays(room * sourceBlocks)
    const lengths = new Uint32Array(sourceBlocks)
    let open = 0
    const flush = (place: number) => {
      const [start, length] = [place * room, lengths[place]!]
      if (length > 0) columns.write(held, start, start + length, ends[open + place]!)
      ends[open + place]! += length
      lengths[place] = 0
    }
    forEntries(endorsements, (target, source, weight) => {
      const block = blockOf(target, source)
      if (block >= open + sourceBlocks) {
        for (let place = 0; place < sourceBlocks; place += 1) flush(place)
        open = block - (block % sourceBlocks)
      }
      const place = block - open
      const at = place * room + lengths[place]!
      held.targets[at] = target
      held.sources[at] = source
      held.weights[at] = weight
      lengths[place]! += 1
      if (lengths[place] === room) flush(place)
    })
    for (let place = 0; place < sourceBlocks; place += 1) flush(place)
    this.#read = columns.arrays(Math.min(columns.length, giftsAtOnce))
  }

  *[Symbol.iterator](): Generator<Gifts, void, undefined> {
    const all = this.#columns.length
    const arrays = this.#read
    for (let start = 0; start < all; start += giftsAtOnce) {
      const length = Math.min(giftsAtOnce, all - start)
      this.#columns.read(arrays, length, start)
      yield { length, ...arrays }
    }
  }

  close(): void {
    this.#columns.close()
  }
}

/** Visits every endorsement, by ascending target. */
function forEntries(
  { starts, read }: Pick<KnownEndorsements, 'starts' | 'read'>,
  visit: (target: number, source: number, weight: number) => void,
): void {
  for (let target = 0; target + 1 < starts.length; target += 1) {
    const [start, end] = [starts[target]!, starts[target + 1]!]
    if (start === end) continue
    const { nodes, weights, first = 0 } = read!(start, end)
    for (let index = start - first; index < end - first; index += 1) {
      visit(target, nodes[index]!, weights[index]!)
    }
  }
}

/** Writes the neighbours of each node, node by node, repeats included. */
export class NeighbourWriter {
  readonly #columns
  readonly #counts: Uint32Array
  readonly #held
  #length = 0

  constructor({ nodes, newFile }: Pick<GraphFacts, 'nodes' | 'newFile'>) {
    this.#columns = new FileColumns({ nodes: uint32 }, newFile)
    this.#counts = new Uint32Array(nodes + 1)
    this.#held = this.#columns.arrays(heldEntries)
  }

  /** Adds a neighbour; nodes ascend. @throws Refusal `store-refused`, `build-limit`. */
  add(node: number, neighbour: number): void {
    if (this.#length === heldEntries) this.#flush()
    this.#held.nodes[this.#length] = neighbour
    this.#length += 1
    this.#counts[node + 1]! += 1
  }

  /** The rows, and what closes their file. */
  end(): { neighbours: Rows; close: () => void } {
    this.#flush()
    const columns = this.#columns
    const { starts } = rowStarts(this.#counts)
    const read = (start: number, end: number) => columns.window(start, end)
    return {
      neighbours: { starts, ...columns.arrays(0), read },
      close: () => columns.close(),
    }
  }

  #flush(): void {
    if (this.#columns.length + this.#length > entriesMax) {
      throw new Refusal('build-limit', `the graph has more than ${entriesMax} neighbours`)
    }
    this.#columns.write(this.#held, 0, this.#length)
    this.#length = 0
  }
}
