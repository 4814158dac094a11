/**
 * Rows that DuckDB reads, of a database in a file or of files of another form, in chunks: memory is that of a chunk and
 * of what a sort may take. Nothing is written but what a sort spills.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DuckDBBlobValue, DuckDBInstance } from '@duckdb/node-api'
import { Refusal } from '../problems.ts'
import { makePrivateDirectory } from '../process/private-directory.ts'
import { cellReaderOf } from './cells.ts'
import { loadDuckDb } from './module.ts'

type DuckDb = Awaited<ReturnType<typeof loadDuckDb>>

/** Room of an engine while it reads. */
export interface ReadingRoom {
  readonly memoryBytes: number
  /**
   * Directory of its own for what a sort spills: made for the owner alone, emptied before and removed behind. A new one
   * in the directory of the system for such, unless given.
   */
  readonly directory?: string
}

/** A column of a result. */
export interface ReadColumn {
  readonly name: string
  /** As DuckDB writes it; the name of its own where it has one, such as JSON. */
  readonly type: string
  /** Whether its values have a reader; see `cellReaderOf`. */
  readonly isReadable: boolean
  /** Whether its type is made of others. */
  readonly isNested: boolean
}

/** Cells by row and column. */
export type ReadRows = readonly (readonly unknown[])[]

export class ReadingDatabase {
  readonly #module: DuckDb
  readonly #instance: DuckDBInstance
  readonly #directory: string | undefined

  private constructor(module: DuckDb, instance: DuckDBInstance, directory?: string) {
    this.#module = module
    this.#instance = instance
    this.#directory = directory
  }

  /**
   * Opens the database in a file; no other process can write to it then. Its views cannot read other files.
   * @throws Refusal `wrong-usage` where the package is missing, `store-refused`; Error of DuckDB for a file that is no database, or that
   * another process writes to.
   */
  static async openFile(path: string, room: ReadingRoom): Promise<ReadingDatabase> {
    const module = await loadDuckDb()
    const directory = room.directory ?? mkdtempSync(join(tmpdir(), 'authority-index-'))
    empty(directory)
    try {
      const instance = await module.DuckDBInstance.create(path, {
        ...optionsWith(room.memoryBytes),
        ...{ access_mode: 'READ_ONLY', temp_directory: directory },
      })
      const database = new ReadingDatabase(module, instance, directory)
      await database.#run('SET enable_external_access = false')
      return database
    } catch (error) {
      rmSync(directory, { recursive: true, force: true })
      throw error
    }
  }

  /**
   * Opens what reads files of other forms, row by row: nothing can be spilled.
   * @throws Refusal `wrong-usage` where the package is missing.
   */
  static async openNone(memoryBytes: number): Promise<ReadingDatabase> {
    const module = await loadDuckDb()
    const options = { ...optionsWith(memoryBytes), temp_directory: '' }
    return new ReadingDatabase(module, await module.DuckDBInstance.create(':memory:', options))
  }

  /** The columns of a statement. @throws Error of DuckDB. */
  async columns(statement: string, values: readonly string[] = []): Promise<ReadColumn[]> {
    const { DuckDBTypeId: ids } = this.#module
    const nested: readonly number[] = [ids.LIST, ids.STRUCT, ids.MAP, ids.ARRAY, ids.UNION]
    const connection = await this.#instance.connect()
    try {
      const result = await connection.stream(statement, [...values])
      return result.columnTypes().map((type, at) => ({
        name: result.columnName(at),
        type: type.alias ?? String(type),
        isReadable: cellReaderOf(type, ids) !== undefined,
        isNested: nested.includes(type.typeId),
      }))
    } finally {
      connection.closeSync()
    }
  }

  /**
   * The rows of a statement whose columns all have readers or are of bytes, a few thousand at once.
   * @throws Error of DuckDB.
   */
  async *rows(
    statement: string,
    values: readonly string[] = [],
  ): AsyncGenerator<ReadRows, void, undefined> {
    const connection = await this.#instance.connect()
    try {
      const result = await connection.stream(statement, [...values])
      const readers = result
        .columnTypes()
        .map((type) => cellReaderOf(type, this.#module.DuckDBTypeId) ?? bytesOf)
      for await (const chunk of result) {
        const columns = readers.map((read, column) => {
          const vector = chunk.getColumnVector(column)
          return (row: number) => read(vector.getItem(row))
        })
        yield Array.from({ length: chunk.rowCount }, (_, row) => columns.map((cell) => cell(row)))
      }
    } finally {
      connection.closeSync()
    }
  }

  /** To be called when nothing more is read; what was spilled is removed. */
  close(): void {
    this.#instance.closeSync()
    if (this.#directory !== undefined) rmSync(this.#directory, { recursive: true, force: true })
  }

  async #run(statement: string): Promise<void> {
    const connection = await this.#instance.connect()
    await connection.run(statement)
    connection.closeSync()
  }
}

function bytesOf(value: unknown): Uint8Array {
  return (value as DuckDBBlobValue).bytes
}

/** @throws Refusal `store-refused` for a directory that cannot be used. */
function empty(directory: string): void {
  try {
    rmSync(directory, { recursive: true, force: true })
    makePrivateDirectory(directory)
  } catch (error) {
    const reason = (error as Error).message
    throw new Refusal('store-refused', `${directory}: DuckDB cannot work there: ${reason}`)
  }
}

/** One thread: what makes records of the rows takes longer than what reads them, and rows keep their order. */
function optionsWith(memoryBytes: number) {
  return {
    memory_limit: `${Math.floor(memoryBytes / 1024)}KiB`,
    threads: '1',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  }
}
