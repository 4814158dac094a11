/** A table as what reads it gives it: rows in pieces, the header first. */

/** Pieces of rows; the first row of all names the columns. */
export type TableRows = AsyncGenerator<readonly (readonly unknown[])[], void, undefined>
