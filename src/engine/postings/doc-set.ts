/**
 * Sets of people as ascending ordinals: lists, unions and intersections. The first members are the top
 * people. The cost of an intersection depends on its smallest set, not on the number of people.
 */
export interface DocSet {
  /** An upper bound of the number of members. */
  readonly size: number
  /** The number of lists that one membership test may read. */
  readonly width: number
  /** Tests one bit: false means that the ordinal is no member, true that it may be one. */
  mayContain(ordinal: number): boolean
  /** Whether an ordinal is a member. Precondition: `mayContain` is true for it. */
  contains(ordinal: number): boolean
  /**
   * Moves the members among the first `count` ordinals to the front, in their order, and returns their number.
   * One call for many ordinals costs a fraction of as many single tests.
   */
  retain(ordinals: Uint32Array, count: number): number
  /** The members in a range of ordinals; may hold others if only a test of each would tell. */
  slice(start: number, end: number): DocSet
  /**
   * Calls `take` with each member that all `others` contain: in ascending order, or in several ascending runs
   * one after the other, which may repeat a member. A run ends when `take` returns false.
   */
  forEach(others: readonly DocSet[], take: (ordinal: number) => boolean): void
}

/**
 * Walks the smallest set; one bit of the others excludes most of its members. For n people and k
 * lists that each hold a share p, it visits about the lesser of np and limit / p^(k-1).
 */
export function forEachInAll(all: readonly DocSet[], take: (ordinal: number) => boolean): void {
  const { walked, others } = planWalk(all)
  walked?.forEach(others, take)
}

export function isEmptyIn(all: readonly DocSet[]): boolean {
  for (let index = 0; index < all.length; index += 1) if (all[index]!.size === 0) return true
  return false
}

/** The set to walk, undefined for an empty intersection, and the sets to test its members in. */
export interface WalkPlan {
  readonly walked: DocSet | undefined
  readonly others: readonly DocSet[]
}

/** Plans to walk the cheapest set and to test in the smallest of the others first; of equals in the first. */
export function planWalk(all: readonly DocSet[]): WalkPlan {
  const walked = all[cheapestToWalk(all)]
  const others: DocSet[] = []
  for (const each of all) if (each !== walked) insertBySize(others, each)
  return { walked, others }
}

/** Puts a set among others, the smallest first, behind its equals: most are one or two. */
export function insertBySize(sets: DocSet[], set: DocSet): void {
  let at = sets.length
  for (; at > 0 && sets[at - 1]!.size > set.size; at -= 1) sets[at] = sets[at - 1]!
  sets[at] = set
}

/** The index of the cheapest set to walk: each visit costs at least one test in the narrowest of the others. */
function cheapestToWalk(all: readonly DocSet[]): number {
  if (all.length === 1) return 0
  let narrowest = Number.POSITIVE_INFINITY
  let second = narrowest
  for (let index = 0; index < all.length; index += 1) {
    const { width } = all[index]!
    second = Math.min(second, Math.max(width, narrowest))
    narrowest = Math.min(width, narrowest)
  }
  let least = Number.POSITIVE_INFINITY
  let cheapest = 0
  for (let index = 0; index < all.length; index += 1) {
    const { size, width } = all[index]!
    const cost = size * (1 + (width > narrowest ? narrowest : second))
    if (cost < least) {
      least = cost
      cheapest = index
    }
  }
  return cheapest
}

export function fewest(all: readonly DocSet[]): number {
  return all.reduce((least, { size }) => Math.min(least, size), Number.POSITIVE_INFINITY)
}

export function isInAll(all: readonly DocSet[], ordinal: number): boolean {
  return allMayContain(all, ordinal) && allContain(all, ordinal)
}

export function retainAll(all: readonly DocSet[], ordinals: Uint32Array, count: number): number {
  let kept = count
  for (let index = 0; index < all.length && kept > 0; index += 1) {
    kept = all[index]!.retain(ordinals, kept)
  }
  return kept
}

/** People of a chunk: at first as few as may be enough, at most so many that it stays in the nearest cache. */
const firstLength = 32
const lengthMax = 4_096

/** Takes the first `count` of some ordinals; returns the ordinal from which on none is wanted. */
type ShowChunk = (ordinals: Uint32Array, count: number) => number

export const endless = Number.POSITIVE_INFINITY

/**
 * Walks an intersection of thousands in chunks: a check in one costs a fraction of a single check. `show` may overwrite
 * a chunk, and may get ordinals that it does not want any more.
 */
export function walkChunks({ walked, others }: WalkPlan, show: ShowChunk): void {
  let chunk = new Uint32Array(Math.min(firstLength, walked?.size ?? 0))
  let filled = 0
  let end = endless
  const flush = () => {
    const kept = retainAll(others, chunk, filled)
    if (kept > 0) end = show(chunk, kept)
    filled = 0
  }
  walked?.forEach([], (ordinal) => {
    if (ordinal >= end) return false
    chunk[filled] = ordinal
    filled += 1
    if (filled < chunk.length) return true
    flush()
    if (chunk.length < lengthMax) chunk = new Uint32Array(chunk.length * 2)
    return ordinal < end
  })
  flush()
}

export function retainEach(set: DocSet, ordinals: Uint32Array, count: number): number {
  let kept = 0
  for (let index = 0; index < count; index += 1) {
    const ordinal = ordinals[index]!
    if (set.mayContain(ordinal) && set.contains(ordinal)) ordinals[kept++] = ordinal
  }
  return kept
}

function allMayContain(sets: readonly DocSet[], ordinal: number): boolean {
  for (let index = 0; index < sets.length; index += 1) {
    if (!sets[index]!.mayContain(ordinal)) return false
  }
  return true
}

/** Whether all sets contain an ordinal. Precondition: `allMayContain` is true for it. */
function allContain(sets: readonly DocSet[], ordinal: number): boolean {
  for (let index = 0; index < sets.length; index += 1) {
    if (!sets[index]!.contains(ordinal)) return false
  }
  return true
}

export class Union implements DocSet {
  readonly size: number
  readonly width: number
  readonly #sets: readonly DocSet[]

  constructor(sets: readonly DocSet[]) {
    this.#sets = sets
    this.size = sets.reduce((sum, { size }) => sum + size, 0)
    this.width = sets.reduce((sum, { width }) => sum + width, 0)
  }

  some(test: (set: DocSet) => boolean): boolean {
    return this.#sets.some(test)
  }

  mayContain(ordinal: number): boolean {
    for (let index = 0; index < this.#sets.length; index += 1) {
      if (this.#sets[index]!.mayContain(ordinal)) return true
    }
    return false
  }

  contains(ordinal: number): boolean {
    for (let index = 0; index < this.#sets.length; index += 1) {
      const set = this.#sets[index]!
      if (set.mayContain(ordinal) && set.contains(ordinal)) return true
    }
    return false
  }

  retain(ordinals: Uint32Array, count: number): number {
    return retainEach(this, ordinals, count)
  }

  slice(start: number, end: number): DocSet {
    return new Union(this.#sets.map((each) => each.slice(start, end)))
  }

  forEach(others: readonly DocSet[], take: (ordinal: number) => boolean): void {
    for (const set of this.#sets) forEachInAll([set, ...others], take)
  }
}

export class Intersection implements DocSet {
  readonly size: number
  readonly width = 1
  readonly #sets: readonly DocSet[]

  constructor(sets: readonly DocSet[]) {
    // The smallest set excludes the most.
    const bySize: DocSet[] = []
    for (const set of sets) insertBySize(bySize, set)
    this.#sets = bySize
    this.size = fewest(sets)
  }

  mayContain(ordinal: number): boolean {
    return allMayContain(this.#sets, ordinal)
  }

  contains(ordinal: number): boolean {
    return allContain(this.#sets, ordinal)
  }

  retain(ordinals: Uint32Array, count: number): number {
    return retainAll(this.#sets, ordinals, count)
  }

  slice(start: number, end: number): DocSet {
    return new Intersection(this.#sets.map((each) => each.slice(start, end)))
  }

  forEach(others: readonly DocSet[], take: (ordinal: number) => boolean): void {
    forEachInAll([...this.#sets, ...others], take)
  }
}

export const nobody: DocSet = new Union([])

export function unionOf(sets: readonly DocSet[]): DocSet {
  let count = 0
  let last = nobody
  for (let index = 0; index < sets.length; index += 1) {
    if (sets[index]!.size === 0) continue
    last = sets[index]!
    count += 1
  }
  if (count < 2) return last
  return new Union(count === sets.length ? sets : sets.filter(({ size }) => size > 0))
}

export function intersectionOf(sets: readonly DocSet[]): DocSet {
  if (sets.length === 0) return nobody
  if (sets.length === 1) return sets[0]!
  return isEmptyIn(sets) ? nobody : new Intersection(sets)
}
