/** A table as what reads it gives it: rows in pieces, the header first. */

/** A row that cannot be read: the reason, and what is there of it. */
interface DamagedRow {
  readonly reason: string
  readonly text: string
}

/** The cells of a row in the order of the columns, or why there are none. */
export type TableRow = readonly unknown[] | DamagedRow

/** Pieces of rows; the first row of all names the columns. */
export type TableRows = AsyncGenerator<readonly TableRow[], void, undefined>

/** Whether a row is there, but cannot be read. */
export function isDamaged(row: TableRow): row is DamagedRow {
  return !Array.isArray(row)
}
