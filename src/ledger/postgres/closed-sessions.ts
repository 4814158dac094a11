/**
 * Removes sessions that ended long ago, and their leases, of which nothing is left: what was granted was
 * spent or is free again. What they charged stays in the journal, under their names.
 */
import type { Database } from './database.ts'

/** So many in one look: whoever has leases to renew must not be kept from it. */
const sessionsMax = 10

/**
 * Removes some of those that ended so long ago, by the clock of the database. Anybody may.
 * @param agoMs milliseconds.
 * @returns how many there were; fewer than that do not mean that there are no more.
 * @throws Refusal `ledger-refused` when the database cannot be used.
 */
export async function removeClosed(database: Database, agoMs: number): Promise<number> {
  const old = await database.query<{ id: string }>(
    `select id from session where closed_at < clock_timestamp() - interval '${agoMs} milliseconds'
     limit ${sessionsMax}`,
  )
  for (const { id } of old) {
    await database.transaction(async (query) => {
      await query('select 1 from session where id = $1 for update', [id])
      await query('delete from lease where session = $1', [id])
      await query('delete from session where id = $1', [id])
    })
  }
  return old.length
}
