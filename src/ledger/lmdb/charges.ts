/**
 * Charges: the sales of a service in one window, written as one transaction. A batch has a name, and
 * the name of the last one written stands in the same transaction, so a batch whose commit failed
 * in doubt can be sent again and is charged once. The holdings of the service stand there too.
 *
 * In the window in which an operator takes money back (an adjustment below zero) a service may still
 * sell it. An adjustment of its own then gives the missing amount to the customer.
 */
import type { RouteName } from '../../operations.ts'
import { type Account, balanceOf, dayOf } from '../account-records.ts'
import { usualGrowthBytes } from '../disk/room.ts'
import type { Charge, ChargeBatch, Funds, Sale, Sales } from '../port.ts'
import { chargesByAccount, sumOfSales } from '../sales.ts'
import { addSpending, type Caps, fundsOfCharged } from './by-key/spending.ts'
import { addUsageByKey, withSale } from './by-key/usage-by-key.ts'
import type { Environment } from './environment.ts'
import { appendRow, fundsOf } from './journal.ts'
import type { Tables } from './tables.ts'

/** Maximum growth of the file with a charge. */
const growthBytesEach = 12_288

/** A batch with the session whose it is. */
export interface SessionBatch extends ChargeBatch {
  readonly session: string
}

/**
 * Writes a batch; durable when this returns. Does nothing when it is the last one that was written.
 * @param caps of keys whose funds the service wants to know.
 * @returns the funds of its accounts, and of the keys with caps that it raises, as they are now.
 * @throws Refusal `ledger-refused` when the disk refuses; then nothing was charged. Throws when an
 * account would be overdrawn by more than was taken back, which the live balances make impossible.
 */
export function chargeBatch(
  environment: Environment,
  batch: SessionBatch,
  caps: Caps = new Map(),
): Funds[] {
  const { session, number, charges, holdings } = batch
  return environment.transact(
    (tables) => {
      const atMs = environment.clock()
      const last = tables.batches.get('last')
      const byAccount = chargesByAccount(charges)
      const isWritten = last?.session === session && last.number === number
      const funds = isWritten
        ? byAccount.map(([accountNumber]) => fundsOf(accountWith(tables, accountNumber)))
        : byAccount.map(([accountNumber, ofAccount]) =>
            fundsOf(chargeAccount(tables, accountNumber, ofAccount, atMs)),
          )
      if (!isWritten) {
        const held = holdings && { holdings }
        tables.batches.putSync('last', { session, number, ...held })
      }
      return [...funds, ...fundsOfCharged(tables, charges, caps, atMs)]
    },
    Math.max(usualGrowthBytes, charges.length * growthBytesEach),
  )
}

/** Charges an account what its keys were sold, in one row; returns it as it is then. */
function chargeAccount(
  tables: Tables,
  accountNumber: number,
  charges: readonly Charge[],
  atMs: number,
): Account {
  const account = accountWith(tables, accountNumber)
  const day = dayOf(atMs)
  let sales: Sales = {}
  let totalMicroUsd = 0
  for (const charge of charges) {
    const amountMicroUsd = amountOf(charge.sales)
    addUsageByKey(tables, charge, atMs)
    addSpending(tables, charge, amountMicroUsd, atMs)
    totalMicroUsd += amountMicroUsd
    sales = charges.length === 1 ? charge.sales : sumOfSales(sales, charge.sales)
  }
  for (const [route, sale] of Object.entries(sales)) {
    addUsage(tables, account, day, route as RouteName, sale)
  }
  const funded = giveMissing(tables, account, totalMicroUsd, atMs)
  // 0 - 0 is 0, where -0 would be written for a free route.
  const amountMicroUsd = 0 - totalMicroUsd
  return appendRow(tables, funded, { kind: 'charge', amountMicroUsd, sales }, atMs)
}

/** Total of sales, in micro-USD. @throws Error for a value that is no sale: that is a bug. */
function amountOf(sales: Sales): number {
  let sum = 0
  for (const [route, sale] of Object.entries(sales)) {
    if (!isSale(sale)) throw new Error(`no sale on ${route}: ${JSON.stringify(sale)}`)
    sum += sale.amountMicroUsd
  }
  return sum
}

function giveMissing(
  tables: Tables,
  account: Account,
  costMicroUsd: number,
  atMs: number,
): Account {
  const amountMicroUsd = costMicroUsd - balanceOf(account)
  // More than that is a bug: the charge is refused.
  const isExplained = amountMicroUsd <= (account.takenBackMicroUsd ?? 0)
  if (amountMicroUsd <= 0 || !isExplained) return account
  const reason = 'a service had not seen yet that it was taken back'
  return appendRow(
    tables,
    account,
    {
      kind: 'adjustment',
      amountMicroUsd,
      reference: `sold while it was taken back, row ${account.rows + 1}`,
      reason,
    },
    atMs,
  )
}

function isSale({ queries, amountMicroUsd }: Sale): boolean {
  const isWhole = Number.isSafeInteger(queries) && Number.isSafeInteger(amountMicroUsd)
  return isWhole && queries > 0 && amountMicroUsd >= 0
}

function accountWith(tables: Tables, number: number): Account {
  const account = tables.accounts.get(number)
  if (account === undefined) throw new Error(`there is no account ${number}`)
  return account
}

function addUsage(
  tables: Tables,
  account: Account,
  day: string,
  route: RouteName,
  sale: Sale,
): void {
  const key: [number, string, string] = [account.number, day, route]
  tables.usage.putSync(key, withSale(tables.usage.get(key), sale))
}
