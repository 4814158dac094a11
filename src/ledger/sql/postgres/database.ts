/**
 * One connection to the database of a ledger, made when it is needed and given up after any
 * failure: a transaction is whole or has changed nothing, or is in doubt where the commit broke, so
 * every statement can be repeated. It has no state that outlives a transaction, so that a pooler
 * may stand between. Statements that do not wait for each other share one round trip, in their
 * order.
 */
import { Socket } from 'node:net'
import type { Client, CustomTypesConfig } from 'pg'
import { Refusal } from '../../../problems.ts'
import {
  connectPostgresql,
  type PostgresqlAddress,
  readPostgresqlAddress,
} from '../../../process/postgresql.ts'
import { type Commit, Contradiction, DatabaseAway, type RunStatement, type Sql } from '../port.ts'
import { spelled } from './spelling.ts'

interface DatabaseTimeouts {
  readonly connectMs: number
  readonly statementMs: number
  /** Time to answer any statement; 0 is no limit. */
  readonly answerMs: number
  /** A process that was stopped must not keep from others the accounts that it had locked. */
  readonly idleMs: number
}

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

/** Settings that statements depend on. A durable commit may be stronger than ours, never weaker. */
const settings: Readonly<Record<string, string>> = {
  lock_timeout: "'0'",
  synchronous_commit: `case current_setting('synchronous_commit')
    when 'remote_apply' then 'remote_apply' else 'on' end`,
}

/** A level of isolation that the role prefers would have transactions begun again and again. */
const beginAsUsual = 'begin isolation level read committed'

const beginOneMoment = 'begin isolation level repeatable read read only'

/** For sorts of a pass over the journal, else on the disk. Some databases have no such setting. */
const workMemory = `select set_config(name, '64MB', true) from pg_settings
  where name = 'work_mem' and setting::bigint < 65536`

/** Maximum time for a connection to end, ms: the other side may not answer any more. */
const closeMsMax = 1_000

/** Also what `if not exists` says to two that make a table at once: it looks before it makes. */
const beginAgainCodes = new Set(['40001', '40P01', '23505', '42710', '42P07'])
const attemptsMax = 5

const impossibleCode = '23514'

/**
 * Errors that may pass in a moment. The class of the database's code says that a connection failed,
 * that the database only reads (a standby), has no room, is starting or ending, or was asked for
 * too long; the library, which has no codes, says that no answer came.
 */
const transientClasses = ['08', '25', '53', '57']
const transientSystemCode =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/
const transientMessage = /timeout|terminated|not queryable|connection broke/

/** Code of every statement behind one that failed; the first failure gives the reason. */
const abortedCode = '25P02'

const bigintOid = 20

export class Database implements Sql {
  readonly #address: PostgresqlAddress
  readonly #patience: DatabaseTimeouts
  #client: Client | undefined
  /** Socket of that client, also while it connects. */
  #socket: Socket | undefined
  #connections = 0
  #turn: Promise<unknown> = Promise.resolve()

  /** @throws Refusal `wrong-usage` for an address that is none. */
  constructor(uri: string, patience = ofServices) {
    this.#address = readPostgresqlAddress(uri)
    this.#patience = patience
  }

  get place(): string {
    return this.#address.name
  }

  /** Number of connections that were made: after another one it may be another database, a standby. */
  get connections(): number {
    return this.#connections
  }

  /** Whether a transaction that was refused is committed is in doubt. */
  transaction<T>(work: (query: RunStatement, commit: Commit) => Promise<T>): Promise<T> {
    return this.#again(work, [beginAsUsual, this.#settings(this.#patience.statementMs)])
  }

  snapshot<T>(work: (query: RunStatement) => Promise<T>, isPass = false): Promise<T> {
    const beginning = isPass
      ? [this.#settings(0), workMemory]
      : [this.#settings(this.#patience.statementMs)]
    return this.#again(work, [beginOneMoment, ...beginning])
  }

  #again<T>(
    work: (query: RunStatement, commit: Commit) => Promise<T>,
    beginning: readonly string[],
  ): Promise<T> {
    return this.#inTurn(async () => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await this.#attempt(work, beginning)
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
    if (client === undefined) return void socket?.destroy()
    const timer = setTimeout(() => socket?.destroy(), closeMsMax)
    // Whatever is wrong with it, it is over.
    await client.end().catch(() => {})
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
    beginning: readonly string[],
  ): Promise<T> {
    const client = await this.#open()
    const query: RunStatement = (text, values = []) => this.#askOn(client, text, values)
    let committed: Promise<void> | undefined
    const commit = () => {
      committed ??= query('commit').then(() => {})
      return committed
    }
    try {
      const begun = beginning.map((text) => query(text))
      const [result] = await Promise.all([work(query, commit), ...begun])
      await commit()
      return result
    } catch (error) {
      if (this.#client === client) await query('rollback')
      throw error
    }
  }

  /** Said in each transaction, so that it is over with its end. */
  #settings(statementMs: number): string {
    const { idleMs } = this.#patience
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
      this.#client ??= await this.#connect()
      return this.#client
    } catch (error) {
      throw this.#giveUp(error)
    }
  }

  async #askOn<R extends object>(
    client: Client,
    text: string,
    values: readonly unknown[],
  ): Promise<R[]> {
    if (this.#client !== client) throw this.#giveUp(new Error('the connection broke'))
    try {
      return (await client.query<R>(spelled(text, values))).rows
    } catch (error) {
      if (!(error instanceof Error)) throw error
      if (beginAgainCodes.has(String(codeOf(error)))) throw new BeginAgain(error.message)
      if (codeOf(error) === impossibleCode) throw new Contradiction(error.message)
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
      if (this.#client === client) void this.close()
    })
    return client
  }
}

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
