/**
 * The terms that were found near a word, one word after the other in the same memory.
 *
 * Invariant: the terms ascend, each once.
 */
import type { Postings } from '../postings/postings.ts'

export class NearTerms {
  readonly #terms: number[] = []
  /** The smaller, the nearer. Entries behind the count are of an earlier word, as those of the terms are. */
  readonly #distances: number[] = []
  #count = 0
  /** Scratch for the numbers of people who hold the best. */
  readonly #sizes: number[] = []

  get count(): number {
    return this.#count
  }

  clear(): void {
    this.#count = 0
  }

  /** Adds a term, or gives one that is there another distance. */
  set(term: number, distance: number): void {
    const at = this.#placeOf(term)
    if (at === this.#count || this.#terms[at] !== term) {
      for (let to = this.#count; to > at; to -= 1) {
        this.#terms[to] = this.#terms[to - 1]!
        this.#distances[to] = this.#distances[to - 1]!
      }
      this.#terms[at] = term
      this.#count += 1
    }
    this.#distances[at] = distance
  }

  /** Takes a term away if it is there. */
  delete(term: number): void {
    const at = this.#placeOf(term)
    if (at === this.#count || this.#terms[at] !== term) return
    this.#count -= 1
    for (let to = at; to < this.#count; to += 1) {
      this.#terms[to] = this.#terms[to + 1]!
      this.#distances[to] = this.#distances[to + 1]!
    }
  }

  /** A copy of all terms. */
  all(): readonly number[] {
    return this.#terms.slice(0, this.#count)
  }

  /** The first `most` in a new array: the nearest, of equals those that most people hold, then the first. */
  best(postings: Postings, most: number): number[] {
    const best: number[] = []
    const sizes = this.#sizes
    for (let index = 0; index < this.#count; index += 1) {
      const term = this.#terms[index]!
      const size = postings.size('word', term)
      let at = best.length
      while (at > 0 && this.#isBefore(index, size, best[at - 1]!, sizes[at - 1]!)) at -= 1
      if (at === most) continue
      for (let to = Math.min(best.length, most - 1); to > at; to -= 1) {
        best[to] = best[to - 1]!
        sizes[to] = sizes[to - 1]!
      }
      best[at] = index
      sizes[at] = size
    }
    for (let at = 0; at < best.length; at += 1) best[at] = this.#terms[best[at]!]!
    return best
  }

  #isBefore(index: number, size: number, other: number, otherSize: number): boolean {
    const apart = this.#distances[index]! - this.#distances[other]!
    return apart < 0 || (apart === 0 && size > otherSize)
  }

  /** The place of a term, or that of the first one behind it. */
  #placeOf(term: number): number {
    let low = 0
    let high = this.#count
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#terms[middle]! < term) low = middle + 1
      else high = middle
    }
    return low
  }
}
