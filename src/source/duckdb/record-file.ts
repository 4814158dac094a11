/**
 * A source that is a file of DuckDB: tables and views as those of PostgreSQL, whose rows become the lines of JSON that
 * rows of Parquet become. Rows have one order, so that the same rows are the same lines in every file. No other process
 * can write to the file while it is read, so that a reading is always steady.
 */
import { stat } from 'node:fs/promises'
import { ReadingDatabase, type ReadingRoom } from '../../duckdb/reading-database.ts'
import { firstLineOf, spaceRefusalOf } from '../../duckdb/refusals.ts'
import { Refusal } from '../../problems.ts'
import { digestLines, type LineStreams, readLines } from '../ndjson/line-reading.ts'
import type { LineStream } from '../ndjson/lines.ts'
import { positionsIn, type RecordTable, recordTables } from '../postgresql/record-tables.ts'
import type { OnProgress, ReadOptions, Source, SourceReading, Stamp } from '../source.ts'
import { tableChunks } from '../tables/table-lines.ts'
import { tableColumns } from '../tables/table-records.ts'
import type { TableRows } from '../tables/table-rows.ts'
import { columnsStatement, countStatement, rowsStatement, tablesStatement } from './statements.ts'

const lookIntervalMs = 500

/** The source in a file of DuckDB; the file is neither read nor looked for. */
export function openDuckDbFile(path: string, room: ReadingRoom): Source {
  const opened = () => RecordFile.open(path, room)
  return {
    name: path,
    lookIntervalMs,
    stamp: () => stampOf(path),
    fingerprint: async (onProgress) => {
      const file = await opened()
      try {
        return await digestLines(await file.streams(), onProgress)
      } finally {
        file.close()
      }
    },
    read: async (options) => readingOf(await opened(), options),
  }
}

async function readingOf(
  file: RecordFile,
  { onProgress }: ReadOptions = {},
): Promise<SourceReading> {
  try {
    const records = readLines(await file.streams(), { onProgress })
    return {
      ...records,
      isSteady: async () => true,
      mark: () => undefined,
      close: () => file.close(),
    }
  } catch (error) {
    file.close()
    throw error
  }
}

/** Changes that are not in the file yet lie in its log beside it. */
async function stampOf(path: string): Promise<Stamp> {
  const facts = await stat(path).catch((error) => {
    throw unreadable(path, error)
  })
  const log = await stat(`${path}.wal`).catch(() => undefined)
  const { dev, ino } = facts
  const written = [facts, log].map((file) => [file?.size, file?.mtimeMs].join())
  return {
    version: [dev, ino, ...written].join(),
    extent: [facts.size, log?.size ?? 0].join(),
  }
}

/** A file that is open. */
class RecordFile {
  readonly #path: string
  readonly #database: ReadingDatabase

  private constructor(path: string, database: ReadingDatabase) {
    this.#path = path
    this.#database = database
  }

  /** @throws Refusal `source-unreadable`. */
  static async open(path: string, room: ReadingRoom): Promise<RecordFile> {
    try {
      return new RecordFile(path, await ReadingDatabase.openFile(path, room))
    } catch (error) {
      throw unreadable(path, error)
    }
  }

  /** The lines of each table that is there. @throws Refusal `source-unreadable`. */
  async streams(): Promise<LineStreams> {
    const names = new Set<unknown>()
    for await (const rows of this.#rows(tablesStatement)) for (const [name] of rows) names.add(name)
    if (!names.has('authorities')) {
      throw new Refusal('source-unreadable', `${this.#path} has no table or view authorities`)
    }
    const there = recordTables.filter(({ name }) => names.has(name))
    const streams = there.map(async (table) => [table.file, await this.#linesOf(table)] as const)
    return Object.fromEntries(await Promise.all(streams))
  }

  close(): void {
    this.#database.close()
  }

  /** @throws Refusal `source-unreadable` for a column that is missing. */
  async #linesOf(table: RecordTable): Promise<LineStream> {
    const place = `${this.#path}: ${table.name}`
    const asked = this.#database.columns(columnsStatement(table))
    const columns = await asked.catch((error) => {
      throw unreadable(this.#path, error)
    })
    const names = columns.map(({ name }) => name)
    const { unread, missing } = tableColumns(place, table.file, names)
    if (missing[0] !== undefined) {
      throw new Refusal('source-unreadable', `${place} has no column ${missing[0]}`)
    }
    const read = columns.filter(({ name }) => !unread.includes(name))
    const { header, statement } = rowsStatement(table, read)
    const rows = (onProgress: OnProgress | undefined) =>
      this.#table(table, header, statement, onProgress)
    const positionOf = positionsIn(table)
    return {
      chunks: (onProgress) => tableChunks(place, table.file, rows(onProgress), undefined),
      positionOf: (_, line) => positionOf(line),
    }
  }

  async *#table(
    table: RecordTable,
    header: readonly string[],
    statement: string,
    onProgress: OnProgress | undefined,
  ): TableRows {
    yield [header]
    let [all, done] = [1, 0]
    if (onProgress !== undefined) {
      for await (const [row] of this.#rows(countStatement(table))) all = Number(row?.[0]) || 1
    }
    for await (const rows of this.#rows(statement)) {
      yield rows
      done += rows.length
      onProgress?.(done / all)
    }
  }

  /** @throws Refusal `source-unreadable`. */
  async *#rows(statement: string) {
    try {
      yield* this.#database.rows(statement)
    } catch (error) {
      throw unreadable(this.#path, error)
    }
  }
}

const lockHolder = /Could not set lock on file.*\(PID (\d+)\)/

/** An error of the system or of DuckDB as a refusal; what is no Error of either is a bug, and stays one. */
function unreadable(path: string, error: unknown): unknown {
  if (error instanceof Refusal || error instanceof TypeError) return error
  return (
    spaceRefusalOf(error) ??
    new Refusal('source-unreadable', `${path} ${reasonOf(firstLineOf(error))}`)
  )
}

function reasonOf(line: string): string {
  if (/ENOENT|database does not exist/.test(line)) return 'is not there'
  if (/not a valid DuckDB database/.test(line)) return 'is no database of DuckDB'
  const outside = /Cannot access (?:file|directory) ("[^"]*").*disabled/.exec(line)?.[1]
  if (outside !== undefined) return `has a view of ${outside}: a view may read its own file only`
  const holder = lockHolder.exec(line)?.[1]
  if (holder === undefined) return `cannot be read: ${line}`
  return `cannot be read: process ${holder} has it open for writing; end that, or give a copy of the file`
}
