/**
 * The least of a range of numbers, one after the other: over the numbers lie levels, each of which
 * holds the least of every sixteen below. What is wanted is found from the top down, in the order of
 * what lies below, so that the length of the range hardly matters.
 */

const fanOut = 16

/** How many numbers the levels over so many have. */
function levelSizes(count: number): number[] {
  const sizes: number[] = []
  for (let size = count; size > 1; ) {
    size = Math.ceil(size / fanOut)
    sizes.push(size)
  }
  return sizes
}

/** The levels over some numbers, the lowest first: a fifteenth of the numbers. */
export function leastLevels(numbers: Uint32Array): Uint32Array {
  const sizes = levelSizes(numbers.length)
  const levels = new Uint32Array(sizes.reduce((sum, size) => sum + size, 0))
  let below = numbers
  let start = 0
  for (const size of sizes) {
    const level = levels.subarray(start, start + size)
    for (let place = 0; place < size; place += 1) {
      const end = Math.min(below.length, (place + 1) * fanOut)
      let least = below[place * fanOut]!
      for (let at = place * fanOut + 1; at < end; at += 1) least = Math.min(least, below[at]!)
      level[place] = least
    }
    below = level
    start += size
  }
  return levels
}

/** A number, or the least of those below a place of a level; level 0 is the numbers themselves. */
interface Candidate {
  readonly least: number
  readonly level: number
  readonly place: number
}

export class LeastInRange {
  /** The numbers, and above them the levels. */
  readonly #levels: readonly Uint32Array[]

  /** @param levels as `leastLevels` makes them of the numbers. */
  constructor(numbers: Uint32Array, levels: Uint32Array) {
    let start = 0
    const above = levelSizes(numbers.length).map((size) => {
      start += size
      return levels.subarray(start - size, start)
    })
    this.#levels = [numbers, ...above]
  }

  /**
   * Shows the places of a range by their numbers, the least first, until `take` returns false.
   * O(log count) for each.
   */
  ascending(start: number, end: number, take: (place: number) => boolean): void {
    const heap: Candidate[] = []
    for (let at = start; at < end; ) {
      let level = 0
      let width = 1
      while (at % (width * fanOut) === 0 && at + width * fanOut <= end) {
        level += 1
        width *= fanOut
      }
      this.#push(heap, level, at / width)
      at += width
    }
    for (let next = popLeast(heap); next !== undefined; next = popLeast(heap)) {
      const { level, place } = next
      if (level > 0) this.#pushBelow(heap, level - 1, place)
      else if (!take(place)) return
    }
  }

  #pushBelow(heap: Candidate[], level: number, place: number): void {
    const end = Math.min(this.#levels[level]!.length, (place + 1) * fanOut)
    for (let at = place * fanOut; at < end; at += 1) this.#push(heap, level, at)
  }

  #push(heap: Candidate[], level: number, place: number): void {
    pushLeast(heap, { least: this.#levels[level]![place]!, level, place })
  }
}

/** Of equal numbers the first place comes first. */
function isBefore(a: Candidate, b: Candidate): boolean {
  if (a.least !== b.least) return a.least < b.least
  return a.place * fanOut ** a.level < b.place * fanOut ** b.level
}

/** Puts something into a binary heap. */
function pushLeast(heap: Candidate[], added: Candidate): void {
  let at = heap.length
  heap.push(added)
  while (at > 0) {
    const parent = (at - 1) >>> 1
    if (!isBefore(added, heap[parent]!)) break
    heap[at] = heap[parent]!
    at = parent
  }
  heap[at] = added
}

function popLeast(heap: Candidate[]): Candidate | undefined {
  const top = heap[0]
  const last = heap.pop()
  if (last === undefined || heap.length === 0) return top
  let at = 0
  for (;;) {
    let child = at * 2 + 1
    if (child >= heap.length) break
    if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child += 1
    if (!isBefore(heap[child]!, last)) break
    heap[at] = heap[child]!
    at = child
  }
  heap[at] = last
  return top
}
