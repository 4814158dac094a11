/**
 * The lists of peers of handles: those of nodes come first, one for each, then one for each handle that several nodes
 * have, in the order of `handle.shared`.
 */

import { limits } from '../../limits.ts'
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
