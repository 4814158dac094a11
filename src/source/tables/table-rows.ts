/** A table as what reads it gives it: rows in pieces, the header first. */
import type { ReadyLines } from '../../duckdb/ready-lines.ts'

/** Some rows, each the cells of all columns. */
export type CellRows = readonly (readonly unknown[])[]

/** Pieces of rows; the first row of all names the columns. */
export type TableRows = AsyncGenerator<CellRows, void, undefined>

/** The same, but a piece behind the first row may be lines already. */
export type TablePieces = AsyncGenerator<CellRows | ReadyLines, void, undefined>
