/** Ledgers in a real PostgreSQL for the tests of a suite: one server for all, and empty databases on it. */
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { type PostgresqlServer, startPostgresql } from './postgresql-server.ts'

/** A database. */
export interface LedgerDatabase {
  /** Its address. */
  readonly ledger: string
  readonly name: string
  readonly server: PostgresqlServer
}

/**
 * Registers the server for the tests of the `describe` that calls it.
 * @param name begins the names of the databases.
 * @returns makes a new database; for tests and what runs before them.
 */
export function withDatabases(name: string): () => Promise<LedgerDatabase> {
  let server: PostgresqlServer
  let databases = 0
  beforeAll(async () => {
    server = await startPostgresql()
  }, 120_000)
  afterAll(() => server?.stop())
  return async () => {
    databases += 1
    const own = `${name}_${databases}`
    return { ledger: await server.newDatabase(own), name: own, server }
  }
}

/**
 * The same, with a new database before each test.
 * @param take is given the database of a test before the test runs.
 */
export function withDatabaseEach(name: string, take: (database: LedgerDatabase) => void): void {
  const newDatabase = withDatabases(name)
  beforeEach(async () => take(await newDatabase()))
}
