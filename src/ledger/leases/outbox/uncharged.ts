/**
 * Sales that are not charged. A charge that came too late is given away: the database keeps a row of it. A charge
 * whose account the database has lost is written off: there is no account to write a row to. Both are
 * reported and counted once.
 */
import { formatUsd } from '../../../money.ts'
import { type GivenAway, insertGivenAway } from '../../books/given-away-rows.ts'
import type { Charge } from '../../books/port.ts'
import { grouped, sumOfCharges } from '../../books/sales.ts'
import { databaseIdentityOf } from '../../books/session-rows.ts'
import type { Sql } from '../../sql/port.ts'
import type { Window } from './outbox.ts'

/** A sale that is not charged, because it came too late. */
export interface LateCharge extends Charge {
  /** Number of the window. */
  readonly number: number
}

/** Charges in the windows after a settlement. */
export function lateChargesOf(windows: readonly Window[], last: number): LateCharge[] {
  return windows
    .filter(({ number }) => number > last)
    .flatMap(({ number, charges }) => charges.map((charge) => ({ number, ...charge })))
}

/** The charges given away in a session, and the database of that session. */
interface Given {
  readonly session: string
  readonly identity: string
  readonly unpaidCharges: readonly LateCharge[]
}

/** Maximum number of lost accounts that are listed. */
const listedMax = 10

/** Sales that one service could not charge. */
export class Uncharged {
  readonly #sql: Sql
  readonly #report: (line: string) => void
  /** Given away, and not yet written to the database. */
  #unwritten: Given[] = []
  #givenAwayMicroUsd = 0
  #writtenOffMicroUsd = 0

  /** @param report is called with one line. */
  constructor(sql: Sql, report: (line: string) => void) {
    this.#sql = sql
    this.#report = report
  }

  /** Since the service began. */
  get givenAwayMicroUsd(): number {
    return this.#givenAwayMicroUsd
  }

  /** Since the service began. */
  get writtenOffMicroUsd(): number {
    return this.#writtenOffMicroUsd
  }

  /** Takes note of what came too late in a session of the database with an identity. */
  writeOffLate(session: string, identity: string, unpaidCharges: readonly LateCharge[]): void {
    if (unpaidCharges.length === 0) return
    this.#unwritten.push({ session, identity, unpaidCharges })
    this.giveAway(unpaidCharges)
  }

  /** Takes note of what the database has given away. */
  giveAway(unpaidCharges: readonly Charge[]): void {
    if (unpaidCharges.length === 0) return
    const { costMicroUsd } = sumOfCharges(unpaidCharges)
    this.#givenAwayMicroUsd += costMicroUsd
    this.#report(`${formatUsd(costMicroUsd)} USD came too late to be charged and are given away`)
  }

  /** Takes note of what was sold to accounts that the database does not have. */
  writeOff(charges: readonly Charge[]): void {
    const { costMicroUsd: microUsd } = sumOfCharges(charges)
    if (microUsd === 0) return
    this.#writtenOffMicroUsd += microUsd
    this.#report(
      `${formatUsd(microUsd)} USD cannot be charged in this database and are written off`,
    )
  }

  /** Says which accounts the database has lost. */
  reportLost(accountNumbers: readonly number[]): void {
    if (accountNumbers.length === 0) return
    const listed = accountNumbers.slice(0, listedMax).join(', ')
    const more = accountNumbers.length > listedMax ? ', …' : ''
    const line = 'the database has lost accounts that were known here; nothing is sold to them'
    this.#report(`${line}: ${listed}${more} (${accountNumbers.length} in all)`)
  }

  /** Writes the charges given away to the database. @throws Refusal `ledger-refused`; call it again then. */
  async write(): Promise<void> {
    for (const given of this.#unwritten) {
      await insert(this.#sql, given)
      this.#unwritten = this.#unwritten.filter((each) => each !== given)
    }
  }
}

/** Writes late charges, in the database of their session alone. */
function insert(sql: Sql, { session, identity, unpaidCharges }: Given): Promise<void> {
  return sql.transaction(async (query) => {
    if ((await databaseIdentityOf(query)) !== identity) return
    await insertGivenAway(query, session, sumsOf(unpaidCharges))
  })
}

/** Sums of late charges by window and account, over all keys. */
function sumsOf(charges: readonly LateCharge[]): GivenAway[] {
  const nameOf = ({ number, accountNumber }: LateCharge) => `${number} ${accountNumber}`
  return [...grouped(charges, nameOf).values()].map((late) => {
    const { number, accountNumber } = late[0]!
    return { number, accountNumber, ...sumOfCharges(late) }
  })
}
