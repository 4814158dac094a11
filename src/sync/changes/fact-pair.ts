/**
 * The facts of two snapshots side by side: pairs the people of both, and says whether a fact of a person
 * is the same.
 */

import { tableOf } from '../../snapshot/text-tables.ts'
import { type Claim, ComparedFacts } from './facts.ts'
import { entriesIn, type Pair } from './pair.ts'

export class FactPair {
  readonly pair: Pair
  readonly before: ComparedFacts
  readonly next: ComparedFacts
  /** Number before of each handle next; -1 if there was none. */
  readonly #handlesBefore: Int32Array

  constructor(pair: Pair) {
    this.pair = pair
    this.before = new ComparedFacts(pair.before)
    this.next = new ComparedFacts(pair.next)
    this.#handlesBefore = entriesIn(tableOf(pair.next, 'handle'), tableOf(pair.before, 'handle'))
  }

  /** Whether a person has the same core topic in both, by their ordinals before and next. */
  hasSameCoreTopic(was: number, is: number): boolean {
    const { before, next } = this
    return before.labels[before.coreTopicOf(was)] === next.labels[next.coreTopicOf(is)]
  }

  /** Whether a person has the same handles in both, compared by the numbers of equal texts. */
  hasSameHandles(was: number, is: number): boolean {
    return this.#hasSameInOrder(was, is) || this.#hasSameInAnyOrder(was, is)
  }

  /** True of nearly everybody. */
  #hasSameInOrder(was: number, is: number): boolean {
    const { before, next } = this
    const start = next.claimStart(is)
    const had = before.claimStart(was)
    const count = next.claimStart(is + 1) - start
    if (count !== before.claimStart(was + 1) - had) return false
    for (let index = 0; index < count; index += 1) {
      const handle = next.handleAt(start + index)
      if (before.handleAt(had + index) !== this.#handlesBefore[handle]) return false
      const platform = next.platforms[next.platformAt(start + index)]
      if (before.platforms[before.platformAt(had + index)] !== platform) return false
    }
    return true
  }

  #hasSameInAnyOrder(was: number, is: number): boolean {
    const had = this.before.claimsOf(was)
    const has = this.next.claimsOf(is)
    if (had.length !== has.length) return false
    const isSame = (one: Claim, other: Claim) =>
      one.handle === this.#handlesBefore[other.handle] &&
      this.before.platforms[one.platform] === this.next.platforms[other.platform]
    return (
      has.every((other) => had.some((one) => isSame(one, other))) &&
      had.every((one) => has.some((other) => isSame(one, other)))
    )
  }
}
