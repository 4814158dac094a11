/** The commands of the ledger as a whole: proving its books, and keeping copies. */
import type { Audit } from '../ledger/books/administration.ts'
import { backUp, refuseUnlessBackup, restore } from '../ledger/books/backup.ts'
import { lockDirectory } from '../ledger/sql/sqlite/held-file.ts'
import { formatUsd, usdNumber } from '../money.ts'
import { Refusal } from '../problems.ts'
import { verifyCommand } from './administration.ts'
import type { CommandRun, CommandRuns } from './command.ts'

const backup: CommandRun<'ledger backup'> = async ({
  operands: [directory = ''],
  values,
  terminal,
  clock,
}) => {
  refuseDatabase(values.ledger)
  const found = await backUp(values.data, directory, clock)
  if (values.json) return terminal.print(JSON.stringify({ directory, ...contentJson(found) }))
  terminal.print(`copied to ${directory}; its books balance: ${contentOf(found)}`)
}

const restoreCommand: CommandRun<'ledger restore'> = async ({
  operands: [directory = ''],
  values,
  terminal,
  clock,
}) => {
  refuseDatabase(values.ledger)
  // Before the lock, which makes the directory of the ledger.
  refuseUnlessBackup(directory)
  const lock = await lockDirectory(values.data)
  try {
    const order = { backup: directory, directory: values.data, lock, clock }
    const { audit: found, replaced } = await restore(order)
    const content = contentJson(found)
    const json = { directory, replaced: replaced ?? null, ...content }
    if (values.json) return terminal.print(JSON.stringify(json))
    terminal.print(`restored ${directory}; its books balance: ${contentOf(found)}`)
    if (replaced !== undefined) terminal.print(`the ledger before it is in ${replaced}`)
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

function contentOf({ accounts, rows, keys, balanceMicroUsd }: Audit): string {
  const total = formatUsd(balanceMicroUsd)
  return `${accounts} accounts, ${rows} rows, ${keys} keys, ${total} USD in all`
}

function contentJson({ accounts, rows, keys, balanceMicroUsd }: Audit) {
  return { accounts, rows, keys, balance_usd: usdNumber(balanceMicroUsd) }
}

export const ledgerCommands: CommandRuns<'ledger'> = {
  'ledger verify': verifyCommand,
  'ledger backup': backup,
  'ledger restore': restoreCommand,
}
