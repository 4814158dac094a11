/**
 * The commands of accounts. They work on the ledger itself, so they may run while the service does,
 * which sees their changes within a second.
 */
import { balanceOf } from '../ledger/account-records.ts'
import type { Credited, ShownAccount, Statement } from '../ledger/administration.ts'
import { accountJson, accountState, isoTime, statementJson } from '../ledger/shown.ts'
import { formatUsd, parseUsd } from '../money.ts'
import { Refusal } from '../problems.ts'
import { withBooks } from './admin/books.ts'
import type { CommandRun, CommandRuns, Terminal } from './command.ts'
import { accountUsageCommand } from './export/account-usage.ts'
import { printTable, tableLines } from './table.ts'

const create: CommandRun<'account create'> = async ({
  operands: [name = ''],
  values,
  terminal,
  clock,
}) => {
  const place = { ...values, clock, create: true }
  const account = await withBooks(place, (books) => books.createAccount(name, values.openingCredit))
  printAccount(account, values.json, terminal)
}

const list: CommandRun<'account list'> = async ({ values, terminal, clock }) => {
  const place = { ...values, clock }
  const all = await withBooks(place, (books) => books.accounts())
  if (values.json) return terminal.print(JSON.stringify(all.map(accountJson)))
  const rows = all.map((account) => [
    account.name,
    formatUsd(balanceOf(account)),
    accountState(account),
    isoTime(account.createdAtMs),
  ])
  const header = ['NAME', 'BALANCE USD', 'STATE', 'CREATED']
  printTable(terminal, header, rows)
}

const show: CommandRun<'account show'> = async ({
  operands: [name = ''],
  values,
  terminal,
  clock,
}) => {
  const place = { ...values, clock }
  const account = await withBooks(place, (books) => books.accountNamed(name))
  printAccount(account, values.json, terminal)
}

const topUpCommand: CommandRun<'account top-up'> = async ({
  operands: [name = '', amount = ''],
  values,
  terminal,
  clock,
}) => {
  const amountMicroUsd = parseUsd(amount)
  if (amountMicroUsd === undefined) {
    throw new Refusal('wrong-usage', 'USD is an amount such as 25 or 12.50')
  }
  if (values.reference === '') {
    throw new Refusal('wrong-usage', 'account top-up needs --reference, which names the payment')
  }
  const place = { ...values, clock }
  const done = await withBooks(place, (books) =>
    books.topUp(name, amountMicroUsd, values.reference),
  )
  printCredited(`credited ${formatUsd(amountMicroUsd)} USD`, done, values, terminal)
}

const adjustCommand: CommandRun<'account adjust'> = async ({
  operands: [name = '', amount = ''],
  values,
  terminal,
  clock,
}) => {
  const amountMicroUsd = parseUsd(amount.replace(/^[-+]/, ''))
  if (amountMicroUsd === undefined) {
    throw new Refusal('wrong-usage', '±USD is an amount such as 25 or -12.50')
  }
  const { reference, reason } = values
  if (reference === '' || reason === '') {
    throw new Refusal('wrong-usage', 'account adjust needs --reference and --reason')
  }
  const signed = amount.startsWith('-') ? -amountMicroUsd : amountMicroUsd
  const place = { ...values, clock }
  const done = await withBooks(place, (books) =>
    books.adjust(name, { amountMicroUsd: signed, reference, reason }),
  )
  printCredited(`adjusted by ${formatUsd(signed)} USD`, done, values, terminal)
}

const suspendCommand: CommandRun<'account suspend'> = async ({
  operands: [name = ''],
  values,
  terminal,
  clock,
}) => {
  const place = { ...values, clock }
  const changed = await withBooks(place, (books) => books.suspend(name))
  if (values.json) return terminal.print(JSON.stringify({ account: name, suspended: changed }))
  terminal.print(`account ${name} ${changed ? 'is' : 'had been'} suspended`)
}

const resumeCommand: CommandRun<'account resume'> = async ({
  operands: [name = ''],
  values,
  terminal,
  clock,
}) => {
  const place = { ...values, clock }
  const changed = await withBooks(place, (books) => books.resume(name))
  if (values.json) return terminal.print(JSON.stringify({ account: name, resumed: changed }))
  terminal.print(`account ${name} ${changed ? 'is resumed' : 'was not suspended'}`)
}

const statement: CommandRun<'account statement'> = async ({
  operands: [name = ''],
  values,
  terminal,
  clock,
}) => {
  const place = { ...values, clock }
  const found = await withBooks(place, (books) => books.statementOf(name))
  if (values.json) return terminal.print(JSON.stringify(statementJson(found)))
  for (const line of statementLines(found)) terminal.print(line)
}

/** `account create`, `list`, `show`, `top-up`, `adjust`, `suspend`, `resume`, `statement` and `usage`. */
export const accountCommands: CommandRuns<'account'> = {
  'account create': create,
  'account list': list,
  'account show': show,
  'account top-up': topUpCommand,
  'account adjust': adjustCommand,
  'account suspend': suspendCommand,
  'account resume': resumeCommand,
  'account statement': statement,
  'account usage': accountUsageCommand,
}

/** The balance after a movement, or that its reference had been there before. */
function printCredited(
  what: string,
  { account, credited }: Credited,
  { json, reference }: { readonly json: boolean; readonly reference: string },
  terminal: Terminal,
): void {
  if (json) {
    terminal.print(JSON.stringify({ ...accountJson(account), credited }))
    return
  }
  const done = credited ? what : `reference '${reference}' was credited before; nothing changed`
  const balance = formatUsd(balanceOf(account))
  terminal.print(`${done}; the balance of ${account.name} is ${balance} USD`)
}

function printAccount(account: ShownAccount, json: boolean, terminal: Terminal): void {
  if (json) {
    terminal.print(JSON.stringify(accountJson(account)))
    return
  }
  terminal.print(`account   ${account.name}`)
  terminal.print(`balance   ${formatUsd(balanceOf(account))} USD`)
  terminal.print(`credited  ${formatUsd(account.creditedMicroUsd)} USD`)
  terminal.print(`charged   ${formatUsd(account.chargedMicroUsd)} USD`)
  terminal.print(`state     ${accountState(account)}`)
  terminal.print(`created   ${isoTime(account.createdAtMs)}`)
}

function statementLines({ account, credits, charges, balanceMicroUsd }: Statement): string[] {
  const creditRows = credits.map(({ atMs, amountMicroUsd, reference, reason }) => [
    isoTime(atMs),
    formatUsd(amountMicroUsd),
    `${reference ?? 'opening credit'}${reason === null ? '' : ` (${reason})`}`,
  ])
  const chargeRows = charges.map(({ day, route, queries, amountMicroUsd }) => [
    day,
    route,
    String(queries),
    formatUsd(amountMicroUsd),
  ])
  return [
    `Statement of ${account.name}`,
    '',
    ...tableLines(['CREDITED', 'USD', 'REFERENCE'], creditRows),
    '',
    ...tableLines(['DAY', 'ROUTE', 'QUERIES', 'USD'], chargeRows),
    '',
    `Balance ${formatUsd(balanceMicroUsd)} USD`,
  ]
}
