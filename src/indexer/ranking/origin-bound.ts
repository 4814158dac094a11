/**
 * Bound on the part of a node's mass that endorsements of one source may make up. The excess is cut, so that a
 * source that lies lifts a node only together with what other sources give it.
 *
 * Invariant: a cut takes only from sources that carry too much, and from all of their endorsements of a node in
 * the same proportion.
 */
import type { Endorsements, Origins } from './graph.ts'

export class OriginBound {
  /** Weight of each endorsement after the last cut. */
  readonly weights: Float64Array
  readonly #rows: Endorsements
  readonly #origins: Origins
  /** Mass that each source gives to the node being bounded; 0 between nodes. */
  readonly #given: Float64Array

  constructor(rows: Endorsements, origins: Origins) {
    this.weights = Float64Array.from(rows.weights)
    this.#rows = rows
    this.#origins = origins
    this.#given = new Float64Array(origins.count)
  }

  /**
   * Cuts what nodes receive. O(endorsements).
   * @param given what each node gives for a weight of 1.
   * @param mass of each node, of which a source may give a share.
   * @param received what each node receives; less of it afterwards.
   * @returns the mass that was cut in all.
   */
  cut(given: Float64Array, mass: Float64Array, received: Float64Array): number {
    let sum = 0
    for (let node = 0; node < received.length; node += 1) {
      const whole = received[node]!
      received[node] = this.#keep(given, node, this.#origins.shareMax * mass[node]!)
      sum += whole - received[node]!
    }
    return sum
  }

  /** Scales the endorsements of each source to the most that it may give, and returns what the node receives. */
  #keep(given: Float64Array, node: number, most: number): number {
    const { starts, nodes, weights } = this.#rows
    const of = this.#origins.of
    const [start, end] = [starts[node]!, starts[node + 1]!]
    for (let index = start; index < end; index += 1) {
      this.#given[of[index]!]! += given[nodes[index]!]! * weights[index]!
    }
    let kept = 0
    for (let index = start; index < end; index += 1) {
      const gift = this.#given[of[index]!]!
      this.weights[index] = gift > most ? (weights[index]! * most) / gift : weights[index]!
      kept += given[nodes[index]!]! * this.weights[index]!
    }
    for (let index = start; index < end; index += 1) this.#given[of[index]!] = 0
    return kept
  }
}
