/** Ledgers in a real PostgreSQL for the tests of a suite: one server for all, and empty databases on it. */
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import type { Books } from '../../../src/ledger/books/books.ts'
import { withAdministration } from '../../../src/ledger/books/open-books.ts'
import { Database, ofCommands } from '../../../src/ledger/sql/postgres/database.ts'
import { type PostgresqlServer, startPostgresql } from './postgresql-server.ts'

/** An empty database on a server, and the books in it. */
export class LedgerDatabase {
  readonly ledger: string
  readonly name: string
  readonly server: PostgresqlServer

  constructor(ledger: string, name: string, server: PostgresqlServer) {
    this.ledger = ledger
    this.name = name
    this.server = server
  }

  books<T>(use: (open: Books) => Promise<T>): Promise<T> {
    return books(this.ledger, use)
  }

  expectProven(): Promise<void> {
    return expectProven(this.ledger)
  }
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
    return new LedgerDatabase(await server.newDatabase(own), own, server)
  }
}

/** A new database before each test. */
export function withDatabaseEach(name: string, take: (on: LedgerDatabase) => void): void {
  const newDatabase = withDatabases(name)
  beforeEach(async () => take(await newDatabase()))
}

/** The same with the account `alice`, and a connection to it as commands have one. */
export function withAliceEach(
  name: string,
  take: (on: LedgerDatabase, database: Database) => void,
): void {
  const newDatabase = withDatabases(name)
  beforeEach(async () => {
    const on = await newDatabase()
    await on.books((open) => open.createAccount('alice'))
    const database = new Database(on.ledger, ofCommands)
    take(on, database)
    return () => database.close()
  })
}

export function books<T>(ledger: string, use: (open: Books) => Promise<T>): Promise<T> {
  return withAdministration({ data: '', ledger, clock: Date.now }, use)
}

/** Makes an account of 50 USD; returns a key of it. */
export function customer(ledger: string, account: string, lifeMs?: number): Promise<string> {
  return books(ledger, async (open) => {
    await open.createAccount(account)
    return (await open.issueKey({ account, ...(lifeMs !== undefined && { lifeMs }) })).text
  })
}

/** At the usual price. */
export async function queriesCharged(ledger: string, account: string): Promise<number> {
  return (await books(ledger, (open) => open.accountNamed(account))).chargedMicroUsd / 1_000
}

export async function expectProven(ledger: string): Promise<void> {
  expect((await books(ledger, (open) => open.audit())).contradictions).toEqual([])
}
