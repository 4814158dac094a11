/**
 * The commands of the ledger as a whole: proving its books (exit code 0 says that every total is the
 * sum of its parts, and that the service holds what the journal leaves it), and keeping copies.
 */
import type { Audit } from '../ledger/administration.ts'
import { lockDirectory } from '../ledger/held-file.ts'
import type { Holdings } from '../ledger/port.ts'
import { entryJson, eventJson } from '../ledger/shown.ts'
import { backUp, refuseUnlessBackup, restore } from '../ledger/whole/backup.ts'
import { formatUsd, usdNumber } from '../money.ts'
import { Refusal } from '../problems.ts'
import { withBooks } from './admin/books.ts'
import type { CommandRun, CommandRuns } from './command.ts'
import { printTable } from './table.ts'

const verify: CommandRun<'ledger verify'> = async ({ values, terminal, clock }) => {
  const { place, found } = await withBooks({ ...values, clock }, async (books) => {
    return { place: books.place, found: await books.audit() }
  })
  const { holdings, contradictions } = found
  if (values.json) {
    const held = holdings === undefined ? null : heldJson(holdings)
    terminal.print(JSON.stringify({ ...contentJson(found), held, contradictions }))
  } else {
    for (const contradiction of contradictions) terminal.print(contradiction)
  }
  refuseUnlessBalanced(found, place)
  if (values.json) return
  terminal.print(`the books balance: ${contentOf(found)}`)
  if (holdings !== undefined) terminal.print(heldLine(holdings))
}

/** Maximum number of printed entries of the audit log. */
const entriesMax = 100

const log: CommandRun<'ledger log'> = async ({ operands: [subject], values, terminal, clock }) => {
  const page = { limit: entriesMax, subject }
  const entries = await withBooks({ ...values, clock }, (books) => books.trail(page))
  if (values.json) return terminal.print(JSON.stringify(entries.map(entryJson)))
  const rows = entries.map(entryJson).map(({ number, time, actor, from, action, subject }) => {
    return [String(number), time, actor, from, action, subject]
  })
  const header = ['ENTRY', 'TIME', 'ACTOR', 'FROM', 'ACTION', 'SUBJECT']
  printTable(terminal, header, rows)
}

/** `events`. */
export const eventsCommand: CommandRun<'events'> = async ({ values, terminal, clock }) => {
  const { after, limit } = values
  const found = await withBooks({ ...values, clock }, (books) => books.events({ after, limit }))
  const events = found.map(eventJson)
  if (values.json) return terminal.print(JSON.stringify(events))
  const rows = events.map(({ number, time, kind, subject, details }) => {
    return [String(number), time, kind, subject, JSON.stringify(details)]
  })
  printTable(terminal, ['EVENT', 'TIME', 'KIND', 'SUBJECT', 'DETAILS'], rows)
}

const backup: CommandRun<'ledger backup'> = async ({
  operands: [directory = ''],
  values,
  terminal,
  clock,
}) => {
  refuseDatabase(values.ledger)
  const found = await backUp({ from: values.data, directory, clock })
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

/** Refuses copies of a database, which keeps its own. @throws Refusal `wrong-usage`. */
function refuseDatabase(ledger: string | null): void {
  if (ledger === null) return
  const advice = 'use pg_dump, or its recovery to a point in time (docs/fleet.md)'
  throw new Refusal(
    'wrong-usage',
    `the ledger is a database, which keeps its own copies: ${advice}`,
  )
}

/** @throws Refusal `ledger-corrupt`. */
function refuseUnlessBalanced(found: Audit, directory: string): void {
  const { length: count } = found.contradictions
  if (count === 0) return
  const contradictions = `${count} contradiction${count > 1 ? 's' : ''}`
  const reason = `the books in ${directory} do not balance: ${contradictions}`
  throw new Refusal('ledger-corrupt', reason)
}

function contentOf({ accounts, rows, keys, balanceMicroUsd }: Audit): string {
  const total = formatUsd(balanceMicroUsd)
  return `${accounts} accounts, ${rows} rows, ${keys} keys, ${total} USD in all`
}

function contentJson({ accounts, rows, keys, balanceMicroUsd }: Audit) {
  return { accounts, rows, keys, balance_usd: usdNumber(balanceMicroUsd) }
}

function heldLine({ liveMicroUsd, reservedMicroUsd, uncommittedMicroUsd }: Holdings): string {
  const parts = [
    `live ${formatUsd(liveMicroUsd)}`,
    `reserved ${formatUsd(reservedMicroUsd)}`,
    `uncommitted ${formatUsd(uncommittedMicroUsd)}`,
  ]
  return `the service agrees; with its last charges it held ${parts.join(', ')} USD`
}

function heldJson({ liveMicroUsd, reservedMicroUsd, uncommittedMicroUsd }: Holdings) {
  return {
    live_usd: usdNumber(liveMicroUsd),
    reserved_usd: usdNumber(reservedMicroUsd),
    uncommitted_usd: usdNumber(uncommittedMicroUsd),
  }
}

/** `ledger verify`, `log`, `backup` and `restore`. */
export const ledgerCommands: CommandRuns<'ledger'> = {
  'ledger verify': verify,
  'ledger log': log,
  'ledger backup': backup,
  'ledger restore': restoreCommand,
}
