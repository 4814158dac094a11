/** The statement of an account, all of one moment. */
import { balanceOf } from '../account-records.ts'
import type { Statement } from '../administration.ts'
import type { RunStatement } from '../sql/port.ts'
import { selectAccount } from './account-rows.ts'
import { selectSales } from './charge-rows.ts'

/** @throws Refusal `ledger-refused` when there is no such account. */
export async function selectStatement(query: RunStatement, name: string): Promise<Statement> {
  const account = await selectAccount(query, name)
  const credits = await query<{
    readonly at_ms: number
    readonly amount: number
    readonly reference: string | null
    readonly reason: string | null
  }>('select at_ms, amount, reference, reason from credit where account = $1 order by n', [
    account.number,
  ])
  return {
    account,
    credits: credits.map(({ at_ms: atMs, amount, ...rest }) => {
      return { atMs, amountMicroUsd: amount, ...rest }
    }),
    charges: await selectSales(query, account.number, {}),
    balanceMicroUsd: balanceOf(account),
  }
}
