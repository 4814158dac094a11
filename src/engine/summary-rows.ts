/**
 * One row of four numbers for each person with all that a summary needs beside texts: the end of the identity, the
 * rank in the core topic, and the numbers of the country and of the core topic. They are in one line of memory, where
 * other sections have them in four.
 */
import { summaryNumbers } from '../snapshot/sections.ts'

/** Reads the rows. */
export class SummaryRows {
  readonly #numbers: Uint32Array

  constructor(numbers: Uint32Array) {
    this.#numbers = numbers
  }

  startOf(ordinal: number): number {
    return ordinal === 0 ? 0 : this.#numbers[summaryNumbers * (ordinal - 1)]!
  }

  endOf(ordinal: number): number {
    return this.#numbers[summaryNumbers * ordinal]!
  }

  /** The rank in the core topic. */
  rankOf(ordinal: number): number {
    return this.#numbers[summaryNumbers * ordinal + 1]!
  }

  countryOf(ordinal: number): number {
    return this.#numbers[summaryNumbers * ordinal + 2]!
  }

  topicOf(ordinal: number): number {
    return this.#numbers[summaryNumbers * ordinal + 3]!
  }
}
