/**
 * Holders: the people who hold a term, any of several, or each of several. Lists are ascending
 * ordinals, so that the first ones found are the top ones; the work of finding those who are in all
 * of some depends on how few the fewest are, not on how many people there are.
 */
/** Some people, by their ordinals. */
export interface DocSet {
  /** There are no more than so many. */
  readonly size: number
  /** How many lists a look may have to ask. */
  readonly width: number
  /** One bit tells that somebody is not among them; otherwise they may be. */
  mayHold(ordinal: number): boolean
  /** Whether somebody who may be among them is. */
  holds(ordinal: number): boolean
  /**
   * Keeps of the first `count` of some people those who are among them, in their order at the
   * beginning; returns how many. Many looks at once take a fraction of as many single ones.
   */
  keep(ordinals: Uint32Array, count: number): number
  /** Those of them in a range of ordinals, as far as that is known without looking at each. */
  within(start: number, end: number): DocSet
  /**
   * Shows those who are among all `others`, too: in ascending order, or some ascending rows of them
   * one after the other, in which one may come again. A row ends when `take` returns false.
   */
  walk(others: readonly DocSet[], take: (ordinal: number) => boolean): void
}

/**
 * Shows those who are among all of some, in the order of `walk`. The fewest are walked; most of them
 * are told apart by one bit of the others. As a walk ends with the first who are enough, of n people
 * and k lists that a share p of them is in each about the lesser of np and limit / p^(k-1) are
 * looked at.
 */
export function walkAll(all: readonly DocSet[], take: (ordinal: number) => boolean): void {
  const { walked, others } = walkOf(all)
  walked?.walk(others, take)
}

/** Who is walked, undefined for nobody, and the others who are asked of whoever is met. */
export interface WalkPlan {
  readonly walked: DocSet | undefined
  readonly others: readonly DocSet[]
}

/** Walks what takes the least, and asks the fewest of the others first. */
export function walkOf(all: readonly DocSet[]): WalkPlan {
  const walked = all[cheapestToWalk(all)]
  const others = all.filter((each) => each !== walked).sort((a, b) => a.size - b.size)
  return { walked, others }
}

/** Walking one of all, for each who is looked at the narrowest of the others is asked at least. */
function cheapestToWalk(all: readonly DocSet[]): number {
  let narrowest = Number.POSITIVE_INFINITY
  let second = narrowest
  for (const { width } of all) {
    second = Math.min(second, Math.max(width, narrowest))
    narrowest = Math.min(width, narrowest)
  }
  const costs = all.map(({ size, width }) => size * (1 + (width > narrowest ? narrowest : second)))
  return all.length === 1 ? 0 : costs.indexOf(Math.min(...costs))
}

/** How many of the fewest there are of all: no more are in all of them. */
export function fewest(all: readonly DocSet[]): number {
  return all.reduce((least, { size }) => Math.min(least, size), Number.POSITIVE_INFINITY)
}

/** Whether somebody is among all of some. */
export function areHeldBy(all: readonly DocSet[], ordinal: number): boolean {
  return allMayHold(all, ordinal) && allHold(all, ordinal)
}

/** Keeps those who are among all of some: see `keep`. */
export function keepAll(all: readonly DocSet[], ordinals: Uint32Array, count: number): number {
  let kept = count
  for (let index = 0; index < all.length && kept > 0; index += 1) {
    kept = all[index]!.keep(ordinals, kept)
  }
  return kept
}

/** Keeps those who are among some by a look at each. */
export function keepHeld(holders: DocSet, ordinals: Uint32Array, count: number): number {
  let kept = 0
  for (let index = 0; index < count; index += 1) {
    const ordinal = ordinals[index]!
    if (holders.mayHold(ordinal) && holders.holds(ordinal)) ordinals[kept++] = ordinal
  }
  return kept
}

/** Whether one bit of each of some tells that somebody may be among them. */
export function allMayHold(holders: readonly DocSet[], ordinal: number): boolean {
  for (let index = 0; index < holders.length; index += 1) {
    if (!holders[index]!.mayHold(ordinal)) return false
  }
  return true
}

/** Whether somebody who may be among each of some is. */
export function allHold(holders: readonly DocSet[], ordinal: number): boolean {
  for (let index = 0; index < holders.length; index += 1) {
    if (!holders[index]!.holds(ordinal)) return false
  }
  return true
}

/** Those who hold any of some. */
export class Any implements DocSet {
  readonly size: number
  readonly width: number
  readonly #holders: readonly DocSet[]

  constructor(holders: readonly DocSet[]) {
    this.#holders = holders
    this.size = holders.reduce((sum, { size }) => sum + size, 0)
    this.width = holders.reduce((sum, { width }) => sum + width, 0)
  }

  /** Whether any of them passes a look. */
  some(look: (holders: DocSet) => boolean): boolean {
    return this.#holders.some(look)
  }

  mayHold(ordinal: number): boolean {
    for (let index = 0; index < this.#holders.length; index += 1) {
      if (this.#holders[index]!.mayHold(ordinal)) return true
    }
    return false
  }

  holds(ordinal: number): boolean {
    for (let index = 0; index < this.#holders.length; index += 1) {
      const holder = this.#holders[index]!
      if (holder.mayHold(ordinal) && holder.holds(ordinal)) return true
    }
    return false
  }

  keep(ordinals: Uint32Array, count: number): number {
    return keepHeld(this, ordinals, count)
  }

  within(start: number, end: number): DocSet {
    return new Any(this.#holders.map((each) => each.within(start, end)))
  }

  walk(others: readonly DocSet[], take: (ordinal: number) => boolean): void {
    for (const holder of this.#holders) walkAll([holder, ...others], take)
  }
}

/** Those who hold each of some, which are at least one. */
export class Each implements DocSet {
  readonly size: number
  readonly width = 1
  readonly #holders: readonly DocSet[]

  constructor(holders: readonly DocSet[]) {
    // The fewest tell most of the others apart.
    this.#holders = holders.toSorted((a, b) => a.size - b.size)
    this.size = fewest(holders)
  }

  mayHold(ordinal: number): boolean {
    return allMayHold(this.#holders, ordinal)
  }

  holds(ordinal: number): boolean {
    return allHold(this.#holders, ordinal)
  }

  keep(ordinals: Uint32Array, count: number): number {
    return keepAll(this.#holders, ordinals, count)
  }

  within(start: number, end: number): DocSet {
    return new Each(this.#holders.map((each) => each.within(start, end)))
  }

  walk(others: readonly DocSet[], take: (ordinal: number) => boolean): void {
    walkAll([...this.#holders, ...others], take)
  }
}

/** Nobody. */
export const nobody: DocSet = new Any([])

/** Those who hold any of some; the one there is of one, and none that nobody holds. */
export function anyOf(holders: readonly DocSet[]): DocSet {
  const some = holders.filter(({ size }) => size > 0)
  return some.length === 1 ? some[0]! : some.length === 0 ? nobody : new Any(some)
}

/** Those who hold each of some, which are at least one. */
export function eachOf(holders: readonly DocSet[]): DocSet {
  if (holders.length === 1) return holders[0]!
  return holders.some(({ size }) => size === 0) ? nobody : new Each(holders)
}
