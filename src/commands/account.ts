/**
 * The commands of accounts. They work on the ledger itself, so they may run while the service does,
 * which sees what they changed within a second.
 */
import { type Account, balanceOf, isSuspended, openingMicroUsd } from '../ledger/account-records.ts'
import type { Credited, Statement } from '../ledger/administration.ts'
import { withAdministration } from '../ledger/open-administration.ts'
import { formatUsd, parseUsd, usdNumber } from '../money.ts'
import { Refusal } from '../problems.ts'
import { type Command, command, type Terminal } from './command.ts'
import { tableLines } from './table.ts'

const create = command({
  operands: 'NAME',
  settings: ['data', 'ledger', 'json'],
  help: `make an account, which starts with ${formatUsd(openingMicroUsd)} USD`,
  run: async ({ operands: [name = ''], values, terminal, clock }) => {
    const place = { ...values, clock, create: true }
    const account = await withAdministration(place, (books) => books.createAccount(name))
    printAccount(account, values.json, terminal)
  },
})

const list = command({
  operands: '',
  settings: ['data', 'ledger', 'json'],
  help: 'list the accounts with their balances',
  run: async ({ values, terminal, clock }) => {
    const place = { ...values, clock }
    const all = await withAdministration(place, (books) => books.accounts())
    if (values.json) return terminal.print(JSON.stringify(all.map(accountJson)))
    const rows = all.map((account) => [
      account.name,
      formatUsd(balanceOf(account)),
      stateOf(account),
      timeText(account.createdAtMs),
    ])
    const header = ['NAME', 'BALANCE USD', 'STATE', 'CREATED']
    for (const line of tableLines(header, rows)) terminal.print(line)
  },
})

const show = command({
  operands: 'NAME',
  settings: ['data', 'ledger', 'json'],
  help: 'show one account',
  run: async ({ operands: [name = ''], values, terminal, clock }) => {
    const place = { ...values, clock }
    const account = await withAdministration(place, (books) => books.accountNamed(name))
    printAccount(account, values.json, terminal)
  },
})

const topUpCommand = command({
  operands: 'NAME USD',
  settings: ['data', 'ledger', 'reference', 'json'],
  help: 'credit an account, once for each reference',
  run: async ({ operands: [name = '', amount = ''], values, terminal, clock }) => {
    const amountMicroUsd = parseUsd(amount)
    if (amountMicroUsd === undefined) {
      throw new Refusal('wrong-usage', 'USD is an amount such as 25 or 12.50')
    }
    if (values.reference === '') {
      throw new Refusal('wrong-usage', 'account top-up needs --reference, which names the payment')
    }
    const place = { ...values, clock }
    const done = await withAdministration(place, (books) =>
      books.topUp(name, amountMicroUsd, values.reference),
    )
    printCredited(`credited ${formatUsd(amountMicroUsd)} USD`, done, values, terminal)
  },
})

const adjustCommand = command({
  operands: 'NAME ±USD',
  settings: ['data', 'ledger', 'reference', 'reason', 'json'],
  help: 'correct the credits of an account, up or down (-5), once for each reference',
  run: async ({ operands: [name = '', amount = ''], values, terminal, clock }) => {
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
    const done = await withAdministration(place, (books) =>
      books.adjust(name, { amountMicroUsd: signed, reference, reason }),
    )
    printCredited(`adjusted by ${formatUsd(signed)} USD`, done, values, terminal)
  },
})

const suspendCommand = command({
  operands: 'NAME',
  settings: ['data', 'ledger', 'json'],
  help: 'have the keys of an account refused until it is resumed; its money stays',
  run: async ({ operands: [name = ''], values, terminal, clock }) => {
    const place = { ...values, clock }
    const changed = await withAdministration(place, (books) => books.suspend(name))
    if (values.json) return terminal.print(JSON.stringify({ account: name, suspended: changed }))
    terminal.print(`account ${name} ${changed ? 'is' : 'had been'} suspended`)
  },
})

const resumeCommand = command({
  operands: 'NAME',
  settings: ['data', 'ledger', 'json'],
  help: 'end the suspension of an account',
  run: async ({ operands: [name = ''], values, terminal, clock }) => {
    const place = { ...values, clock }
    const changed = await withAdministration(place, (books) => books.resume(name))
    if (values.json) return terminal.print(JSON.stringify({ account: name, resumed: changed }))
    terminal.print(`account ${name} ${changed ? 'is resumed' : 'was not suspended'}`)
  },
})

const statement = command({
  operands: 'NAME',
  settings: ['data', 'ledger', 'json'],
  help: 'show credits, charges by day and route, and the balance of an account',
  run: async ({ operands: [name = ''], values, terminal, clock }) => {
    const place = { ...values, clock }
    const found = await withAdministration(place, (books) => books.statementOf(name))
    if (values.json) return terminal.print(JSON.stringify(statementJson(found)))
    for (const line of statementLines(found)) terminal.print(line)
  },
})

/** `account create`, `list`, `show`, `top-up`, `adjust`, `suspend`, `resume` and `statement`. */
export const accountCommands: Readonly<Record<string, Command>> = {
  'account create': create,
  'account list': list,
  'account show': show,
  'account top-up': topUpCommand,
  'account adjust': adjustCommand,
  'account suspend': suspendCommand,
  'account resume': resumeCommand,
  'account statement': statement,
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

function stateOf(account: Account): 'active' | 'suspended' {
  return isSuspended(account) ? 'suspended' : 'active'
}

function printAccount(account: Account, json: boolean, terminal: Terminal): void {
  if (json) {
    terminal.print(JSON.stringify(accountJson(account)))
    return
  }
  terminal.print(`account   ${account.name}`)
  terminal.print(`balance   ${formatUsd(balanceOf(account))} USD`)
  terminal.print(`credited  ${formatUsd(account.creditedMicroUsd)} USD`)
  terminal.print(`charged   ${formatUsd(account.chargedMicroUsd)} USD`)
  terminal.print(`state     ${stateOf(account)}`)
  terminal.print(`created   ${timeText(account.createdAtMs)}`)
}

function accountJson(account: Account) {
  return {
    account: account.name,
    balance_usd: usdNumber(balanceOf(account)),
    credited_usd: usdNumber(account.creditedMicroUsd),
    charged_usd: usdNumber(account.chargedMicroUsd),
    state: stateOf(account),
    created: timeText(account.createdAtMs),
  }
}

function statementJson({ account, credits, charges }: Statement) {
  return {
    ...accountJson(account),
    credits: credits.map(({ atMs, amountMicroUsd, reference, reason }) => ({
      time: timeText(atMs),
      amount_usd: usdNumber(amountMicroUsd),
      reference,
      reason,
    })),
    charges: charges.map(({ day, route, queries, amountMicroUsd }) => ({
      day,
      route,
      queries,
      amount_usd: usdNumber(amountMicroUsd),
    })),
  }
}

function statementLines({ account, credits, charges, balanceMicroUsd }: Statement): string[] {
  const creditRows = credits.map(({ atMs, amountMicroUsd, reference, reason }) => [
    timeText(atMs),
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

function timeText(atMs: number): string {
  return new Date(atMs).toISOString()
}
