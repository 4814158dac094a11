/**
 * The rows of a query, copied out of PostgreSQL as lines. The socket is not read while a chunk
 * waits, so memory is two chunks for any number of rows.
 */
import type { Client, Connection, Submittable } from 'pg'

/** Bytes of a chunk; a longer line is one of its own. */
const chunkBytes = 1 << 18

/**
 * @param query of one column of text without control characters.
 * @throws Error of the server or the connection, whose message is one line.
 */
export async function* copiedLines(
  client: Client,
  query: string,
  onRows: (rows: number) => void,
): AsyncGenerator<Buffer, void, undefined> {
  const copying = client.query(new Copying(query))
  for (let chunk = await copying.next(); chunk !== undefined; chunk = await copying.next()) {
    yield chunk
    onRows(copying.rows)
  }
}

/** A query as the library requires it, which calls it with the messages of the server. */
class Copying implements Submittable {
  readonly #query: string
  #connection: Connection | undefined
  #filling: Buffer = Buffer.allocUnsafe(chunkBytes)
  #filled = 0
  #full: Buffer[] = []
  #rows = 0
  #isOver = false
  #failure: Error | undefined
  #wake: () => void = () => {}

  constructor(query: string) {
    this.#query = query
  }

  get rows(): number {
    return this.#rows
  }

  async next(): Promise<Buffer | undefined> {
    while (this.#full.length === 0 && this.#failure === undefined && !this.#isOver) {
      this.#connection?.stream.resume()
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    const chunk = this.#full.shift()
    if (chunk === undefined && this.#failure !== undefined) throw this.#failure
    return chunk
  }

  submit(connection: Connection): void {
    this.#connection = connection
    // Nothing in a line has to be quoted when what quotes and parts is no character of it.
    connection.query(
      `COPY (${this.#query}) TO STDOUT (FORMAT csv, QUOTE E'\\x01', DELIMITER E'\\x02')`,
    )
  }

  /** The bytes are the library's own, which uses their memory again. */
  handleCopyData({ chunk: line }: { readonly chunk: Buffer }): void {
    this.#rows += 1
    if (this.#filled + line.length > this.#filling.length) this.#endChunk(line.length)
    this.#filled += line.copy(this.#filling, this.#filled)
  }

  #endChunk(nextBytes = 0): void {
    if (this.#filled > 0) this.#full.push(this.#filling.subarray(0, this.#filled))
    this.#filling = Buffer.allocUnsafe(Math.max(chunkBytes, nextBytes))
    this.#filled = 0
    this.#connection?.stream.pause()
    this.#wake()
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.#endChunk()
    this.#connection?.stream.resume()
    this.#isOver = true
    this.#wake()
  }

  handleError(error: Error): void {
    this.#failure = error
    this.#wake()
  }
}
