/** An account as a holder of one of its keys sees it, all of one moment. */
import { dayName, dayNumber } from '../../account-records.ts'
import type { DailySale, OwnerView, OwnKey } from '../../port.ts'
import type { RunStatement, Sql } from '../../sql/port.ts'
import { ownerFacts, ownerSince } from '../../usage.ts'
import { selectAccountById } from '../account-rows.ts'
import { databaseMs, selectKeyRecord } from '../key-rows.ts'

/** Reads it; undefined for a key that the ledger does not have. @throws Refusal `ledger-refused`. */
export function readOwnerView(sql: Sql, key: OwnKey): Promise<OwnerView | undefined> {
  return sql.snapshot((query) => selectOwnerView(query, key))
}

async function selectOwnerView(query: RunStatement, key: OwnKey): Promise<OwnerView | undefined> {
  const { keyId } = key
  const record = await selectKeyRecord(query, keyId)
  if (record === undefined) return undefined
  const account = await selectAccountById(query, record.accountNumber)
  const atMs = await databaseMs(query)
  const since = dayNumber(Date.parse(ownerSince(atMs, key)))
  const charges = await query<SaleRow>(
    `select day, route, queries, amount from usage
     where account = $1 and day >= $2 order by day, route`,
    [account.number, since],
  )
  const keyCharges = await query<SaleRow>(
    `select day, route, queries, amount from key_usage
     where account = $1 and key_id = $3 and day >= $2 order by day, route`,
    [account.number, since, keyId],
  )
  return {
    ...ownerFacts(account, record),
    atMs,
    charges: charges.map(saleOf),
    keyCharges: keyCharges.map(saleOf),
  }
}

interface SaleRow {
  readonly day: number
  readonly route: string
  readonly queries: number
  readonly amount: number
}

function saleOf({ day, amount, ...rest }: SaleRow): DailySale {
  return { ...rest, day: dayName(day), amountMicroUsd: amount }
}
