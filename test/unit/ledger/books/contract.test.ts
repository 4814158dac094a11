/** What every ledger promises, held by that in a directory of this machine. */
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openWholeSession } from '../../../../src/ledger/leases/whole-session.ts'
import { SqliteFile } from '../../../../src/ledger/sql/sqlite/driver.ts'
import { ledgerFileName } from '../../../../src/ledger/sql/sqlite/held-file.ts'
import { describeEvents } from '../../../support/event-contract.ts'
import { describeBooks, describeWholeSession } from '../../../support/ledger-contract.ts'
import { newBooks, temporaryDirectory } from '../../../support/ledger-fixture.ts'

describeBooks('a directory', () => newBooks(Date.now))

describeEvents('a directory', async () => {
  const directory = temporaryDirectory()
  const books = await newBooks(Date.now, directory)
  const path = join(directory, ledgerFileName)
  const sql = new SqliteFile({ path, isService: false, clock: Date.now })
  onTestFinished(() => sql.close())
  return { books, sql }
})

describeWholeSession(async () => {
  const directory = temporaryDirectory()
  const session = await openWholeSession({
    ...{ directory, node: 'test', clock: Date.now, report: () => {} },
  })
  onTestFinished(() => session.close())
  return { books: await newBooks(Date.now, directory), session }
})
