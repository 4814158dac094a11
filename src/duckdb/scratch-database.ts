/**
 * A database of DuckDB for the time of one sync: what does not fit into a bounded memory lies in a private
 * directory, which is removed at the end, and by the next sync after a process that was killed. Statements are texts
 * of the program: nothing of a record or of a file name is ever part of one.
 */
import { rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { DuckDBAppender, DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { Refusal } from '../problems.ts'
import { makePrivateDirectory } from '../process/private-directory.ts'
import { loadDuckDb } from './module.ts'
import { firstLineOf, spaceRefusalOf } from './refusals.ts'

type DuckDb = Awaited<ReturnType<typeof loadDuckDb>>

/** Memory that DuckDB needs for each of its threads to sort with. */
const memoryAThreadBytes = 256 << 20
/** Rows of a chunk of DuckDB. */
const rowsAtOnce = 2_048
const progressIntervalMs = 500

/** Types of columns of numbers. */
type NumberType = 'UINTEGER' | 'UTINYINT' | 'DOUBLE'

/** Options of a scratch database. */
interface ScratchOptions {
  /** Directory of its own: made for the owner alone, emptied before and removed behind. */
  readonly directory: string
  readonly memoryBytes: number
}

/** Columns of some rows of a result; `at(column, row)` is a number. */
interface NumberRows {
  readonly length: number
  readonly at: (column: number, row: number) => number
}

export class ScratchDatabase {
  /** Bytes of memory that it takes at most. */
  readonly memoryBytes: number
  readonly #module: DuckDb
  readonly #instance: DuckDBInstance
  readonly #connection: DuckDBConnection
  readonly #directory: string
  #isClosed = false

  private constructor(
    module: DuckDb,
    instance: DuckDBInstance,
    connection: DuckDBConnection,
    { directory, memoryBytes }: ScratchOptions,
  ) {
    this.memoryBytes = memoryBytes
    this.#module = module
    this.#instance = instance
    this.#connection = connection
    this.#directory = directory
  }

  /**
   * Opens an empty database.
   * @throws Refusal `wrong-usage` where the package is missing, `store-refused` for a directory that cannot be used.
   */
  static async open(options: ScratchOptions): Promise<ScratchDatabase> {
    const { directory, memoryBytes } = options
    const module = await loadDuckDb()
    return orRefused(directory, async () => {
      rmSync(directory, { recursive: true, force: true })
      makePrivateDirectory(directory)
      const threads = Math.max(1, Math.floor(memoryBytes / memoryAThreadBytes))
      const instance = await module.DuckDBInstance.create(join(directory, 'scratch.duckdb'), {
        memory_limit: `${Math.floor(memoryBytes / 1024)}KiB`,
        temp_directory: join(directory, 'spilled'),
        threads: String(Math.min(threads, availableParallelism())),
        // Every statement says its order.
        preserve_insertion_order: 'false',
        autoinstall_known_extensions: 'false',
        autoload_known_extensions: 'false',
      })
      return new ScratchDatabase(module, instance, await instance.connect(), options)
    })
  }

  /**
   * Creates a table of numbers and returns what fills it. Rows keep their order: `rowid` counts them from 0.
   * @param columns types by name; both are texts of the program.
   * @throws Refusal `store-refused`, `build-limit`.
   */
  async table(name: string, columns: Readonly<Record<string, NumberType>>): Promise<TableFiller> {
    return orRefused(this.#directory, async () => {
      const described = Object.entries(columns).map(([column, type]) => `${column} ${type}`)
      await this.#connection.run(`CREATE TABLE ${name} (${described.join(', ')})`)
      const types = Object.values(columns).map((type) => this.#module[type])
      const appender = await this.#connection.createAppender(name)
      const chunk = this.#module.DuckDBDataChunk.create(types, rowsAtOnce)
      return new TableFiller(appender, chunk, this.#directory)
    })
  }

  /**
   * The rows of a statement whose columns are numbers, a few thousand at once.
   * @param onProgress gets the share that DuckDB has done before the first row, 0 to 1.
   * @throws Refusal `store-refused`, `build-limit`.
   */
  async *numbers(
    statement: string,
    onProgress: (fraction: number) => void,
  ): AsyncGenerator<NumberRows, void, undefined> {
    // A connection of its own, so that the memory of a statement is given back behind it.
    const connection = await orRefused(this.#directory, () => this.#instance.connect())
    const looking = setInterval(
      () => onProgress(Math.max(0, connection.progress.percentage) / 100),
      progressIntervalMs,
    )
    try {
      const result = await orRefused(this.#directory, () => connection.stream(statement))
      clearInterval(looking)
      const places = Array.from({ length: result.columnCount }, (_, column) => column)
      for (let isEnd = false; !isEnd; ) {
        const chunk = await orRefused(this.#directory, () => result.fetchChunk())
        isEnd = chunk === null || chunk.rowCount === 0
        if (chunk === null || isEnd) continue
        const vectors = places.map((column) => chunk.getColumnVector(column))
        const at = (column: number, row: number) => vectors[column]!.getItem(row) as number
        yield { length: chunk.rowCount, at }
      }
    } finally {
      clearInterval(looking)
      connection.closeSync()
    }
  }

  /** Closes it and removes its directory; a second call does nothing. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#connection.closeSync()
    this.#instance.closeSync()
    this.remove()
  }

  /** Removes its directory while it may be at work: the process is about to end. */
  remove(): void {
    rmSync(this.#directory, { recursive: true, force: true })
  }
}

/** Fills a table with rows, in their order. */
export class TableFiller {
  readonly #appender: DuckDBAppender
  readonly #chunk: ReturnType<DuckDb['DuckDBDataChunk']['create']>
  readonly #directory: string

  constructor(
    appender: DuckDBAppender,
    chunk: ReturnType<DuckDb['DuckDBDataChunk']['create']>,
    directory: string,
  ) {
    this.#appender = appender
    this.#chunk = chunk
    this.#directory = directory
  }

  /** Adds rows: one array for each column. @throws Refusal `store-refused`, `build-limit`. */
  append(columns: readonly ArrayLike<number>[], rows: number): void {
    const chunk = this.#chunk
    try {
      for (let start = 0; start < rows; start += rowsAtOnce) {
        const length = Math.min(rowsAtOnce, rows - start)
        chunk.reset()
        chunk.rowCount = length
        columns.forEach((values, column) => {
          const vector = chunk.getColumnVector(column)
          for (let row = 0; row < length; row += 1) vector.setItem(row, values[start + row]!)
          vector.flush()
        })
        this.#appender.appendDataChunk(chunk)
      }
    } catch (error) {
      throw refusalOf(error, this.#directory)
    }
  }

  /** Ends the table: nothing can be added any more. @throws Refusal `store-refused`, `build-limit`. */
  end(): void {
    try {
      this.#appender.closeSync()
    } catch (error) {
      throw refusalOf(error, this.#directory)
    }
  }
}

async function orRefused<T>(directory: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw refusalOf(error, directory)
  }
}

/** An error of DuckDB or of the system as a refusal: too little memory, or a disk that is full or fails. */
function refusalOf(error: unknown, directory: string): Refusal {
  if (error instanceof Refusal) return error
  const space = spaceRefusalOf(error)
  if (space?.code === 'build-limit') return space
  const hint = 'it needs some 90 bytes a connection; choose another place with --engine-temp'
  const line = firstLineOf(error)
  return new Refusal('store-refused', `${directory}: DuckDB cannot work there: ${line}; ${hint}`)
}
