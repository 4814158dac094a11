/** A database as it was at one moment, however long it is read. */
import { to as copyTo } from 'pg-copy-streams'
import { Refusal } from '../../problems.ts'
import { connectPostgresql, type PostgresqlAddress } from '../../process/postgresql.ts'

/** Name of a sync in the lists of PostgreSQL. */
const program = 'authority-index sync'

const newline = 0x0a

export type ReadTransaction = Awaited<ReturnType<typeof connect>>

/** @throws Refusal `source-unreadable`. */
export async function connect(address: PostgresqlAddress) {
  const refuse = (error: unknown): never => {
    throw unreadable(address, error)
  }
  const client = await connectPostgresql(address, program).catch(refuse)
  const rows = async <T extends object>(
    query: string,
    values: readonly unknown[] = [],
  ): Promise<T[]> => (await client.query<T>(query, [...values]).catch(refuse)).rows
  /** @param query of one column of text without control characters. */
  async function* lines(
    query: string,
    onRows: (rows: number) => void,
  ): AsyncGenerator<Buffer, void, undefined> {
    // Nothing in a line has to be quoted when what quotes and parts is no character of it.
    const copy = `COPY (${query}) TO STDOUT (FORMAT csv, QUOTE E'\\x01', DELIMITER E'\\x02')`
    const chunks = client.query(copyTo(copy))
    // A loop that was left hears of no error any more.
    chunks.on('error', () => {})
    let rows = 0
    try {
      for await (const chunk of chunks as AsyncIterable<Buffer>) {
        yield chunk
        for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1))
          rows += 1
        onRows(rows)
      }
    } catch (error) {
      refuse(error)
    }
  }
  /** Refuses a database without an encoding: its bytes may be no text. */
  const begin = async () => {
    await rows(beginning)
    const [row] = await rows<{ server_encoding: string }>('SHOW server_encoding')
    if (row?.server_encoding === 'SQL_ASCII') {
      throw new Refusal('source-unreadable', `${address.name} has no encoding (SQL_ASCII)`)
    }
  }
  return { begin, rows, lines, end: () => void client.end().catch(() => {}) }
}

/** Overrides settings of a role or a server that could end a sync, or write the same value in another way. */
const beginning = `
  BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
  SET LOCAL statement_timeout = 0;
  SET LOCAL idle_in_transaction_session_timeout = 0;
  SET LOCAL TimeZone = 'UTC';
  SET LOCAL DateStyle = 'ISO';
  SET LOCAL extra_float_digits = 1`

function unreadable({ name }: PostgresqlAddress, error: unknown): Refusal {
  if (error instanceof Refusal) return error
  const { message, code } = error as Error & { readonly code?: string }
  // Several addresses of one name that all failed have no message of their own.
  const reason = (message || code || 'it cannot be reached').replace(/\s+/g, ' ')
  return new Refusal('source-unreadable', `${name} cannot be read: ${reason}`)
}
