/**
 * A ledger in a file of SQLite. A connection writes, one transaction at a time; another reads, so
 * that a long look keeps no commit waiting. Every commit is on the disk, and before it is
 * acknowledged the guard has looked whether the files are those that were opened. While a service
 * runs, only it checkpoints.
 */
import { closeSync, existsSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { Refusal } from '../../../problems.ts'
import { makePrivateDirectory, privateFileMode } from '../../../process/private-directory.ts'
import { sqlite } from '../../../process/sqlite.ts'
import { isStorageError, syncDirectories } from '../../../process/sync-file.ts'
import type { Commit, RunStatement, Sql } from '../port.ts'
import { Connection, type ConnectionOptions, damagesIn, refusalOf } from './connection.ts'
import { FileGuard } from './guard.ts'

interface SqliteOptions extends Pick<ConnectionOptions, 'path' | 'clock'> {
  /** Whether this is the service of the file, which checkpoints; a process has one such connection at most. */
  readonly isService: boolean
  readonly create?: boolean | undefined
  /** Kind of file that it should be, for messages; a ledger where it is absent. */
  readonly kind?: string
  readonly report?: (line: string) => void
}

/** Bytes of the `-wal` from which on it is checkpointed: 1,000 pages, SQLite's own default. */
const walBytesMax = 4_120_000

/** Settings of each connection; the package's default for a WAL is `synchronous=NORMAL`, which loses commits. */
const settings = `pragma journal_mode=wal; pragma synchronous=full; pragma foreign_keys=on; pragma trusted_schema=off;
  pragma wal_autocheckpoint=0; pragma journal_size_limit=67108864; pragma cache_size=-65536`

export class SqliteFile implements Sql {
  readonly place: string
  readonly damagesIn = damagesIn
  readonly #options: SqliteOptions
  readonly #writer: Connection
  readonly #reader: Connection
  readonly #guard: FileGuard
  #checkpointFailures = 0
  #isCheckpointFailing = false

  /** @throws Refusal `ledger-refused` when it cannot be opened, `ledger-corrupt` when it is none or is damaged. */
  constructor(options: SqliteOptions) {
    this.#options = options
    sqlite()
    this.place = dirname(options.path)
    this.#refuseEmpty()
    if (!existsSync(options.path)) this.#make()
    try {
      this.#writer = new Connection({ ...options, settings })
      this.#reader = new Connection({ ...options, settings })
      // Waiting for one that writes is begun again by hand; the other waits for the whole file only, which is short.
      this.#writer.exec('pragma busy_timeout=0')
    } catch (error) {
      throw refusalOf(options.path, error, options.kind)
    }
    this.#guard = new FileGuard(options.path, options.isService)
  }

  get checkpointFailures(): number {
    return this.#checkpointFailures
  }

  check(): void {
    this.#guard.check()
  }

  snapshot<T>(work: (query: RunStatement) => Promise<T>): Promise<T> {
    return this.#reader.inTurn(() => this.#attempt(this.#reader, 'begin', work))
  }

  transaction<T>(work: (query: RunStatement, commit: Commit) => Promise<T>): Promise<T> {
    return this.#writer.inTurn(async () => {
      this.#guard.check()
      const result = await this.#attempt(this.#writer, 'begin immediate', (query) =>
        work(query, async () => {}),
      )
      this.#acknowledge()
      return result
    })
  }

  /** A transaction that is done when this returns: for a file to which nothing else writes, as it waits for nothing. */
  transact<T>(work: (run: Connection['run']) => T): T {
    this.#guard.check()
    let result: T
    try {
      this.#writer.exec('begin immediate')
      result = work(this.#writer.run)
      this.#writer.exec('commit')
    } catch (error) {
      this.#writer.undo()
      throw refusalOf(this.#options.path, error, this.#options.kind)
    }
    this.#acknowledge()
    return result
  }

  /**
   * A service writes the `-wal` into the file: SQLite would do it when the last connection closes,
   * but the package keeps one half open until its statements are collected. @throws LostLedger.
   */
  async close(): Promise<void> {
    await this.#reader.close()
    try {
      if (this.#options.isService) {
        await this.#writer.inTurn(async () => this.#checkpoint('truncate'))
      }
    } finally {
      await this.#writer.close()
    }
  }

  #acknowledge(): void {
    this.#guard.check()
    if (this.#options.isService && this.#guard.walBytes > walBytesMax) this.#checkpoint('passive')
  }

  /** Its other files have the mode of this one. No process can have it open yet. */
  #make(): void {
    const { path, create } = this.#options
    if (create !== true) {
      throw new Refusal('ledger-refused', `there is no ledger in ${this.place}`)
    }
    try {
      makePrivateDirectory(this.place)
      closeSync(openSync(path, 'a', privateFileMode))
      syncDirectories(this.place)
    } catch (error) {
      if (!isStorageError(error)) throw error
      const reason = `the ledger in ${this.place} could not be opened: ${error.message}`
      throw new Refusal('ledger-refused', reason, 'unavailable')
    }
  }

  /** SQLite would take it for a new file, and remove its `-wal` with all that is in it. */
  #refuseEmpty(): void {
    const { path } = this.#options
    const bytesOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0
    if (bytesOf(path) > 0 || bytesOf(`${path}-wal`) === 0) return
    throw new Refusal('ledger-corrupt', `${path} is gone or empty, and its -wal is not`)
  }

  async #attempt<T>(
    connection: Connection,
    begin: string,
    work: (query: RunStatement) => Promise<T>,
  ): Promise<T> {
    try {
      await connection.begin(begin)
      const result = await work(connection.query)
      connection.exec('commit')
      return result
    } catch (error) {
      connection.undo()
      throw refusalOf(this.#options.path, error, this.#options.kind)
    }
  }

  /** Between two looks of the guard, so that a write of others in between is not taken for its own. */
  #checkpoint(how: 'passive' | 'truncate'): void {
    this.#guard.check()
    const { kind = 'ledger' } = this.#options
    try {
      this.#writer.exec(`pragma wal_checkpoint(${how})`)
      if (this.#isCheckpointFailing) this.#options.report?.(`the ${kind} is checkpointed again`)
      this.#isCheckpointFailing = false
    } catch (error) {
      this.#checkpointFailures += 1
      const reason = error instanceof Error ? error.message : String(error)
      if (!this.#isCheckpointFailing) {
        this.#options.report?.(`the ${kind} cannot be checkpointed, its -wal grows: ${reason}`)
      }
      this.#isCheckpointFailing = true
    }
    // A checkpoint that failed may have written something.
    this.#guard.learn()
  }
}
