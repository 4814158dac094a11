/**
 * The lists of peers of handles: those of nodes come first, one for each, then one for each handle that several nodes
 * have, in the order of `handle.shared`.
 */

import { limits } from '../../limits.ts'
import { lowerBound } from '../../memory/bounds.ts'
import { readGaps } from '../gaps.ts'
import type { Sections } from '../sections.ts'

/** The lists by their numbers, where all of them are in memory: that of a person has the number of its ordinal. */
export class StoredPeers {
  readonly #starts: Uint32Array
  readonly #gaps: Uint8Array
  readonly #peers = new Uint32Array(limits.peersPerHandleMax)

  constructor(sections: Pick<Sections, 'peer.starts' | 'peer.gaps'>) {
    this.#starts = sections['peer.starts']
    this.#gaps = sections['peer.gaps']
  }

  /** The ordinals of a list; good until the next call. */
  of(list: number): Uint32Array {
    const [start, end] = [this.#starts[list]!, this.#starts[list + 1]!]
    return this.#peers.subarray(0, readGaps(this.#gaps, start, end, this.#peers))
  }
}

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
    return this.#firstShared + lowerBound(this.#shared, handle)
  }
}
