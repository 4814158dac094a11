/**
 * The lists of peers of handles: those of nodes come first, one for each, then one for each handle that several nodes
 * have, in the order of `handle.shared`.
 */
import type { Sections } from '../sections.ts'

type HandleSections = Pick<
  Sections,
  'handle.node-starts' | 'handle.nodes' | 'handle.shared' | 'peer.starts'
>

export class HandlePeers {
  readonly #starts: Uint32Array
  readonly #nodes: Uint32Array
  readonly #shared: Uint32Array
  /** The first list that is none of a node. */
  readonly #firstShared: number

  constructor(sections: HandleSections) {
    this.#starts = sections['handle.node-starts']
    this.#nodes = sections['handle.nodes']
    this.#shared = sections['handle.shared']
    this.#firstShared = sections['peer.starts'].length - 1 - this.#shared.length
  }

  /** The number of the list of a handle on all its platforms. O(1) for one node, else O(log shared handles). */
  listOf(handle: number): number {
    const first = this.#nodes[this.#starts[handle]!]!
    // They ascend, so that the first and the last are one only when all are.
    if (first === this.#nodes[this.#starts[handle + 1]! - 1]) return first
    const shared = this.#shared
    let low = 0
    let high = shared.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (shared[middle]! < handle) low = middle + 1
      else high = middle
    }
    return this.#firstShared + low
  }
}
