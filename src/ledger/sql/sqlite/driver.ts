/**
 * A ledger in a file of SQLite. A connection writes, one transaction at a time; another reads, so that a long look keeps
 * no commit waiting. Every commit is on the disk (WAL, `synchronous=FULL`), and before it is acknowledged the guard has
 * looked whether the files are still those that were opened. Only the service checkpoints: a command leaves that to it.
 */
import { closeSync, existsSync, openSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from '../../../problems.ts'
import { privateFileMode } from '../../../process/private-directory.ts'
import { type Commit, Contradiction, type RunStatement, type Sql } from '../port.ts'
import { FileGuard } from './guard.ts'
import { type SqliteDatabase, type SqliteStatement, sqlite } from './library.ts'
import { bound, spelled } from './spelling.ts'

/** The ledger within its directory. */
export const sqliteFileName = 'ledger.db'

/** Options of an open file. */
interface SqliteOptions {
  readonly path: string
  /** Whether this is the service of the file, which checkpoints; a process has one such connection at most. */
  readonly isService: boolean
  /** Milliseconds since the epoch. */
  readonly clock: () => number
  /** Makes the file if there is none; else that is a Refusal. */
  readonly create?: boolean
  /** Maximum wait for another process that writes, ms. */
  readonly busyMs?: number
  /** Is called with one line when a checkpoint fails, and when one succeeds again. */
  readonly report?: (line: string) => void
}

const busyMsDefault = 5_000
/** Pause between two attempts to begin, ms: SQLite's own waiting blocks the thread and is unfair. */
const againMs = 1
/** Bytes of the `-wal` from which on it is checkpointed: 1,000 pages, SQLite's own default. */
const walBytesMax = 4_120_000

/** Settings of each connection; the package's default for a WAL is `synchronous=NORMAL`, which loses commits. */
const settings = `pragma journal_mode=wal; pragma synchronous=full; pragma foreign_keys=on; pragma trusted_schema=off;
  pragma wal_autocheckpoint=0; pragma journal_size_limit=67108864; pragma cache_size=-65536`

/**
 * What SQLite says where another process writes, and where a check does not hold. The package gives errors of a
 * prepared statement no code of SQLite's, so its words are read.
 */
const busyWords = /^database is locked/
const impossibleWords = / constraint failed: /
const fullWords = /^database or disk is full/

/** An open file. */
export class SqliteFile implements Sql {
  readonly place: string
  readonly #options: SqliteOptions
  readonly #writer: Connection
  readonly #reader: Connection
  readonly #guard: FileGuard
  #checkpointFailures = 0
  #isCheckpointFailing = false

  /** @throws Refusal `ledger-refused` when it cannot be opened. */
  constructor(options: SqliteOptions) {
    this.#options = options
    this.place = options.path
    if (!existsSync(options.path) && options.create !== true) {
      throw new Refusal('ledger-refused', `there is no ledger at ${options.path}`)
    }
    try {
      // Its other files have the mode of this one. No process can have it open yet.
      if (!existsSync(options.path)) closeSync(openSync(options.path, 'ax', privateFileMode))
      this.#writer = new Connection(options)
      this.#reader = new Connection(options)
      // Waiting for one that writes is begun again by hand; the other waits for the whole file only, which is short.
      this.#writer.exec('pragma busy_timeout=0')
    } catch (error) {
      throw this.#refusal(error)
    }
    this.#guard = new FileGuard(options.path, options.isService)
  }

  /** Number of checkpoints that failed: commits go on, and the `-wal` grows. */
  get checkpointFailures(): number {
    return this.#checkpointFailures
  }

  query<R extends object>(text: string, values: readonly unknown[] = []): Promise<R[]> {
    return this.snapshot((query) => query<R>(text, values))
  }

  /** @throws LostLedger where the files are not those that were opened. */
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
      this.#guard.check()
      if (this.#options.isService && this.#guard.walBytes > walBytesMax) this.#checkpoint('passive')
      return result
    })
  }

  /**
   * Waits for what was begun. A service writes the `-wal` into the file: SQLite would do it when the last connection
   * closes, but the package keeps a connection half open until its statements are collected.
   * @throws LostLedger.
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
      throw this.#refusal(error)
    }
  }

  /** SQLite's errors as refusals; a broken check, and all that is not SQLite's, as it is. */
  #refusal(error: unknown): unknown {
    if (!isOfSqlite(error)) return error
    if (impossibleWords.test(error.message)) return new Contradiction(error.message)
    const what = fullWords.test(error.message) ? 'no space is left on its disk' : error.message
    const reason = `the ledger at ${this.place} cannot be used: ${what}`
    return new Refusal('ledger-refused', reason, 'unavailable')
  }

  /** Between two looks of the guard, so that a write of others in between is not taken for its own. */
  #checkpoint(how: 'passive' | 'truncate'): void {
    this.#guard.check()
    try {
      this.#writer.exec(`pragma wal_checkpoint(${how})`)
      if (this.#isCheckpointFailing) this.#options.report?.('the ledger is checkpointed again')
      this.#isCheckpointFailing = false
    } catch (error) {
      this.#checkpointFailures += 1
      const reason = error instanceof Error ? error.message : String(error)
      if (!this.#isCheckpointFailing) {
        this.#options.report?.(`the ledger cannot be checkpointed, its -wal grows: ${reason}`)
      }
      this.#isCheckpointFailing = true
    }
    // A checkpoint that failed may have written something.
    this.#guard.learn()
  }
}

/** One connection. */
class Connection {
  readonly #database: SqliteDatabase
  readonly #busyMsMax: number
  readonly #statements = new Map<string, SqliteStatement>()
  #turn: Promise<unknown> = Promise.resolve()

  /** Waits for another process that has the whole file: one that opens it after a crash, or closes it. */
  constructor({ path, clock, busyMs = busyMsDefault }: SqliteOptions) {
    const { DatabaseSync: Database } = sqlite()
    this.#busyMsMax = busyMs
    this.#database = new Database(path, { timeout: busyMs })
    this.#database.exec(settings)
    this.#database.function('now_ms', () => BigInt(Math.floor(clock())))
  }

  /** Begins when everything before is done. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work)
    this.#turn = done.catch(() => {})
    return done
  }

  /** Waits for another process that writes without blocking this one. */
  async begin(text: string): Promise<void> {
    const askedMs = performance.now()
    for (;;) {
      try {
        return this.#database.exec(text)
      } catch (error) {
        const isBusy = isOfSqlite(error) && busyWords.test(error.message)
        if (!isBusy || performance.now() - askedMs > this.#busyMsMax) throw error
        await sleep(againMs)
      }
    }
  }

  readonly query: RunStatement = async <R extends object>(
    text: string,
    values: readonly unknown[] = [],
  ): Promise<R[]> => {
    const named = Object.fromEntries(values.map((value, index) => [`$${index + 1}`, bound(value)]))
    return this.#statementOf(text).all(named) as R[]
  }

  exec(text: string): void {
    this.#database.exec(text)
  }

  /** Undoes what was begun, if anything was. */
  undo(): void {
    if (this.#database.isTransaction) this.#database.exec('rollback')
  }

  async close(): Promise<void> {
    await this.#turn
    this.#database.close()
  }

  #statementOf(text: string): SqliteStatement {
    const known = this.#statements.get(text)
    if (known !== undefined) return known
    const made = this.#database.prepare(spelled(text))
    this.#statements.set(text, made)
    return made
  }
}

function isOfSqlite(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR'
}
