/** What every ledger promises to those who change it, held by that in a real PostgreSQL. */
import { describe, onTestFinished } from 'vitest'
import { openBooks } from '../../../src/ledger/books/open-books.ts'
import { Database, ofCommands } from '../../../src/ledger/sql/postgres/database.ts'
import { describeEvents } from '../../support/event-contract.ts'
import { describeBooks } from '../../support/ledger-contract.ts'
import { withDatabases } from '../../support/servers/ledger-databases.ts'
import { isPostgresqlInstalled } from '../../support/servers/postgresql-server.ts'

describe.skipIf(!isPostgresqlInstalled())('a ledger in a database', () => {
  const newDatabase = withDatabases('contract')
  describeBooks('PostgreSQL', async () => {
    const { ledger } = await newDatabase()
    const cause = { name: 'test', from: 'here' }
    const books = await openBooks({ data: '', ledger, clock: Date.now, cause })
    onTestFinished(() => books.close())
    return books
  })
  describeEvents('PostgreSQL', async () => {
    const { ledger } = await newDatabase()
    const books = await openBooks({ data: '', ledger, clock: Date.now })
    const sql = new Database(ledger, ofCommands)
    onTestFinished(async () => {
      await books.close()
      await sql.close()
    })
    return { books, sql }
  })
})
