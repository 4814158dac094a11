/** The fault of a row of a table, as its lines carry it to the reading of records. */

/** Why a row is no record, and the row as JSON. */
export interface RowFault {
  readonly reason: string
  readonly text: string
}
