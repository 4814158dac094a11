/**
 * One connection to the database of a ledger. It is made when it is needed and given up after any
 * failure, so that a transaction is whole or has changed nothing, except that a connection which
 * breaks while it commits leaves that in doubt: every statement can be repeated safely. It has no state
 * that outlives a transaction, so that a pooler may stand between. Statements that do not wait for each
 * other share one round trip, in their order.
 */
import { Socket } from 'node:net'
import type { Client, CustomTypesConfig } from 'pg'
import { Refusal } from '../../problems.ts'
import {
  connectPostgresql,
  type PostgresqlAddress,
  readPostgresqlAddress,
} from '../../process/postgresql.ts'

/** Asks one statement and returns its rows; values stand in it as $1, $2 … */
export type RunStatement = <R extends object>(
  text: string,
  values?: readonly unknown[],
) => Promise<R[]>

/** Time limits of a database, in milliseconds. */
interface DatabaseTimeouts {
  /** Time to be reached. */
  readonly connectMs: number
  /** Time for a statement of a transaction that does not say otherwise. */
  readonly statementMs: number
  /** Time to answer any statement; 0 is no limit. */
  readonly answerMs: number
  /**
   * Time until it ends a transaction that stands still: a process that was stopped within one must not keep
   * the accounts that it had locked from all the others.
   */
  readonly idleMs: number
}

/** Sends what was asked since the last answer, and `commit` behind it. */
type Commit = () => Promise<void>

/** Time limits of services, which sell from leases, and of commands, which may request a pass over everything. */
const ofServices: DatabaseTimeouts = {
  connectMs: 2_000,
  statementMs: 2_000,
  answerMs: 2_500,
  idleMs: 1_000,
}
export const ofCommands: DatabaseTimeouts = {
  connectMs: 10_000,
  statementMs: 60_000,
  answerMs: 0,
  idleMs: 5_000,
}

/**
 * Settings that our statements depend on, whatever the server, the database or the role says. A durable commit
 * may be stronger than ours, never weaker.
 */
const settings: Readonly<Record<string, string>> = {
  DateStyle: "'ISO, YMD'",
  IntervalStyle: "'postgres'",
  TimeZone: "'UTC'",
  lock_timeout: "'0'",
  synchronous_commit: `case current_setting('synchronous_commit')
    when 'remote_apply' then 'remote_apply' else 'on' end`,
}

/**
 * Statement that begins a transaction. A level of isolation that the role prefers would have ours begun again
 * and again.
 */
const beginAsUsual = 'begin isolation level read committed'

/** Begins a transaction that reads one state of the database. */
export const ofOneMoment = 'begin isolation level repeatable read read only'

/** Maximum time for a connection to end, ms: the other side may not answer any more. */
const closeMsMax = 1_000

/** Codes of the database after which a transaction is to be begun again: serialization, deadlock. */
const beginAgainCodes = new Set(['40001', '40P01'])
const attemptsMax = 5

/** Code of the database for an impossible row: a check does not hold. */
const impossibleCode = '23514'

/**
 * Errors that may pass in a moment. The class of the database's code says that a connection failed, that the
 * database only reads (a standby), has no room, is starting or ending, or was asked for too long; the system's
 * code says that no server is there; the library, which has no codes, says that no answer came.
 */
const transientClasses = ['08', '25', '53', '57']
const transientSystemCode =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/
const transientMessage = /timeout|terminated|not queryable|connection broke/

/** Code of every statement behind one that failed; the first failure gives the reason. */
const abortedCode = '25P02'

const bigintOid = 20

/** Tokens of statements, and how PostgreSQL spells them: the time by the clock of the database, in whole milliseconds. */
const spellings: readonly (readonly [string, string])[] = [
  ['now_ms()', 'floor(extract(epoch from clock_timestamp()) * 1000)::bigint'],
]

function spelled(text: string): string {
  return spellings.reduce((all, [token, words]) => all.replaceAll(token, words), text)
}

/** A write contradicts the content of the database, which has undone it. */
export class LeaseMismatch extends Error {}

/** The database cannot be reached at the moment; all else that it refuses stays so until it is changed. */
export class DatabaseAway extends Refusal {}

/** A ledger's database; see `query` and `transaction`. */
export class Database {
  readonly #address: PostgresqlAddress
  readonly #patience: DatabaseTimeouts
  readonly #onNotification: (() => void) | undefined
  #client: Promise<Client> | undefined
  /** Socket of that client, also while it connects. */
  #socket: Socket | undefined
  #connections = 0
  /** The connection there is; undefined before it is made, and from the moment when it broke. */
  #current: Client | undefined
  /** Done when everything is that was asked for: a connection does one thing at a time. */
  #turn: Promise<unknown> = Promise.resolve()

  /**
   * @param onNotification is called when other connections notify, after a `listen`.
   * @throws Refusal `wrong-usage` for an address that is none.
   */
  constructor(uri: string, patience = ofServices, onNotification?: () => void) {
    this.#address = readPostgresqlAddress(uri)
    this.#patience = patience
    this.#onNotification = onNotification
  }

  /** The address without the password, for messages. */
  get place(): string {
    return this.#address.name
  }

  /** Number of connections that were made: after another one it may be another database, a standby. */
  get connections(): number {
    return this.#connections
  }

  /**
   * One statement of its own.
   * @throws Refusal `ledger-refused` when the database cannot be reached or refuses.
   */
  query<R extends object>(text: string, values: readonly unknown[] = []): Promise<R[]> {
    return this.transaction(async (query, commit) => {
      const [rows] = await Promise.all([query<R>(text, values), commit()])
      return rows
    })
  }

  /**
   * Does some work in one transaction; an error undoes it. The work is begun again when
   * the database says that two were in each other's way, so it must not change anything else. It may
   * commit by itself, together with its last statements, which saves a round trip; then it asks nothing more.
   * @throws Refusal `ledger-refused` when the database cannot be reached or refuses; whether it was
   * committed is in doubt then.
   */
  transaction<T>(
    work: (query: RunStatement, commit: Commit) => Promise<T>,
    begin = beginAsUsual,
  ): Promise<T> {
    return this.#inTurn(async () => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await this.#attempt(work, begin)
        } catch (error) {
          if (!(error instanceof BeginAgain)) throw error
          if (attempt === attemptsMax) throw this.#refusal(error)
        }
      }
    })
  }

  /** Ends the connection, at last by force; the next statement makes another. */
  async close(): Promise<void> {
    const [client, socket] = [this.#client, this.#socket]
    this.#client = undefined
    this.#current = undefined
    const timer = setTimeout(() => socket?.destroy(), closeMsMax)
    // Whatever is wrong with it, it is over.
    await client?.then((open) => open.end()).catch(() => {})
    clearTimeout(timer)
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work)
    this.#turn = done.catch(() => {})
    return done
  }

  /** All on one connection: what came after it broke would else be done by itself, on another. */
  async #attempt<T>(
    work: (query: RunStatement, commit: Commit) => Promise<T>,
    begin: string,
  ): Promise<T> {
    const client = await this.#open()
    const query: RunStatement = (text, values = []) => this.#askOn(client, text, values)
    let committed: Promise<void> | undefined
    const commit = () => {
      committed ??= query('commit').then(() => {})
      return committed
    }
    try {
      const begun = [query(begin), query(this.#settings())]
      const [result] = await Promise.all([work(query, commit), ...begun])
      await commit()
      return result
    } catch (error) {
      if (this.#current === client) await query('rollback')
      throw error
    }
  }

  /** Said in each transaction, so that it is over with its end. */
  #settings(): string {
    const { statementMs, idleMs } = this.#patience
    const all = {
      ...settings,
      statement_timeout: `'${statementMs}'`,
      idle_in_transaction_session_timeout: `'${idleMs}'`,
    }
    const set = Object.entries(all).map(([name, value]) => `set_config('${name}', ${value}, true)`)
    return `select ${set.join(', ')}`
  }

  async #open(): Promise<Client> {
    try {
      this.#client ??= this.#connect()
      this.#current = await this.#client
      return this.#current
    } catch (error) {
      throw this.#giveUp(error)
    }
  }

  async #askOn<R extends object>(
    client: Client,
    text: string,
    values: readonly unknown[],
  ): Promise<R[]> {
    if (this.#current !== client) throw this.#giveUp(new Error('the connection broke'))
    try {
      return (await client.query<R>(spelled(text), [...values])).rows
    } catch (error) {
      if (!(error instanceof Error)) throw error
      if (beginAgainCodes.has(String(codeOf(error)))) throw new BeginAgain(error.message)
      if (codeOf(error) === impossibleCode) throw new LeaseMismatch(error.message)
      if (codeOf(error) === abortedCode) throw error
      throw this.#giveUp(error)
    }
  }

  /** The connection is not used again, and not waited for: it may not answer any more. */
  #giveUp(error: unknown): unknown {
    void this.close()
    return error instanceof Error ? this.#refusal(error) : error
  }

  #refusal(error: Error): Refusal {
    const what = error.message === '' ? String(codeOf(error)) : error.message
    const message = `the ledger in ${this.place} cannot be used: ${what}`
    return new (isTransient(error) ? DatabaseAway : Refusal)(
      'ledger-refused',
      message,
      'unavailable',
    )
  }

  async #connect(): Promise<Client> {
    const { types: standard } = await import('pg')
    const types: CustomTypesConfig = {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === bigintOid ? wholeNumber : standard.getTypeParser(oid, format as 'text'),
    }
    const client = await connectPostgresql(this.#address, 'authority-index', {
      connectionTimeoutMillis: this.#patience.connectMs,
      query_timeout: this.#patience.answerMs,
      pipeline: true,
      stream: () => {
        this.#socket = new Socket()
        return this.#socket
      },
      types,
    })
    this.#connections += 1
    // A connection that breaks at rest: the next statement makes another.
    client.on('error', () => {
      if (this.#current === client) void this.close()
    })
    if (this.#onNotification !== undefined) client.on('notification', this.#onNotification)
    return client
  }
}

/** Two transactions were in each other's way. */
class BeginAgain extends Error {}

function codeOf(error: Error): unknown {
  return 'code' in error ? error.code : undefined
}

function isTransient(error: Error): boolean {
  if (error instanceof BeginAgain) return true
  const code = codeOf(error)
  if (code === undefined) return transientMessage.test(error.message)
  return transientSystemCode.test(`${code}`) || transientClasses.includes(`${code}`.slice(0, 2))
}

/** @throws Error for a number that a double does not hold exactly. */
function wholeNumber(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new Error(`${text} is not a number that can be held`)
  return value
}
