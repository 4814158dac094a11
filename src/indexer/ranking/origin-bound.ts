/**
 * How much of the mass of a node endorsements of one source may make up. What is above that is cut, so that a
 * source that lies lifts a node only together with what others give it.
 *
 * Invariant: a cut takes only from sources that carry too much, and from all of their endorsements of a node in
 * the same proportion.
 */
import type { Endorsements, Origins } from './graph.ts'

export class OriginBound {
  /** What the last cut left of the weight of each endorsement. */
  readonly weights: Float64Array
  readonly #rows: Endorsements
  readonly #origins: Origins
  /** What each source gives the node that is looked at, then the factor that is left of it; else 0. */
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
   * @returns how much was cut in all.
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
