/**
 * Notifications from writers of the ledger to the services that sell from it, where the database can send
 * them.
 */
import { type Database, DatabaseAway } from './database.ts'

const channel = 'authority_index_ledger'

/** Makes listeners look at once. If the notice fails, they look at their next interval. */
export async function tell(database: Database): Promise<void> {
  await database.query(`notify ${channel}`).catch(() => {})
}

/**
 * Subscribes the connection to the database's notifications.
 * @returns false if the database cannot notify.
 * @throws Refusal `ledger-refused` when it is away.
 */
export async function listenForNotices(database: Database): Promise<boolean> {
  try {
    await database.query(`listen ${channel}`)
    return true
  } catch (error) {
    if (error instanceof DatabaseAway) throw error
    return false
  }
}
