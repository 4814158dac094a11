/**
 * One row of four numbers for each person with all that a summary needs beside texts: the end of the identity, the
 * rank in the core topic, and the numbers of the country and of the core topic. They are in one line of memory, where
 * the sections have them in four. Derived when a snapshot is loaded, in memory that all threads share: 16 bytes a person.
 *
 * Invariant: a row says what the sections say.
 */
import { shared } from '../memory/columns.ts'
import type { Snapshot } from '../snapshot/file.ts'

/** Numbers of a row. */
const rowLength = 4
/** People between two rests. */
const stepLength = 1 << 10

/** Makes the rows, as plain memory that can be handed to another thread. O(people). */
export function summaryNumbersOf(
  { sections }: Pick<Snapshot, 'sections'>,
  rest: () => void = () => {},
): Uint32Array {
  const ends = sections['identity.ends']
  const ranks = sections['authority.core-ranks']
  const countries = sections['authority.countries']
  const topics = sections['authority.core-topics']
  const numbers = shared(ends.length * rowLength)
  for (let ordinal = 0, at = 0; ordinal < ends.length; ordinal += 1, at += rowLength) {
    if (ordinal % stepLength === 0) rest()
    numbers[at] = ends[ordinal]!
    numbers[at + 1] = ranks[ordinal]!
    numbers[at + 2] = countries[ordinal]!
    numbers[at + 3] = topics[ordinal]!
  }
  return numbers
}

/** Reads the rows. */
export class SummaryRows {
  readonly #numbers: Uint32Array

  constructor(numbers: Uint32Array) {
    this.#numbers = numbers
  }

  /** The start of an identity. */
  startOf(ordinal: number): number {
    return ordinal === 0 ? 0 : this.#numbers[rowLength * (ordinal - 1)]!
  }

  /** The end of an identity. */
  endOf(ordinal: number): number {
    return this.#numbers[rowLength * ordinal]!
  }

  /** The rank in the core topic. */
  rankOf(ordinal: number): number {
    return this.#numbers[rowLength * ordinal + 1]!
  }

  /** The number of the country. */
  countryOf(ordinal: number): number {
    return this.#numbers[rowLength * ordinal + 2]!
  }

  /** The number of the core topic. */
  topicOf(ordinal: number): number {
    return this.#numbers[rowLength * ordinal + 3]!
  }
}
