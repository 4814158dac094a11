/** Ledgers in a real PostgreSQL for the tests of a suite: one server for all, and an empty database for each. */
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { type PostgresqlServer, startPostgresql } from './postgresql-server.ts'

/** The database of a test. */
export interface LedgerDatabase {
  /** Its address. */
  readonly ledger: string
  readonly name: string
  readonly server: PostgresqlServer
}

/**
 * Registers, for the tests of the `describe` that calls it, the server and a new database before each test.
 * @param name begins the names of the databases.
 * @param take is given the database of a test before the test runs.
 */
export function withDatabaseEach(name: string, take: (database: LedgerDatabase) => void): void {
  let server: PostgresqlServer
  let databases = 0
  beforeAll(async () => {
    server = await startPostgresql()
  }, 120_000)
  afterAll(() => server?.stop())
  beforeEach(async () => {
    databases += 1
    const own = `${name}_${databases}`
    take({ ledger: await server.newDatabase(own), name: own, server })
  })
}
