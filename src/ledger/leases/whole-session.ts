/**
 * A service's session with a ledger in a file, which it holds as a whole. A lock keeps other
 * services out, and its row in the ledger those before; commands of other processes may change the
 * ledger meanwhile.
 */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { Refusal } from '../../problems.ts'
import type { Lock } from '../../process/lock.ts'
import { setLowMicroUsd } from '../books/events.ts'
import type { Changes, ChargeBatch, Funds, LedgerSession } from '../books/port.ts'
import { makeTables } from '../books/schema.ts'
import { closeLeases, openSession } from '../books/session-rows.ts'
import type { RunStatement, Sql } from '../sql/port.ts'
import { SqliteFile } from '../sql/sqlite/driver.ts'
import {
  forgetHeld,
  LostLedger,
  ledgerFileName,
  lockDirectory,
  noteHeld,
  refuseLmdb,
  refuseUnlessLocked,
} from '../sql/sqlite/held-file.ts'
import { NewsFollower, type SessionOptions } from './news.ts'
import { settle } from './settlement.ts'
import { Uncharged } from './uncharged.ts'

/** Time for which a command may have the lock, to see that no service has it; ms. */
const lockedMsMax = 1_000

interface WholeOptions extends SessionOptions {
  readonly clock: () => number
}

/** @throws Refusal `already-running` when a service has it, `ledger-refused`, `ledger-corrupt`. */
export async function openWholeSession(options: WholeOptions): Promise<WholeSession> {
  const { directory, clock, report } = options
  const lock = await lockDirectory(directory, lockedMsMax)
  let sql: SqliteFile | undefined
  try {
    refuseLmdb(directory)
    const path = join(directory, ledgerFileName)
    sql = new SqliteFile({ path, isService: true, create: true, clock, report })
    await makeTables(sql)
    noteHeld(directory)
    const id = randomUUID()
    await setLowMicroUsd(sql, options.lowMicroUsd ?? 0)
    await openSession(sql, { id, node: options.node, isWhole: true })
    return new WholeSession(options, { lock, sql, id })
  } catch (error) {
    await sql?.close()
    lock.release()
    throw error
  }
}

interface Parts {
  readonly lock: Lock
  readonly sql: SqliteFile
  readonly id: string
}

export class WholeSession implements LedgerSession {
  readonly sql: Sql
  /** Its lock keeps other services out: none is showing the key of the first account. */
  readonly showMsMax = 0
  readonly #options: WholeOptions
  readonly #parts: Parts
  readonly #uncharged: Uncharged
  /** The last batch of which it was noted what was not charged; it may come again. */
  #notedUntil = 0
  #isLost = false
  readonly #news: NewsFollower

  constructor(options: WholeOptions, parts: Parts) {
    this.#options = options
    this.#parts = parts
    this.sql = parts.sql
    this.#news = new NewsFollower(options)
    this.#uncharged = new Uncharged(options.report)
  }

  /** Does a transaction of a start. */
  readonly atStart = <T>(work: (query: RunStatement) => Promise<T>): Promise<T> =>
    this.sql.transaction(work)

  readonly nowMs = (): number => this.#options.clock()

  readonly givenAwayMicroUsd = (): number => this.#uncharged.givenAwayMicroUsd

  readonly checkpointFailures = (): number => this.#parts.sql.checkpointFailures

  seek(keyHash: string): void {
    this.#news.seek(keyHash)
  }

  async readChanges(): Promise<Changes> {
    refuseUnlessLocked(this.#parts.lock, this.#options.directory)
    this.#check()
    await this.#news.keepEvents(this.#parts.sql, this.nowMs())
    const { funds: all } = await this.#news.look(this.#parts.sql)
    return {
      funds: all.map(({ madeAtMs: _, recalled: __, ...funds }) => funds),
      ...this.#news.take(() => true),
    }
  }

  async commit(batch: ChargeBatch): Promise<readonly Funds[]> {
    refuseUnlessLocked(this.#parts.lock, this.#options.directory)
    this.#check()
    const { sql, id } = this.#parts
    const { number, charges } = batch
    const settlement = { ...batch, session: id, moves: [] }
    const reply = await settle(sql, settlement, this.#options.clock)
    if (reply.closed !== undefined) {
      throw new Refusal('already-running', 'another service took the ledger; stop this service')
    }
    if (number > this.#notedUntil) {
      this.#uncharged.note(charges, reply)
      this.#notedUntil = number
    }
    return reply.leases.map(({ balanceMicroUsd: _, ...funds }) => funds)
  }

  async close(): Promise<void> {
    const { sql, lock, id } = this.#parts
    try {
      await closeLeases(sql, id).finally(() => sql.close())
      forgetHeld(this.#options.directory)
    } finally {
      lock.release()
    }
  }

  /** Tells commands why the files are not those that are held, or that they are again. @throws LostLedger. */
  #check(): void {
    try {
      this.#parts.sql.check()
      if (this.#isLost) noteHeld(this.#options.directory)
      this.#isLost = false
    } catch (error) {
      if (error instanceof LostLedger && !this.#isLost) this.#noteLost(error)
      throw error
    }
  }

  /** Where it cannot be written, commands compare the files. */
  #noteLost({ message }: LostLedger): void {
    try {
      noteHeld(this.#options.directory, message)
      this.#isLost = true
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
  }
}
