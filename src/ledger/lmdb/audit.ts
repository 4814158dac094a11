/**
 * The proof that the books balance: every total is computed again from the journal and compared.
 * Reads one moment of the ledger, so it may run while the service charges. Finds, repairs nothing.
 */
import { formatUsd } from '../../money.ts'
import { type Account, balanceOf, dayOf, isBalance, type JournalRow } from '../account-records.ts'
import type { Audit } from '../administration.ts'
import { isStorageError } from '../disk/lmdb-file.ts'
import type { Holdings } from '../port.ts'
import { accounts } from './accounts.ts'
import { auditUsageByKey } from './by-key/proof.ts'
import type { Environment } from './environment.ts'
import type { Tables } from './tables.ts'
import { contradictionsOfTrail } from './trail/proof.ts'

/** Receives each contradiction that a check finds. */
type Report = (contradiction: string) => void

/** Sums over the journal of one account. */
interface Sums {
  /** Rows that stand there, and the number of the last: one row may stand for several. */
  entries: number
  rows: number
  balanceMicroUsd: number
  creditedMicroUsd: number
  /** Amount taken by adjustments, without the sign. */
  takenBackMicroUsd: number
  readonly references: Map<string, number>
  /** By UTC day and route. */
  readonly usage: Map<string, DayUsage>
  /** The day of the last charge, in days since the epoch, and its sums. */
  day: number
  ofDay: DayUsage
}

/** Sales of one day, by route. */
type DayUsage = Map<string, { queries: number; amountMicroUsd: number }>

const dayMs = 86_400_000

/** An audit that is being made. */
type Found = { -readonly [N in keyof Audit]: Audit[N] } & {
  contradictions: string[]
}

/**
 * Audits the whole ledger; its cost is one pass over the journal. It ends at an entry that cannot be
 * read at all, which is a contradiction like any other.
 * @throws Refusal `ledger-refused` when the file cannot be read.
 */
export function audit(environment: Environment): Audit {
  return environment.read((tables) => {
    const found: Found = {
      accounts: 0,
      rows: 0,
      keys: 0,
      balanceMicroUsd: 0n,
      holdings: undefined,
      contradictions: [],
    }
    try {
      auditTables(tables, found)
    } catch (error) {
      if (isStorageError(error) || !(error instanceof Error)) throw error
      found.contradictions.push(`an entry cannot be read: ${error.message.slice(0, 200)}`)
    }
    return found
  })
}

function auditTables(tables: Tables, found: Found): void {
  const report: Report = (contradiction) => found.contradictions.push(contradiction)
  const all = accounts(tables)
  found.accounts = all.length
  found.balanceMicroUsd = sumOf(all, balanceOf)
  found.keys = tables.keys.getKeysCount()
  found.holdings = tables.batches.get('last')?.holdings
  let takenBackMicroUsd = 0n
  for (const account of all) {
    const sums = auditAccount(tables, account, report)
    found.rows += sums.entries
    takenBackMicroUsd += BigInt(sums.takenBackMicroUsd)
  }
  auditNumbers(all, report)
  auditStrays(tables, all, found.rows, report)
  auditKeys(tables, report)
  auditUsageByKey(tables, all, report)
  for (const contradiction of contradictionsOfTrail(tables)) report(contradiction)
  if (found.holdings !== undefined) auditHoldings(all, found.holdings, takenBackMicroUsd, report)
}

function auditAccount(tables: Tables, account: Account, reportOfLedger: Report): Sums {
  const report: Report = (what) => reportOfLedger(`account ${account.name}: ${what}`)
  const sums = sumJournal(tables, account, report)
  if (tables.names.get(account.name) !== account.number) report('its name leads to another account')
  if (sums.rows !== account.rows) report(`${sums.rows} rows, where ${account.rows} were written`)
  auditAmount('balance', balanceOf(account), sums.balanceMicroUsd, report)
  auditAmount('credits', account.creditedMicroUsd, sums.creditedMicroUsd, report)
  auditAmount('taken back', account.takenBackMicroUsd ?? 0, sums.takenBackMicroUsd, report)
  auditReferences(tables, account, sums, report)
  auditUsage(tables, account, sums, report)
  return sums
}

function sumJournal(tables: Tables, account: Account, report: Report): Sums {
  const sums: Sums = {
    entries: 0,
    rows: 0,
    balanceMicroUsd: 0,
    creditedMicroUsd: 0,
    takenBackMicroUsd: 0,
    references: new Map(),
    usage: new Map(),
    day: Number.NaN,
    ofDay: new Map(),
  }
  const range = { start: [account.number, 0], end: [account.number + 1, 0] } as {
    start: [number, number]
    end: [number, number]
  }
  for (const { key, value: row } of tables.journal.getRange(range)) {
    const sequence = key[1]
    sums.entries += 1
    sums.rows += row.kind === 'charge' ? (row.rows ?? 1) : 1
    if (sequence !== sums.rows) report(`row ${sequence} stands where row ${sums.rows} belongs`)
    addRow(sums, sequence, row, (what) => report(`row ${sequence}: ${what}`))
  }
  return sums
}

function addRow(sums: Sums, sequence: number, row: JournalRow, report: Report): void {
  sums.balanceMicroUsd += row.amountMicroUsd
  if (!isBalance(sums.balanceMicroUsd)) report('the balance after it is one no account can hold')
  auditAmount('balance', row.balanceMicroUsd, sums.balanceMicroUsd, report)
  if ((sequence === 1) !== (row.kind === 'opening')) report(`a row of kind ${row.kind}`)
  if (row.kind === 'charge') addCharge(sums, row, report)
  else addCredit(sums, sequence, row, report)
}

function addCredit(
  sums: Sums,
  sequence: number,
  row: Exclude<JournalRow, { kind: 'charge' }>,
  report: Report,
): void {
  sums.creditedMicroUsd += row.amountMicroUsd
  if (row.kind === 'adjustment') sums.takenBackMicroUsd += Math.max(0, -row.amountMicroUsd)
  else if (row.amountMicroUsd < 0) report('a credit below zero')
  if (row.kind === 'top-up' && row.amountMicroUsd === 0) report('a top-up of nothing')
  if (row.kind !== 'opening') {
    if (sums.references.has(row.reference)) report(`reference '${row.reference}' a second time`)
    sums.references.set(row.reference, sequence)
  }
}

function addCharge(sums: Sums, row: Extract<JournalRow, { kind: 'charge' }>, report: Report): void {
  let totalMicroUsd = 0
  const ofDay = usageOfDay(sums, row.atMs)
  for (const [route, sale] of Object.entries(row.sales)) {
    if (sale.queries <= 0 || sale.amountMicroUsd < 0) report(`a sale on ${route} below zero`)
    totalMicroUsd += sale.amountMicroUsd
    const sum = ofDay.get(route)
    const { queries, amountMicroUsd } = sale
    if (sum === undefined) ofDay.set(route, { queries, amountMicroUsd })
    else {
      sum.queries += sale.queries
      sum.amountMicroUsd += sale.amountMicroUsd
    }
  }
  auditAmount('charge', 0 - row.amountMicroUsd, totalMicroUsd, report)
}

/** Rows of one day follow each other: writing out the day of each one took a tenth of the audit. */
function usageOfDay(sums: Sums, atMs: number): DayUsage {
  const day = Math.floor(atMs / dayMs)
  if (day === sums.day) return sums.ofDay
  const name = dayOf(atMs)
  const ofDay = sums.usage.get(name) ?? new Map()
  sums.usage.set(name, ofDay)
  sums.day = day
  sums.ofDay = ofDay
  return ofDay
}

function auditReferences(tables: Tables, account: Account, sums: Sums, report: Report): void {
  const { number } = account
  const found = tables.references.getRange({ start: [number, ''], end: [number + 1, ''] })
  const missing = new Map(sums.references)
  for (const { key, value: sequence } of found) {
    const reference = key[1]
    if (missing.get(reference) !== sequence) report(`reference '${reference}' leads to no credit`)
    missing.delete(reference)
  }
  for (const reference of missing.keys()) report(`reference '${reference}' is not indexed`)
}

function auditUsage(tables: Tables, account: Account, sums: Sums, report: Report): void {
  const { number } = account
  const found = tables.usage.getRange({ start: [number, '', ''], end: [number + 1, '', ''] })
  for (const { key, value } of found) {
    const [, day, route] = key
    const place = `${day} ${route}`
    const sum = sums.usage.get(day)?.get(route) ?? { queries: 0, amountMicroUsd: 0 }
    auditAmount(`usage of ${place}`, value.amountMicroUsd, sum.amountMicroUsd, report)
    if (value.queries !== sum.queries) {
      report(`usage of ${place} is ${value.queries} queries, its rows hold ${sum.queries}`)
    }
    sums.usage.get(day)?.delete(route)
  }
  for (const [day, ofDay] of sums.usage) {
    for (const route of ofDay.keys()) report(`usage of ${day} ${route} is missing`)
  }
}

function auditAmount(what: string, written: number, summed: number, report: Report): void {
  if (written === summed) return
  report(`${what} is ${formatUsd(written)} USD, its rows sum to ${formatUsd(summed)} USD`)
}

function auditNumbers(all: readonly Account[], report: Report): void {
  for (const [index, account] of all.entries()) {
    if (account.number !== index + 1) {
      report(`account ${account.name} has number ${account.number}, not ${index + 1}`)
    }
  }
}

/** Entries that belong to no account are not seen account by account, so they are counted. */
function auditStrays(tables: Tables, all: readonly Account[], rows: number, report: Report): void {
  const strayRows = tables.journal.getKeysCount() - rows
  if (strayRows !== 0) report(`${strayRows} rows of the journal belong to no account`)
  if (tables.names.getKeysCount() !== all.length) report('names and accounts differ in number')
  const isAccount = (number: number): boolean => tables.accounts.get(number) !== undefined
  for (const [number] of tables.references.getKeys()) {
    if (!isAccount(number)) report(`a reference belongs to account ${number}, which is none`)
  }
  for (const [number] of tables.usage.getKeys()) {
    if (!isAccount(number)) report(`usage belongs to account ${number}, which is none`)
  }
}

function auditKeys(tables: Tables, report: Report): void {
  let secrets = 0
  for (const { key: id, value: key } of tables.keys.getRange()) {
    if (key.id !== id) report(`key ${id} says that it is ${key.id}`)
    const endless = key.secrets.filter(({ endsAtMs }) => endsAtMs === null).length
    if (endless !== 1) report(`key ${id} has ${endless} secrets without an end, and not one`)
    for (const { hash } of key.secrets) {
      secrets += 1
      if (tables.keySecrets.get(hash) !== id) report(`a secret of key ${id} does not lead to it`)
    }
    if (tables.accounts.get(key.accountNumber) === undefined) {
      report(`key ${id} belongs to account ${key.accountNumber}, which is none`)
    }
  }
  const strays = tables.keySecrets.getKeysCount() - secrets
  if (strays !== 0) report(`${strays} secrets lead to a key that has them not`)
}

/**
 * Grants and amounts taken back since then are not in the holdings; there are no charges since then, because
 * each charge writes the holdings anew.
 */
function auditHoldings(
  all: readonly Account[],
  holdings: Holdings,
  takenBackMicroUsd: bigint,
  report: Report,
): void {
  const { liveMicroUsd, reservedMicroUsd, uncommittedMicroUsd } = holdings
  const grantedMicroUsd = BigInt(holdings.grantedMicroUsd)
  const leftMicroUsd = grantedMicroUsd - sumOf(all, ({ chargedMicroUsd }) => chargedMicroUsd)
  const held = [liveMicroUsd, reservedMicroUsd, uncommittedMicroUsd]
  const heldMicroUsd = held.reduce((sum, amount) => sum + BigInt(amount), 0n)
  if (heldMicroUsd !== leftMicroUsd) {
    const [all, left] = [formatUsd(heldMicroUsd), formatUsd(leftMicroUsd)]
    report(`the service held ${all} USD with its last batch, where the journal leaves ${left} USD`)
  }
  const creditedMicroUsd = sumOf(all, ({ creditedMicroUsd }) => creditedMicroUsd)
  if (grantedMicroUsd > creditedMicroUsd + takenBackMicroUsd) {
    const [granted, credited] = [formatUsd(grantedMicroUsd), formatUsd(creditedMicroUsd)]
    report(`the service sold from ${granted} USD of credits, where the journal has ${credited} USD`)
  }
}

/** Exact, however much it is. */
function sumOf(all: readonly Account[], amountOf: (account: Account) => number): bigint {
  return all.reduce((sum, account) => sum + BigInt(amountOf(account)), 0n)
}
