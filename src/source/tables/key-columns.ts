/**
 * Which columns tell the people of a table apart: those whose cells are all there and all
 * different.
 */
import { cellValue } from './cell-values.ts'

/** Candidates that are counted behind the first rows, and rows that are counted at most. */
const candidatesMax = 6
const rowsMax = 100_000

interface Candidate {
  readonly columns: readonly string[]
  readonly places: readonly number[]
  readonly rank: number
  readonly seen: Set<string>
  /** Rows in which a cell is blank or was there before. */
  faults: number
}

export class KeyColumns {
  #candidates: Candidate[]
  #rows = 0

  /** @param name the columns of names, with which others may make a key. */
  constructor(
    columns: readonly string[],
    rankOf: (column: string) => number,
    name: readonly string[],
  ) {
    const candidate = (names: readonly string[], rank: number): Candidate => ({
      ...{ columns: names, rank, seen: new Set(), faults: 0 },
      places: names.map((each) => columns.indexOf(each)),
    })
    const single = columns.map((column) => candidate([column], rankOf(column)))
    const others = name.length === 0 ? [] : columns.filter((column) => !name.includes(column))
    const pairs = others.map((column, index) => candidate([...name, column], pairRank + index))
    const whole = name.length > 1 ? [candidate(name, keyRanks.name)] : []
    this.#candidates = [...single, ...whole, ...pairs]
  }

  /** Counts some rows. @returns false once enough are counted. */
  add(rows: readonly unknown[]): boolean {
    for (const row of rows) if (Array.isArray(row)) this.#addRow(row)
    this.#rows += rows.length
    if (rows.length > 0) this.#candidates = this.#sorted().slice(0, candidatesMax)
    return this.#rows < rowsMax
  }

  #addRow(row: readonly unknown[]): void {
    for (const candidate of this.#candidates) {
      const texts = candidate.places.map((place) => cellValue(row[place], 'text'))
      const key = texts.join('\0')
      if (texts.includes(undefined) || candidate.seen.has(key)) candidate.faults += 1
      else candidate.seen.add(key)
    }
  }

  #sorted(): Candidate[] {
    return this.#candidates.toSorted((a, b) => a.faults - b.faults || a.rank - b.rank)
  }

  get best(): readonly string[] | undefined {
    return this.#rows === 0 ? undefined : this.#sorted()[0]?.columns
  }
}

/** Ranks of columns: those of registers and accounts, a name, an address, a name with another column, any other. */
export const keyRanks = {
  register: 100,
  account: 110,
  name: 120,
  address: 130,
  other: 300,
} as const
const pairRank = 200
