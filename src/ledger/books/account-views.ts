/** What readers see of an account, all of one moment: its statement, and what a holder of one of its keys sees. */

import type { RunStatement } from '../sql/port.ts'
import type { Account, KeyRecord, Movement } from './account-records.ts'
import { selectAccount } from './account-rows.ts'
import { selectSales } from './charge-rows.ts'
import { databaseMs, selectKeyRecord } from './key-rows.ts'
import type { DailySale } from './port.ts'
import { firstDayOf, monthOf } from './sales.ts'

interface Credit extends Omit<Movement, 'kind'> {
  readonly atMs: number
}

/** Credits by time, charges by day and route; the credits less the charges are the balance. */
export interface Statement {
  readonly account: Account
  readonly credits: readonly Credit[]
  readonly charges: readonly DailySale[]
}

export interface OwnKey {
  readonly keyId: string
  /** UTC days, today included; absent for the current month. */
  readonly days?: number
}

export interface OwnerView {
  readonly account: Account
  readonly key: Omit<KeyRecord, 'secrets'>
  readonly atMs: number
  /** By all keys of the account, from the first of the month of `atMs`, or from the first day asked for if earlier. */
  readonly charges: readonly DailySale[]
  readonly keyCharges: readonly DailySale[]
}

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
  }
}

export async function selectOwnerView(
  query: RunStatement,
  { keyId, days = 1 }: OwnKey,
): Promise<OwnerView | undefined> {
  const record = await selectKeyRecord(query, keyId)
  if (record === undefined) return undefined
  const account = await selectAccount(query, record.account)
  const atMs = await databaseMs(query)
  const [fromDay = ''] = [monthOf(atMs), firstDayOf(atMs, days)].sort()
  const { secrets: _, ...shown } = record
  return {
    ...{ account, key: shown, atMs },
    charges: await selectSales(query, account.number, { fromDay }),
    keyCharges: await selectSales(query, account.number, { fromDay, keyId }),
  }
}
