/** A table as what reads it gives it: rows in pieces, the header first. */

interface DamagedRow {
  readonly reason: string
  readonly text: string
}

export type TableRow = readonly unknown[] | DamagedRow

/** Pieces of rows; the first row of all names the columns. */
export type TableRows = AsyncGenerator<readonly TableRow[], void, undefined>

export function isDamaged(row: TableRow): row is DamagedRow {
  return !Array.isArray(row)
}
