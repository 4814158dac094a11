/**
 * The charges of other nodes under keys of clients: a service reads them beside its other news and hands them on, so
 * that later repeats cost nothing here either. The settlements of a session are committed in their order, so that a
 * place in each session is all there is to remember. Also removes what is forgotten.
 */
import type { PaidQuestion } from '../../port.ts'
import type { Database } from '../database.ts'
import { questionColumns } from './question-rows.ts'

/** A question with the settlement that wrote it last. */
interface FoundQuestion extends PaidQuestion {
  readonly session: string
  readonly batch: number
}

/** Maximum number read of each session in one look: more than it writes until the next. */
const readMax = 2_000
/** Maximum number removed in one statement, and of such statements in a row: each is short. */
const removedMax = 1_000
const removalsMax = 5
/** More sessions than a fleet has: then everything is read anew, which does no harm. */
const sessionsMax = 1_000

/** Follows one database. */
export class QuestionFollower {
  readonly #database: Database
  /** By session, the last question that was read of it. */
  readonly #seen = new Map<string, FoundQuestion>()
  #connectionsSeen = 0
  #waiting: PaidQuestion[] = []

  constructor(database: Database) {
    this.#database = database
  }

  /** Takes the payments found since the last call. */
  take(): readonly PaidQuestion[] {
    const taken = this.#waiting
    this.#waiting = []
    return taken
  }

  /**
   * Reads what is new; everything at the first look of a connection, in several looks where it is much.
   * @param ownSession whose questions are known.
   * @throws Refusal `ledger-refused`.
   */
  async look(ownSession: string): Promise<void> {
    const { connections } = this.#database
    if (this.#connectionsSeen !== connections || this.#seen.size > sessionsMax) this.#seen.clear()
    this.#connectionsSeen = connections
    const seen = [...this.#seen.values()]
    const found = await this.#database.query<FoundQuestion>(
      `select found.* from session
         left join unnest($1::uuid[], $2::bigint[], $3::integer[], $4::text[])
           as seen (session, batch, account, key) on seen.session = session.id
         cross join lateral (select ${questionColumns}, session, batch from paid_question
           where paid_question.session = session.id and until > clock_timestamp()
             and (batch, account, key) > (coalesce(seen.batch, 0), coalesce(seen.account, 0), coalesce(seen.key, ''))
           order by batch, account, key limit ${readMax}) as found
       where session.id::text <> $5 and session.last_batch >= coalesce(seen.batch, 0)
         and session.expires_at > clock_timestamp() - interval '15 minutes'
       order by found.session, found.batch, found."accountNumber", found.key`,
      [
        seen.map(({ session }) => session),
        seen.map(({ batch }) => batch),
        seen.map(({ accountNumber }) => accountNumber),
        seen.map(({ key }) => key),
        ownSession,
      ],
    )
    for (const each of found) this.#seen.set(each.session, each)
    this.#waiting.push(...found)
  }

  /** Removes some payments whose keys are forgotten. Any process may. @throws Refusal `ledger-refused`. */
  async removeForgotten(): Promise<void> {
    for (let removals = 0; removals < removalsMax; removals += 1) {
      // The time of the transaction: an index is not searched for one that moves.
      const removed = await this.#database.query(
        `delete from paid_question
         using (select account, key from paid_question where until <= now() order by until limit ${removedMax}) as old
         where paid_question.account = old.account and paid_question.key = old.key returning 1`,
      )
      if (removed.length < removedMax) return
    }
  }
}
