/**
 * One row for each person with all numbers that a summary needs, in one line of memory, not in
 * four.
 */
import { summaryNumbers } from '../snapshot/sections.ts'

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
