/**
 * Changes in the database that a service needs: new, credited or recalled accounts, and valid keys. The
 * service polls for them; where the database sends notifications, it looks at once.
 */
import { goodKeysOf } from '../lineages.ts'
import type { GoodKey } from '../port.ts'
import { capNews } from '../postgres/caps/cap-rows.ts'
import type { Database, RunStatement } from '../postgres/database.ts'
import { databaseMs, selectKeyRecords } from '../postgres/key-rows.ts'
import { listenForNotices } from '../postgres/notice.ts'
import { QuestionFollower } from '../postgres/questions/question-follower.ts'
import { TagFollower } from '../postgres/tags/tag-rows.ts'
import type { AccountNews } from './holding.ts'

/** What was found. */
export interface News {
  /** Whether these are all the accounts that there are. */
  readonly isComplete: boolean
  readonly accounts: readonly AccountNews[]
  /** Every good key, when any key changed. */
  readonly keys: readonly GoodKey[] | undefined
}

/** How long to wait until it is tried again to listen on another connection: some databases cannot. */
const listenAgainMs = 600_000

/** Follows one database. */
export class NewsFollower {
  /** What others charged under keys of clients. */
  readonly questions: QuestionFollower
  /** The tags that accounts have. */
  readonly tags: TagFollower
  /** Not that of the settlements: neither waits for the other. */
  readonly #database: Database
  #accountsSeen = -1
  /** By the clock of the database: with another, caps have other periods. */
  #daySeen = ''
  /** The lineages of good keys that have caps. */
  #capped: ReadonlySet<string> = new Set()
  #keysSeen = -1
  #connectionsSeen = 0
  #listensOn = 0
  #refusedAtMs = Number.NEGATIVE_INFINITY

  /** @param database calls its followers when a session announces a change. */
  constructor(database: Database) {
    this.#database = database
    this.questions = new QuestionFollower(database)
    this.tags = new TagFollower(database)
  }

  /**
   * What changed since the last look; everything at the first of a connection.
   * @param session of this service.
   * @throws Refusal `ledger-refused`.
   */
  async look(session: string): Promise<News> {
    const rows = await this.#database.query<{ topic: string; n: number; day: string }>(
      `select topic, n, (clock_timestamp() at time zone 'UTC')::date::text as day from ledger_change`,
    )
    // A standby that came too late counts on from less, and may come to the same number by other changes.
    if (this.#connectionsSeen !== this.#database.connections) this.#forget()
    const now = new Map(rows.map(({ topic, n }) => [topic, n]))
    // The numbers before what they number: what comes in between is read twice.
    const [accounts, keys] = [now.get('accounts') ?? 0, now.get('keys') ?? 0]
    const day = rows[0]?.day ?? ''
    const [changed, good] = await Promise.all([
      accounts === this.#accountsSeen ? [] : this.#accounts(),
      keys === this.#keysSeen ? undefined : this.#goodKeys(),
      this.questions.look(session),
      this.tags.look(),
    ])
    const caps = await this.#caps(good, accounts, day)
    const news = {
      isComplete: this.#accountsSeen === -1,
      accounts: [...changed, ...caps],
      keys: good,
    }
    this.#accountsSeen = accounts
    this.#daySeen = day
    this.#keysSeen = keys
    return news
  }

  #forget(): void {
    this.#connectionsSeen = this.#database.connections
    this.#accountsSeen = -1
    this.#keysSeen = -1
    this.#capped = new Set()
  }

  /** Subscribes this connection to announcements of changes, where the database has them. */
  async listen(nowMs: number): Promise<void> {
    const { connections } = this.#database
    if (this.#listensOn === connections || nowMs - this.#refusedAtMs < listenAgainMs) return
    if (await listenForNotices(this.#database)) this.#listensOn = connections
    else this.#refusedAtMs = nowMs
  }

  #accounts(): Promise<AccountNews[]> {
    return this.#database.query<AccountNews>(
      `select id, (extract(epoch from created_at) * 1000000)::bigint as "madeAtUs",
         credited - charged as balance, recalled
       from account where changed > $1 order by id`,
      [this.#accountsSeen],
    )
  }

  /** What changed of the caps of good keys, each as if it were an account. */
  async #caps(
    keys: readonly GoodKey[] | undefined,
    accounts: number,
    day: string,
  ): Promise<AccountNews[]> {
    const capped = keys === undefined ? this.#capped : cappedOf(keys)
    const isKnown = (lineage: string) => day === this.#daySeen && this.#capped.has(lineage)
    const unknown = [...capped].filter((lineage) => !isKnown(lineage))
    const known = accounts === this.#accountsSeen ? [] : [...capped].filter(isKnown)
    const query: RunStatement = (text, values) => this.#database.query(text, values)
    const order = { seen: this.#accountsSeen, known, unknown }
    const caps = known.length + unknown.length === 0 ? [] : await capNews(query, order)
    this.#capped = capped
    return caps.map(({ lineage, account: id, ...rest }) => ({ lineage, id, madeAtUs: 0, ...rest }))
  }

  async #goodKeys(): Promise<GoodKey[]> {
    return this.#database.transaction(async (query, commit) => {
      const [keys, nowMs, suspended] = await Promise.all([
        selectKeyRecords(query),
        databaseMs(query),
        query<{ id: number }>('select id from account where suspended_at is not null'),
        commit(),
      ])
      const numbers = new Set(suspended.map(({ id }) => id))
      return goodKeysOf(keys, (number) => numbers.has(number), nowMs)
    })
  }
}

function cappedOf(keys: readonly GoodKey[]): ReadonlySet<string> {
  const terms = keys.flatMap(({ terms = [] }) => terms)
  return new Set(terms.flatMap(({ lineage, cap }) => (cap === undefined ? [] : lineage)))
}
