/**
 * Reports, at the next start, the sales that the last run of a service had not reported: late, but its
 * session may still be open. The start continues with any content of the outbox.
 */

import type { Charge } from '../../books/port.ts'
import { closeLeases, databaseIdentityOf, sessionStateOf } from '../../books/session-rows.ts'
import { Contradiction } from '../../sql/port.ts'
import type { Database } from '../../sql/postgres/database.ts'
import { settle } from '../settlement.ts'
import { chargesOf, type Outbox, type Window } from './outbox.ts'
import { lateChargesOf, type Uncharged } from './uncharged.ts'

/** The database and the outbox that it works with. */
interface Parts {
  readonly database: Database
  readonly outbox: Outbox
}

/**
 * Settles the content of the outbox, if it is for this database. Content that contradicts the database is set aside.
 * @param clock milliseconds from any origin.
 * @throws Refusal `ledger-refused` when the database or the disk refuses; it can be done again.
 */
export async function tellLeftOver(
  parts: Parts,
  uncharged: Uncharged,
  clock: () => number,
): Promise<void> {
  const { outbox, database } = parts
  const identity = await database.transaction(databaseIdentityOf)
  const { session } = outbox
  if (outbox.database !== identity || session === undefined || session === '') return
  try {
    await tell(parts, uncharged, clock, { session, identity, windows: outbox.windows() })
  } catch (error) {
    if (!(error instanceof Contradiction)) throw error
    await outbox.leave(`the outbox contradicts the database: ${error.message}`)
  }
}

async function tell(
  { database }: Parts,
  uncharged: Uncharged,
  clock: () => number,
  { session, identity, windows }: { session: string; identity: string; windows: Window[] },
): Promise<void> {
  const { last } = await database.transaction((query) => sessionStateOf(query, session))
  const number = Math.max(last, windows.at(-1)?.number ?? 0) + 1
  const charges = chargesOf(windows.filter((window) => window.number > last))
  const settlement = { session, number, charges, moves: [] }
  const reply = await settle(database, settlement, clock)
  const isLost = ({ accountNumber }: Charge) => reply.lost.includes(accountNumber)
  uncharged.reportLost(reply.lost)
  uncharged.writeOff(charges.filter(isLost))
  if (reply.closed === undefined) {
    uncharged.giveAway(charges.filter((charge) => reply.unpaid.includes(charge.accountNumber)))
    await closeLeases(database, session)
  } else {
    const late = lateChargesOf(windows, last).filter((charge) => !isLost(charge))
    uncharged.writeOffLate(session, identity, late)
  }
  await uncharged.write()
}
