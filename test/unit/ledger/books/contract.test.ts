/** What every ledger promises, held by that in a directory of this machine. */
import { onTestFinished } from 'vitest'
import { openWholeSession } from '../../../../src/ledger/whole/whole-session.ts'
import { describeBooks, describeWholeSession } from '../../../support/ledger-contract.ts'
import { newBooks, temporaryDirectory } from '../../../support/ledger-fixture.ts'

describeBooks('a directory', () => newBooks(Date.now))

describeWholeSession(async () => {
  const directory = temporaryDirectory()
  const session = await openWholeSession({
    ...{ directory, node: 'test', clock: Date.now, report: () => {} },
  })
  onTestFinished(() => session.close())
  return { books: await newBooks(Date.now, directory), session }
})
