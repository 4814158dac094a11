/** An account as a holder of one of its keys sees it, all of one moment. */
import { dayNumber } from '../account-records.ts'
import type { OwnerView, OwnKey } from '../port.ts'
import type { RunStatement, Sql } from '../sql/port.ts'
import { ownerFacts, ownerSince } from '../usage.ts'
import { selectAccountById } from './account-rows.ts'
import { selectSales } from './charge-rows.ts'
import { databaseMs, selectKeyRecord } from './key-rows.ts'

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
  return {
    ...ownerFacts(account, record),
    atMs,
    charges: await selectSales(query, account.number, { since }),
    keyCharges: await selectSales(query, account.number, { since, keyId }),
  }
}
