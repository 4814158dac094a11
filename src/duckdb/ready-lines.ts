/** Rows that an engine gives as lines of JSON, because it has found them in their usual spelling, but for a few. */

/** A row that is no line yet. */
export interface OtherRow {
  /** Its place: the offset of the line that follows it, bytes. */
  readonly at: number
  readonly cells: readonly unknown[]
}

export class ReadyLines {
  /** Each line with its line end. */
  readonly bytes: Buffer
  /** In their order. */
  readonly others: readonly OtherRow[]
  /** Number of rows, with the others. */
  readonly length: number

  constructor(bytes: Buffer, others: readonly OtherRow[], length: number) {
    this.bytes = bytes
    this.others = others
    this.length = length
  }
}
