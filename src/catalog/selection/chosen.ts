/**
 * Those whom a filter chooses, as holders that a search can be thinned out with: one look at a column
 * tells whether somebody is among them. They ascend by ordinal, as all holders do.
 */
import { areHeldBy, type Holders } from '../search/holders.ts'

/** Everybody of a range of ordinals who passes one look; a filter is one that looks elsewhere, too. */
export class Chosen implements Holders {
  readonly width = 1
  readonly #start: number
  readonly #end: number

  /** Those from an ordinal on, to another. */
  constructor(start: number, end: number) {
    this.#start = start
    this.#end = Math.max(start, end)
  }

  get size(): number {
    return this.#end - this.#start
  }

  mayHold(ordinal: number): boolean {
    return ordinal >= this.#start && ordinal < this.#end
  }

  holds(_ordinal: number): boolean {
    return true
  }

  walk(others: readonly Holders[], take: (ordinal: number) => boolean): void {
    for (let ordinal = this.#start; ordinal < this.#end; ordinal += 1) {
      if (this.mayHold(ordinal) && areHeldBy(others, ordinal) && !take(ordinal)) return
    }
  }
}

/** Those of whom a column says one of some numbers. */
export class InTable extends Chosen {
  readonly #column: Uint32Array
  readonly #isWanted: Uint8Array

  /** @param isWanted for each number that the column may hold 1 or 0. */
  constructor(column: Uint32Array, isWanted: Uint8Array) {
    super(0, column.length)
    this.#column = column
    this.#isWanted = isWanted
  }

  override mayHold(ordinal: number): boolean {
    return this.#isWanted[this.#column[ordinal]!] === 1
  }
}

/** Those of whom a column says a number or more. */
export class AtLeast extends Chosen {
  readonly #column: Uint32Array
  readonly #least: number

  constructor(column: Uint32Array, least: number) {
    super(0, column.length)
    this.#column = column
    this.#least = least
  }

  override mayHold(ordinal: number): boolean {
    return this.#column[ordinal]! >= this.#least
  }
}

/** Those in whose list is one of some numbers, who are the holders of any of some lists, too. */
export class InLists extends Chosen {
  readonly #starts: Uint32Array
  readonly #values: Uint32Array
  readonly #isWanted: Uint8Array

  /** @param isWanted for each number that a list may hold 1 or 0. */
  constructor(starts: Uint32Array, values: Uint32Array, isWanted: Uint8Array) {
    super(0, starts.length - 1)
    this.#starts = starts
    this.#values = values
    this.#isWanted = isWanted
  }

  override mayHold(ordinal: number): boolean {
    const end = this.#starts[ordinal + 1]!
    for (let index = this.#starts[ordinal]!; index < end; index += 1) {
      if (this.#isWanted[this.#values[index]!] === 1) return true
    }
    return false
  }
}

/** Those who pass a look and are the holders of some lists: few of them are found by the lists. */
export class Listed implements Holders {
  readonly width = 1
  readonly #look: Chosen
  readonly #lists: Holders

  constructor(look: Chosen, lists: Holders) {
    this.#look = look
    this.#lists = lists
  }

  get size(): number {
    return this.#lists.size
  }

  mayHold(ordinal: number): boolean {
    return this.#look.mayHold(ordinal)
  }

  holds(_ordinal: number): boolean {
    return true
  }

  walk(others: readonly Holders[], take: (ordinal: number) => boolean): void {
    this.#lists.walk(others, take)
  }
}

/** Those who are not among all of some. */
export class Without extends Chosen {
  readonly #all: readonly Holders[]

  constructor(all: readonly Holders[], authorities: number) {
    super(0, authorities)
    this.#all = all
  }

  override mayHold(ordinal: number): boolean {
    return !areHeldBy(this.#all, ordinal)
  }
}

/** Those who have nothing of what gives an order. */
export class WithoutValue extends Chosen {
  readonly #value: (ordinal: number) => number

  constructor(value: (ordinal: number) => number, authorities: number) {
    super(0, authorities)
    this.#value = value
  }

  override mayHold(ordinal: number): boolean {
    return this.#value(ordinal) === 0
  }
}
