/**
 * A connection to a file of SQLite, and what its errors mean. A copy of a ledger is one file without a `-wal`, so a
 * directory that is read-only gives it back, too.
 */
import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from '../../../problems.ts'
import { type SqliteDatabase, type SqliteStatement, sqlite } from '../../../process/sqlite.ts'
import { Contradiction, type RunStatement } from '../port.ts'
import { bound, spelled } from './spelling.ts'

export interface ConnectionOptions {
  readonly path: string
  readonly clock: () => number
  readonly settings: string
  readonly readOnly?: boolean
}

const busyMsMax = 5_000
/** Pause between two attempts to begin, ms: SQLite's own waiting blocks the thread and is unfair. */
const againMs = 1

/** The package gives errors of a prepared statement no code of SQLite's, so its words are read. */
const busyWords = /^database is locked/
const impossibleWords = / constraint failed: /
const fullWords = /^database or disk is full/
const diskWords = /^(?:disk I\/O error|unable to open database file)/
const damagedWords = /^(?:database disk image is malformed|file is not a database)/

export class Connection {
  readonly #database: SqliteDatabase
  readonly #statements = new Map<string, SqliteStatement>()
  #turn: Promise<unknown> = Promise.resolve()

  /** Waits for another process that has the whole file, as it opens or closes it. */
  constructor({ path, clock, settings, readOnly = false }: ConnectionOptions) {
    const { DatabaseSync: Database } = sqlite()
    this.#database = new Database(path, { timeout: busyMsMax, readOnly })
    this.#database.exec(settings)
    this.#database.function('now_ms', () => BigInt(Math.floor(clock())))
  }

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
        if (!isBusy(error) || performance.now() - askedMs > busyMsMax) throw error
        await sleep(againMs)
      }
    }
  }

  readonly query: RunStatement = async (text, values) => this.run(text, values)

  readonly run = <R extends object>(text: string, values: readonly unknown[] = []): R[] => {
    const named = Object.fromEntries(values.map((value, index) => [`$${index + 1}`, bound(value)]))
    return this.#statementOf(text).all(named) as R[]
  }

  exec(text: string): void {
    this.#database.exec(text)
  }

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

function isBusy(error: unknown): boolean {
  return isOfSqlite(error) && busyWords.test(error.message)
}

/** Bytes of a `-shm` at least, without which nothing can be read, either. */
const sharedBytes = 32_768

function hasNoRoom(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(path))
    return bavail * bsize < sharedBytes
  } catch {
    // A place that cannot be looked at has another fault, which SQLite has told.
    return false
  }
}

/** A broken check, and all that is not SQLite's, stays as it is. */
export function refusalOf(place: string, error: unknown, kind = 'ledger'): unknown {
  if (!isOfSqlite(error)) return error
  if (impossibleWords.test(error.message)) return new Contradiction(error.message)
  if (damagedWords.test(error.message)) {
    return new Refusal('ledger-corrupt', `${place} is no ${kind} or is damaged: ${error.message}`)
  }
  const isFull =
    fullWords.test(error.message) || (diskWords.test(error.message) && hasNoRoom(place))
  const what = isFull ? 'no space is left on its disk' : error.message
  const reason = `the ${kind} at ${place} cannot be used: ${what}`
  return new Refusal('ledger-refused', reason, 'unavailable')
}

/** A copy is read as it lies: `journal_mode=wal` would write to it. */
const settingsOfCopies = 'pragma trusted_schema=off; pragma cache_size=-65536'

/** @throws Refusal, also `ledger-corrupt` where it is damaged; and any error of `work`. */
export async function withReader<T>(
  path: string,
  clock: () => number,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  let connection: Connection | undefined
  try {
    connection = new Connection({ path, clock, settings: settingsOfCopies, readOnly: true })
    return await work(connection)
  } catch (error) {
    throw refusalOf(path, error)
  } finally {
    await connection?.close()
  }
}

/** What SQLite itself finds wrong in a file, a line each: in its pages, and rows that refer to none. */
export async function damagesIn(query: RunStatement): Promise<string[]> {
  const found = await query<{ quick_check: string }>('pragma quick_check')
  const strays = await query<{ child: string; parent: string; rows: number }>(
    `select "table" as child, parent, count(*) as rows from pragma_foreign_key_check group by 1, 2`,
  )
  return [
    ...found.map(({ quick_check: line }) => line).filter((line) => line !== 'ok'),
    ...strays.map(({ child, parent, rows }) => `${rows} rows of ${child} belong to no ${parent}`),
  ]
}
