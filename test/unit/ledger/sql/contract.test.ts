/** What every ledger promises, held by that of LMDB and that of SQLite in a directory of this machine. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openEnvironment } from '../../../../src/ledger/lmdb/environment.ts'
import { LmdbSession } from '../../../../src/ledger/lmdb/session.ts'
import { openBooks } from '../../../../src/ledger/open-administration.ts'
import { sqliteFileName } from '../../../../src/ledger/sql/sqlite/driver.ts'
import { openWholeSession } from '../../../../src/ledger/whole/whole-session.ts'
import { describeBooks, describeWholeSession } from '../../../support/ledger-contract.ts'
import { stubLock, temporaryDirectory } from '../../../support/ledger-fixture.ts'

const cause = { name: 'test', from: 'here' }

/** The books in a directory, which is that of SQLite where it has such a file. */
async function booksIn(directory: string) {
  const books = await openBooks({
    ...{ data: directory, ledger: null, clock: Date.now, create: true, cause },
  })
  onTestFinished(() => books.close())
  return books
}

const lmdbBooks = () => booksIn(temporaryDirectory())

function sqliteBooks() {
  const directory = temporaryDirectory()
  writeFileSync(join(directory, sqliteFileName), '')
  return booksIn(directory)
}

describeBooks('LMDB', lmdbBooks)
describeBooks('SQLite', sqliteBooks)

describeWholeSession('LMDB', async () => {
  const directory = temporaryDirectory()
  const environment = openEnvironment({ directory, clock: Date.now, create: true })
  onTestFinished(() => environment.close())
  return {
    books: await booksIn(directory),
    session: new LmdbSession(environment, stubLock()),
  }
})

describeWholeSession('SQLite', async () => {
  const directory = temporaryDirectory()
  const session = await openWholeSession({
    ...{ directory, node: 'test', clock: Date.now, report: () => {} },
  })
  onTestFinished(() => session.close())
  return { books: await booksIn(directory), session }
})
