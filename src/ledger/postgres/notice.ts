/** How those who change the ledger tell those who sell from it to look, where the database can. */
import type { Database } from './database.ts'

const channel = 'authority_index_ledger'

/** Has those who listen look at once. Where it cannot be told, they look by themselves. */
export async function tell(database: Database): Promise<void> {
  await database.query(`notify ${channel}`).catch(() => {})
}

/** From now on, the database's notifications are called. Where it cannot tell, nothing is. */
export async function listen(database: Database): Promise<void> {
  await database.query(`listen ${channel}`).catch(() => {})
}
