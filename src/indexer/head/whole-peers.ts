/** The lists of peers of a whole snapshot, by their numbers. */
import { limits } from '../../limits.ts'
import { readGaps } from '../../snapshot/gaps.ts'
import type { Sections } from '../../snapshot/sections.ts'

export class WholePeers {
  readonly #starts: Uint32Array
  readonly #gaps: Uint8Array
  readonly #peers = new Uint32Array(limits.peersPerHandleMax)

  constructor(sections: Sections) {
    this.#starts = sections['peer.starts']
    this.#gaps = sections['peer.gaps']
  }

  /** The ordinals of a list; good until the next call. */
  of(list: number): Uint32Array {
    const [start, end] = [this.#starts[list]!, this.#starts[list + 1]!]
    return this.#peers.subarray(0, readGaps(this.#gaps, start, end, this.#peers))
  }
}
