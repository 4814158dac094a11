/**
 * The smallest numbers of a range, in ascending order. Each level above the numbers holds the minimum of
 * every sixteen entries below. A search goes from the top down, so the length of the range hardly matters.
 */

const fanOut = 16

function levelSizes(count: number): number[] {
  const sizes: number[] = []
  for (let size = count; size > 1; ) {
    size = Math.ceil(size / fanOut)
    sizes.push(size)
  }
  return sizes
}

/** The views of the levels over so many numbers, the lowest first. */
function levelsIn(levels: Uint32Array, count: number): Uint32Array[] {
  let start = 0
  return levelSizes(count).map((size) => {
    start += size
    return levels.subarray(start - size, start)
  })
}

/** The levels over some numbers, the lowest first: a fifteenth of the numbers. */
export function leastLevels(numbers: Uint32Array): Uint32Array {
  const sizes = levelSizes(numbers.length)
  const levels = new Uint32Array(sizes.reduce((sum, size) => sum + size, 0))
  let below = numbers
  for (const level of levelsIn(levels, numbers.length)) {
    for (let place = 0; place < level.length; place += 1) {
      const end = Math.min(below.length, (place + 1) * fanOut)
      let least = below[place * fanOut]!
      for (let at = place * fanOut + 1; at < end; at += 1) least = Math.min(least, below[at]!)
      level[place] = least
    }
    below = level
  }
  return levels
}

/** More levels than any column has. */
const levelsMax = 16

/** One range at a time: the state of a search is kept, so that it makes no object. */
export class LeastInRange {
  readonly #levels: readonly Uint32Array[]
  /**
   * A binary heap of candidates, each a number or the least of those below a place of a level. The code
   * of a candidate is the start of its range, with its level.
   */
  readonly #least: number[] = []
  readonly #codes: number[] = []
  #size = 0

  constructor(numbers: Uint32Array, levels: Uint32Array) {
    this.#levels = [numbers, ...levelsIn(levels, numbers.length)]
  }

  /** Places by ascending number, then place, until `take` returns false. O(log count) each. */
  ascending(start: number, end: number, take: (place: number) => boolean): void {
    this.#size = 0
    for (let at = start; at < end; ) {
      let level = 0
      let width = 1
      while (at % (width * fanOut) === 0 && at + width * fanOut <= end) {
        level += 1
        width *= fanOut
      }
      this.#push(this.#levels[level]![at / width]!, at, level)
      at += width
    }
    while (this.#size > 0) {
      const code = this.#codes[0]!
      const level = code % levelsMax
      const at = (code - level) / levelsMax
      this.#dropFirst()
      if (level > 0) this.#pushBelow(at, level - 1)
      else if (!take(at)) return
    }
  }

  #pushBelow(start: number, level: number): void {
    const numbers = this.#levels[level]!
    const width = fanOut ** level
    const first = start / width
    const end = Math.min(numbers.length, first + fanOut)
    for (let at = first; at < end; at += 1) this.#push(numbers[at]!, at * width, level)
  }

  #push(least: number, start: number, level: number): void {
    const code = start * levelsMax + level
    let at = this.#size
    this.#size += 1
    while (at > 0) {
      const parent = (at - 1) >>> 1
      if (!this.#isBefore(least, code, parent)) break
      this.#move(parent, at)
      at = parent
    }
    this.#least[at] = least
    this.#codes[at] = code
  }

  #dropFirst(): void {
    this.#size -= 1
    const last = this.#size
    const least = this.#least[last]!
    const code = this.#codes[last]!
    let at = 0
    for (let child = 1; child < last; child = at * 2 + 1) {
      const other = child + 1
      const isOther =
        other < last && this.#isBefore(this.#least[other]!, this.#codes[other]!, child)
      const next = isOther ? other : child
      if (this.#isBefore(least, code, next)) break
      this.#move(next, at)
      at = next
    }
    this.#least[at] = least
    this.#codes[at] = code
  }

  #isBefore(least: number, code: number, place: number): boolean {
    const other = this.#least[place]!
    return least < other || (least === other && code < this.#codes[place]!)
  }

  #move(from: number, to: number): void {
    this.#least[to] = this.#least[from]!
    this.#codes[to] = this.#codes[from]!
  }
}
