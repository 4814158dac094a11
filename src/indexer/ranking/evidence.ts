/**
 * Evidence: what ranks are made of. One entry for each rank (of a member in a topic, of an authority
 * among all): the part of its share that is its own, the number of endorsers, and the strongest of them.
 * Shares are in parts of 2³² of the whole that they are shares of.
 */
import { limits } from '../../limits.ts'
import { Lists, uint8Column, uint32Column } from '../../memory/columns.ts'
import { fallSteps, lossesMax } from '../../snapshot/resilience.ts'
import { wholeShare } from '../../snapshot/sections.ts'
import type { KnownEndorsements } from './graph.ts'
import type { Masses } from './pagerank.ts'

export interface Ranked {
  readonly graph: KnownEndorsements
  readonly masses: Masses
}

/**
 * Number of its strongest endorsers that a rank can lose before it falls by so many places: one column for each
 * of `fallSteps`. 0 if it does not fall that far even without all of them, `lossesMax` for that many or more.
 */
type Losses = readonly [one: ByteColumn, ten: ByteColumn]
type ByteColumn = ReturnType<typeof uint8Column>

/** A mass in parts of 2³². */
export function partOf(mass: number): number {
  return Math.round(mass * wholeShare)
}

export class Evidence {
  /** Of each entry: the part of its share that is not endorsement. */
  readonly ownShares = uint32Column()
  readonly endorserCounts = uint32Column()
  /** For each entry its strongest endorsers, and beside each its part of the share and its kind. */
  readonly endorsers = new Lists()
  readonly endorserShares = uint32Column()
  readonly endorserKinds = uint8Column()
  readonly losses: Losses = [uint8Column(), uint8Column()]
  /** Mass that each node has given to the node being added; 0 for nodes that have given nothing. */
  readonly #given: Float64Array
  /** The largest single part, and its kind. */
  readonly #most: Float64Array
  readonly #kinds: Uint8Array
  readonly #givers: number[] = []
  #gifts = new Float64Array(64)

  constructor(nodes: number) {
    this.#given = new Float64Array(nodes)
    this.#most = new Float64Array(nodes)
    this.#kinds = new Uint8Array(nodes)
  }

  /**
   * Adds the entry of a node. O(its endorsements).
   * @param share its share in parts of 2³².
   * @param nameOf number of an endorser outside the graph.
   * @param gapTo by how much its share exceeds the share of the rank so many places behind it;
   * Infinity if there is no such rank.
   */
  add(
    ranked: Ranked,
    node: number,
    share: number,
    nameOf: (node: number) => number,
    areNamed: boolean,
    gapTo: (places: number) => number,
  ): void {
    const { mass, endorsed } = ranked.masses
    this.#gather(ranked, node)
    this.ownShares.push(Math.min(share, partOf(mass[node]! - endorsed[node]!)))
    this.endorserCounts.push(this.#givers.length)
    if (areNamed) this.#nameStrongest(nameOf)
    this.#countLosses(gapTo)
    this.endorsers.end()
    for (const giver of this.#givers) this.#given[giver] = 0
    this.#givers.length = 0
  }

  addNone(): void {
    this.ownShares.push(0)
    this.endorserCounts.push(0)
    for (const column of this.losses) column.push(0)
    this.endorsers.end()
  }

  /** Sums the mass that each endorser gives, if any; several connections count as one, of the kind of the heaviest. */
  #gather({ graph, masses: { given, weights } }: Ranked, node: number): void {
    const { starts, nodes, kinds } = graph
    for (let index = starts[node]!; index < starts[node + 1]!; index += 1) {
      const giver = nodes[index]!
      const gift = given[giver]! * weights[index]!
      if (gift === 0) continue
      const isFirst = this.#given[giver] === 0
      if (isFirst) this.#givers.push(giver)
      if (isFirst || gift > this.#most[giver]!) {
        this.#most[giver] = gift
        this.#kinds[giver] = kinds[index]!
      }
      this.#given[giver]! += gift
    }
  }

  /** Takes the endorsers away, the strongest first, until the share is smaller than the one so far behind. */
  #countLosses(gapTo: (places: number) => number): void {
    const { length } = this.#givers
    if (length > this.#gifts.length) this.#gifts = new Float64Array(length * 2)
    const given = this.#gifts
    let sum = 0
    for (let index = 0; index < length; index += 1) {
      given[index] = this.#given[this.#givers[index]!]!
      sum += given[index]!
    }
    const whole = sum * wholeShare
    let isSorted = length < 2
    for (let step = 0; step < fallSteps.length; step += 1) {
      // Of equal scores the lower share may stand first: the least loss makes it fall.
      const gap = Math.max(0, gapTo(fallSteps[step]!))
      if (gap < whole && !isSorted) {
        given.subarray(0, length).sort()
        isSorted = true
      }
      let lost = 0
      let count = 0
      while (gap < whole && lost <= gap && count < length) {
        count += 1
        lost += given[length - count]! * wholeShare
      }
      this.losses[step]!.push(lost > gap ? Math.min(lossesMax, count) : 0)
    }
  }

  #nameStrongest(nameOf: (node: number) => number): void {
    const given = this.#given
    const strongest: number[] = []
    for (const giver of this.#givers) {
      let at = strongest.length
      while (at > 0 && isStronger(giver, strongest[at - 1]!, given, nameOf)) at -= 1
      if (at === limits.endorsersPerRankMax) continue
      strongest.splice(at, 0, giver)
      if (strongest.length > limits.endorsersPerRankMax) strongest.pop()
    }
    for (const giver of strongest) {
      this.endorsers.values.push(nameOf(giver))
      this.endorserShares.push(partOf(given[giver]!))
      this.endorserKinds.push(this.#kinds[giver]!)
    }
  }
}

/** Gives more; of equals, has the lower number outside the graph, which is the higher authority. */
function isStronger(
  giver: number,
  other: number,
  given: Float64Array,
  nameOf: (node: number) => number,
): boolean {
  const more = given[giver]! - given[other]!
  return more > 0 || (more === 0 && nameOf(giver) < nameOf(other))
}
