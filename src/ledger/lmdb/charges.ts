/**
 * Charges: what the service sold in one window, written as one transaction. A batch has a name, and
 * the name of the last one written stands in the same transaction, so a batch whose commit failed
 * in doubt can be sent again and is charged once. What the service held besides stands there too.
 *
 * In the window in which somebody takes money back (an adjustment below zero) a service may sell it
 * still. What is missing then is given to the customer by an adjustment of its own.
 */
import type { RouteName } from '../../operations.ts'
import { type Account, balanceOf, dayOf } from '../account-records.ts'
import { usualGrowthBytes } from '../disk/room.ts'
import type { Charge, ChargeBatch, Funds, Sale } from '../port.ts'
import type { Environment } from './environment.ts'
import { appendRow, fundsOf } from './journal.ts'
import type { Tables } from './tables.ts'

/** By how much the file grows with a charge: 1.7 KiB was seen with 4,000 accounts. */
const growthBytesEach = 4_096

/** A batch with the session whose it is. */
export interface SessionBatch extends ChargeBatch {
  readonly session: string
}

/**
 * Writes a batch; durable when this returns. Does nothing when it is the last one that was written.
 * @returns the funds of its accounts, as they are now.
 * @throws Refusal `ledger-refused` when the disk refuses; then nothing was charged. Throws when an
 * account would be overdrawn by more than was taken back, which the live balances make impossible.
 */
export function chargeBatch(environment: Environment, batch: SessionBatch): Funds[] {
  const { session, number, charges, holdings } = batch
  const growthBytes = Math.max(usualGrowthBytes, charges.length * growthBytesEach)
  return environment.transact((tables) => {
    const last = tables.batches.get('last')
    if (last?.session === session && last.number === number) {
      return charges.map(({ accountNumber }) => fundsOf(accountWith(tables, accountNumber)))
    }
    const atMs = environment.clock()
    const day = dayOf(atMs)
    tables.batches.putSync('last', { session, number, ...(holdings && { holdings }) })
    return charges.map((charge) => fundsOf(chargeAccount(tables, charge, atMs, day)))
  }, growthBytes)
}

/** Returns the account as it is then. */
function chargeAccount(
  tables: Tables,
  { accountNumber, sales }: Charge,
  atMs: number,
  day: string,
): Account {
  const account = accountWith(tables, accountNumber)
  let totalMicroUsd = 0
  for (const [route, sale] of Object.entries(sales)) {
    if (!isSale(sale)) throw new Error(`no sale on ${route}: ${JSON.stringify(sale)}`)
    totalMicroUsd += sale.amountMicroUsd
    addUsage(tables, account, day, route as RouteName, sale)
  }
  const funded = giveMissing(tables, account, totalMicroUsd, atMs)
  // 0 - 0 is 0, where -0 would be written for a free route.
  return appendRow(
    tables,
    funded,
    { kind: 'charge', amountMicroUsd: 0 - totalMicroUsd, sales },
    atMs,
  )
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
  const before = tables.usage.get(key) ?? { queries: 0, amountMicroUsd: 0 }
  tables.usage.putSync(key, {
    queries: before.queries + sale.queries,
    amountMicroUsd: before.amountMicroUsd + sale.amountMicroUsd,
  })
}
