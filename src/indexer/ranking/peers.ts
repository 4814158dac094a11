/** Peers: the top authorities connected with a node in either direction, as ascending ordinals. */

import { limits } from '../../limits.ts'
import { uint8Column, uint32Column } from '../../memory/columns.ts'
import { writeGaps } from '../../snapshot/gaps.ts'
import type { Rows } from './graph.ts'

export class PeerLists {
  readonly gaps = uint8Column()
  /** Start of each list in `gaps`, then the end of the last. */
  readonly starts = uint32Column()
  readonly #neighbours: Rows
  readonly #ordinals: Uint32Array
  /** Mark of the list that saw each ordinal last, so that one scan finds repeats. */
  readonly #seenIn: Uint32Array
  readonly #found = uint32Column()

  /** @param ordinals of the authorities by arrival; nodes above have no owner and are no peers. */
  constructor(neighbours: Rows, ordinals: Uint32Array) {
    this.starts.push(0)
    this.#neighbours = neighbours
    this.#ordinals = ordinals
    this.#seenIn = new Uint32Array(ordinals.length)
  }

  /** The people connected with any of the nodes and none of them. @returns number of the list. */
  add(nodes: ArrayLike<number>): number {
    const number = this.starts.length - 1
    const found = this.#collect(nodes, number + 1)
    found.sort()
    writeGaps(found.subarray(0, limits.peersPerHandleMax), (byte) => this.gaps.push(byte))
    this.starts.push(this.gaps.length)
    return number
  }

  #collect(nodes: ArrayLike<number>, mark: number): Uint32Array {
    const { starts, nodes: neighbours } = this.#neighbours
    const ordinals = this.#ordinals
    for (let index = 0; index < nodes.length; index += 1) {
      if (nodes[index]! < ordinals.length) this.#seenIn[ordinals[nodes[index]!]!] = mark
    }
    this.#found.length = 0
    for (let index = 0; index < nodes.length; index += 1) {
      const node = nodes[index]!
      for (let position = starts[node]!; position < starts[node + 1]!; position += 1) {
        const neighbour = neighbours[position]!
        if (neighbour >= ordinals.length) continue
        const ordinal = ordinals[neighbour]!
        if (this.#seenIn[ordinal] === mark) continue
        this.#seenIn[ordinal] = mark
        this.#found.push(ordinal)
      }
    }
    return this.#found.view()
  }
}
