/** What was sold and is not charged: each account once for each batch of a session. */
import type { RunStatement } from '../sql/port.ts'

/** The sales of one account in one batch. */
export interface GivenAway {
  readonly number: number
  readonly accountNumber: number
  readonly queries: number
  readonly costMicroUsd: number
}

/** Writes those that are not there yet, and whose accounts are. */
export async function insertGivenAway(
  query: RunStatement,
  session: string,
  given: readonly GivenAway[],
): Promise<void> {
  if (given.length === 0) return
  await query(
    `insert into given_away (session, batch, account, at_ms, queries, amount)
     select $1, batch, account, now_ms(), given.queries, given.amount
     from rows($2 as batch bigint, account integer, queries bigint, amount bigint) as given
       join account on account.id = given.account
     where true
     on conflict (session, batch, account) do nothing`,
    [
      session,
      given.map(({ number, accountNumber, queries, costMicroUsd }) => {
        return [number, accountNumber, queries, costMicroUsd]
      }),
    ],
  )
}

/** The accounts that a batch did not charge. */
export async function notChargedBy(
  query: RunStatement,
  { session, number }: { readonly session: string; readonly number: number },
): Promise<ReadonlySet<number>> {
  const rows = await query<{ account: number }>(
    'select account from given_away where session = $1 and batch = $2',
    [session, number],
  )
  return new Set(rows.map(({ account }) => account))
}
