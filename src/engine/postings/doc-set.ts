/**
 * Document sets: the people who have a term, any of several terms, or each of several. Members are in
 * ascending order of ordinals, so the first members are the top ones. The work of an intersection depends
 * on its smallest set, not on the number of people.
 */
/** Some people, by their ordinals. */
export interface DocSet {
  /** There are no more than so many. */
  readonly size: number
  /** How many lists a look may have to ask. */
  readonly width: number
  /** One bit tells that somebody is not among them; otherwise they may be. */
  mayContain(ordinal: number): boolean
  /** Whether somebody who may be among them is. */
  contains(ordinal: number): boolean
  /**
   * Keeps of the first `count` of some people those who are among them, in their order at the
   * beginning; returns how many. Many looks at once take a fraction of as many single ones.
   */
  retain(ordinals: Uint32Array, count: number): number
  /** Those of them in a range of ordinals, as far as that is known without looking at each. */
  slice(start: number, end: number): DocSet
  /**
   * Shows those who are among all `others`, too: in ascending order, or some ascending rows of them
   * one after the other, in which one may come again. A row ends when `take` returns false.
   */
  forEach(others: readonly DocSet[], take: (ordinal: number) => boolean): void
}

/**
 * Shows those who are among all of some, in the order of `walk`. The fewest are walked; most of them
 * are told apart by one bit of the others. As a walk ends with the first who are enough, of n people
 * and k lists that a share p of them is in each about the lesser of np and limit / p^(k-1) are
 * looked at.
 */
export function forEachInAll(all: readonly DocSet[], take: (ordinal: number) => boolean): void {
  const { walked, others } = planWalk(all)
  walked?.forEach(others, take)
}

/** Who is walked, undefined for nobody, and the others who are asked of whoever is met. */
export interface WalkPlan {
  readonly walked: DocSet | undefined
  readonly others: readonly DocSet[]
}

/** Walks what takes the least, and asks the fewest of the others first. */
export function planWalk(all: readonly DocSet[]): WalkPlan {
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
export function isInAll(all: readonly DocSet[], ordinal: number): boolean {
  return allMayContain(all, ordinal) && allContain(all, ordinal)
}

/** Keeps those who are among all of some: see `keep`. */
export function retainAll(all: readonly DocSet[], ordinals: Uint32Array, count: number): number {
  let kept = count
  for (let index = 0; index < all.length && kept > 0; index += 1) {
    kept = all[index]!.retain(ordinals, kept)
  }
  return kept
}

/** Keeps those who are among some by a look at each. */
export function retainEach(holders: DocSet, ordinals: Uint32Array, count: number): number {
  let kept = 0
  for (let index = 0; index < count; index += 1) {
    const ordinal = ordinals[index]!
    if (holders.mayContain(ordinal) && holders.contains(ordinal)) ordinals[kept++] = ordinal
  }
  return kept
}

/** Whether one bit of each of some tells that somebody may be among them. */
export function allMayContain(holders: readonly DocSet[], ordinal: number): boolean {
  for (let index = 0; index < holders.length; index += 1) {
    if (!holders[index]!.mayContain(ordinal)) return false
  }
  return true
}

/** Whether somebody who may be among each of some is. */
export function allContain(holders: readonly DocSet[], ordinal: number): boolean {
  for (let index = 0; index < holders.length; index += 1) {
    if (!holders[index]!.contains(ordinal)) return false
  }
  return true
}

/** Those who hold any of some. */
export class Union implements DocSet {
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

  mayContain(ordinal: number): boolean {
    for (let index = 0; index < this.#holders.length; index += 1) {
      if (this.#holders[index]!.mayContain(ordinal)) return true
    }
    return false
  }

  contains(ordinal: number): boolean {
    for (let index = 0; index < this.#holders.length; index += 1) {
      const holder = this.#holders[index]!
      if (holder.mayContain(ordinal) && holder.contains(ordinal)) return true
    }
    return false
  }

  retain(ordinals: Uint32Array, count: number): number {
    return retainEach(this, ordinals, count)
  }

  slice(start: number, end: number): DocSet {
    return new Union(this.#holders.map((each) => each.slice(start, end)))
  }

  forEach(others: readonly DocSet[], take: (ordinal: number) => boolean): void {
    for (const holder of this.#holders) forEachInAll([holder, ...others], take)
  }
}

/** Those who hold each of some, which are at least one. */
export class Intersection implements DocSet {
  readonly size: number
  readonly width = 1
  readonly #holders: readonly DocSet[]

  constructor(holders: readonly DocSet[]) {
    // The fewest tell most of the others apart.
    this.#holders = holders.toSorted((a, b) => a.size - b.size)
    this.size = fewest(holders)
  }

  mayContain(ordinal: number): boolean {
    return allMayContain(this.#holders, ordinal)
  }

  contains(ordinal: number): boolean {
    return allContain(this.#holders, ordinal)
  }

  retain(ordinals: Uint32Array, count: number): number {
    return retainAll(this.#holders, ordinals, count)
  }

  slice(start: number, end: number): DocSet {
    return new Intersection(this.#holders.map((each) => each.slice(start, end)))
  }

  forEach(others: readonly DocSet[], take: (ordinal: number) => boolean): void {
    forEachInAll([...this.#holders, ...others], take)
  }
}

/** Nobody. */
export const nobody: DocSet = new Union([])

/** Those who hold any of some; the one there is of one, and none that nobody holds. */
export function unionOf(holders: readonly DocSet[]): DocSet {
  const some = holders.filter(({ size }) => size > 0)
  return some.length === 1 ? some[0]! : some.length === 0 ? nobody : new Union(some)
}

/** Those who hold each of some, which are at least one. */
export function intersectionOf(holders: readonly DocSet[]): DocSet {
  if (holders.length === 1) return holders[0]!
  return holders.some(({ size }) => size === 0) ? nobody : new Intersection(holders)
}
