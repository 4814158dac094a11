/** Ledgers in a real PostgreSQL for the tests of a suite: one server for all, and empty databases on it. */
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { type PostgresqlServer, startPostgresql } from './postgresql-server.ts'

export interface LedgerDatabase {
  readonly ledger: string
  readonly name: string
  readonly server: PostgresqlServer
}

/** One server for the tests of the `describe` that calls it. @returns makes a new database. */
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

/** A new database before each test. */
export function withDatabaseEach(name: string, take: (database: LedgerDatabase) => void): void {
  const newDatabase = withDatabases(name)
  beforeEach(async () => take(await newDatabase()))
}
