/** What readers see of an account, all of one moment: its statement, and what a holder of one of its keys sees. */

import type { RunStatement } from '../sql/port.ts'
import { balanceOf, dayNumber } from './account-records.ts'
import { selectAccount, selectAccountById } from './account-rows.ts'
import type { Credit, OwnerView, OwnKey, Statement } from './administration.ts'
import { selectSales } from './charge-rows.ts'
import { databaseMs, selectKeyRecord } from './key-rows.ts'
import { monthOf } from './usage.ts'

export async function selectStatement(query: RunStatement, name: string): Promise<Statement> {
  const account = await selectAccount(query, name)
  return {
    account,
    credits: await query<Credit>(
      `select at_ms as "atMs", amount as "amountMicroUsd", reference, reason from credit
       where account = $1 order by n`,
      [account.number],
    ),
    charges: await selectSales(query, account.number, {}),
    balanceMicroUsd: balanceOf(account),
  }
}

export async function selectOwnerView(
  query: RunStatement,
  { keyId, days = 1 }: OwnKey,
): Promise<OwnerView | undefined> {
  const record = await selectKeyRecord(query, keyId)
  if (record === undefined) return undefined
  const account = await selectAccountById(query, record.accountNumber)
  const atMs = await databaseMs(query)
  // The first of the month, or of the days that were asked for.
  const since = Math.min(dayNumber(Date.parse(monthOf(atMs))), dayNumber(atMs) - days + 1)
  const { secrets: _, ...shown } = record
  return {
    ...{ account, key: shown, atMs },
    charges: await selectSales(query, account.number, { since }),
    keyCharges: await selectSales(query, account.number, { since, keyId }),
  }
}
