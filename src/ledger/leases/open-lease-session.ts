/**
 * Opens a service's session with a ledger in a database, when the database is reached. Until then the
 * outbox is this service's and keeps its content: a try that fails half-way leaves nothing behind that
 * disturbs the next one.
 */
import type { Lock } from '../../process/lock.ts'
import { hasTables, makeTables } from '../books/schema.ts'
import { Database, ofCommands } from '../sql/postgres/database.ts'
import { lockDirectory } from '../sql/sqlite/held-file.ts'
import { LeaseSession } from './lease-session.ts'
import { Outbox } from './outbox.ts'
import { type LeaseOptions, whenReached } from './reaching.ts'

/**
 * Opens a session: makes the tables where there are none, reports the sales that the last run of this service left in
 * its outbox, and waits for the first leases.
 * @throws Refusal `already-running` when another service has the outbox, `ledger-refused` when the
 * database cannot be used, or is not reached within the wait.
 */
export async function openLeaseSession(options: LeaseOptions): Promise<LeaseSession> {
  const lock = await lockDirectory(options.directory)
  try {
    const { directory, wallClock: clock, report } = options
    const outbox = await Outbox.open({ directory, clock, report })
    return await whenReached(options, () => begun(options, lock, outbox)).catch(async (error) => {
      await outbox.close()
      throw error
    })
  } catch (error) {
    lock.release()
    throw error
  }
}

async function begun(options: LeaseOptions, lock: Lock, outbox: Outbox): Promise<LeaseSession> {
  const database = new Database(options.uri)
  const session = new LeaseSession(options, { lock, database, outbox })
  let isDone = false
  // Statements that a database does not answer end with its connection.
  void options.ended.then(() => (isDone ? undefined : session.letGo()))
  try {
    if (!(await hasTables(database))) await withTables(options)
    await session.begin()
    return session
  } catch (error) {
    await session.letGo()
    throw error
  } finally {
    isDone = true
  }
}

/** Makes the tables on a connection of its own, with the time limits of commands. */
async function withTables({ uri, ended }: LeaseOptions): Promise<void> {
  const database = new Database(uri, ofCommands)
  void ended.then(() => database.close())
  try {
    await makeTables(database)
  } finally {
    await database.close()
  }
}
