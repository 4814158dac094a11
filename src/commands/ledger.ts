/** The commands of the ledger as a whole: proving its books, and keeping copies. */
import { adminOperations } from '../admin/operations.ts'
import { backUp, refuseUnlessBackup } from '../ledger/books/backup.ts'
import type { Audit } from '../ledger/books/proof.ts'
import { lockDirectory } from '../ledger/sql/sqlite/held-file.ts'
import { usdNumber } from '../money.ts'
import { Refusal } from '../problems.ts'
import { administer } from './administer.ts'
import { usdText } from './administration.ts'
import { type CommandRun, type CommandRuns, printAnswer } from './command.ts'

/** The exit code says whether the books balance. */
const verify: CommandRun<'ledger verify'> = async (call) => {
  const { values } = call
  const operation = adminOperations.verifyLedger
  await administer(call, { operation, given: {} }, (found) => {
    const { balanced, contradictions } = found
    printAnswer(call, found, () =>
      balanced ? [`the books balance: ${contentOf(found)}`] : contradictions,
    )
    if (balanced) return
    const { length: count } = contradictions
    const what = `${count} contradiction${count > 1 ? 's' : ''}`
    const place = values.url ?? (values.ledger === null ? values.data : 'the database')
    throw new Refusal('ledger-corrupt', `the books in ${place} do not balance: ${what}`)
  })
}

const backup: CommandRun<'ledger backup'> = async (call) => {
  const { operands, values, clock } = call
  const [directory = ''] = operands
  refuseDatabase(values.ledger)
  const content = contentJson(await backUp(values.data, directory, clock))
  printAnswer(call, { directory, ...content }, () => [
    `copied to ${directory}; its books balance: ${contentOf(content)}`,
  ])
}

const restore: CommandRun<'ledger restore'> = async (call) => {
  const { operands, values, clock } = call
  const [directory = ''] = operands
  refuseDatabase(values.ledger)
  // Before the lock, which makes the directory of the ledger.
  refuseUnlessBackup(directory)
  const lock = await lockDirectory(values.data)
  try {
    const content = contentJson(await backUp(directory, values.data, clock))
    printAnswer(call, { directory, ...content }, () => [
      `restored ${directory}; its books balance: ${contentOf(content)}`,
    ])
  } finally {
    lock.release()
  }
}

/** A database keeps copies of its own. @throws Refusal `wrong-usage`. */
function refuseDatabase(ledger: string | null): void {
  if (ledger === null) return
  const advice = 'use pg_dump, or its recovery to a point in time (docs/fleet.md)'
  throw new Refusal(
    'wrong-usage',
    `the ledger is a database, which keeps its own copies: ${advice}`,
  )
}

function contentOf(content: ReturnType<typeof contentJson>): string {
  const { accounts, rows, keys, balance_usd } = content
  return `${accounts} accounts, ${rows} rows, ${keys} keys, ${usdText(balance_usd)} USD in all`
}

function contentJson({ accounts, rows, keys, balanceMicroUsd }: Audit) {
  return { accounts, rows, keys, balance_usd: usdNumber(balanceMicroUsd) }
}

export const ledgerCommands: CommandRuns<'ledger'> = {
  'ledger verify': verify,
  'ledger backup': backup,
  'ledger restore': restore,
}
