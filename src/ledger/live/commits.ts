/**
 * The teller: the one process that spends the balances of a ledger. It fills the shared memory, turns
 * recorded queries into charges, one durable transaction a window, and follows what other processes
 * change. What a crash loses is what was recorded since the last commit, in the customer's favour;
 * a commit that fails loses nothing, and stops the sale until it succeeds.
 */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { type Prices, type Queries, type RouteName, routeNames } from '../../operations.ts'
import { Refusal } from '../../problems.ts'
import { acquireLock, type Lock } from '../../process/lock.ts'
import { accounts } from '../books/accounts.ts'
import { type Batch, type Charge, chargeBatch } from '../books/charges.ts'
import { type Environment, openEnvironment } from '../books/environment.ts'
import { balanceOf } from '../books/journal.ts'
import { stateOf } from '../books/keys.ts'
import type { Account, KeyRecord } from '../books/tables.ts'
import { Balances, createSharedBalances, type SharedBalances } from './balances.ts'
import type { KeyTable } from './keyring.ts'

/** What a teller works with. */
export interface TellerOptions {
  readonly prices: Prices
  /** Called with the first key table and with every later one; the receiver posts it to threads. */
  readonly onKeyTable: (table: KeyTable) => void
  /** Called with one line when charges stop being recorded, and when they are again. */
  readonly report: (line: string) => void
}

/** What the teller does again and again, and what it reports when that fails and works again. */
interface Task {
  readonly failed: string
  readonly recovered: string
}

const recordingCharges: Task = {
  failed: 'charges cannot be recorded, so nothing is sold',
  recovered: 'charges are recorded again',
}

const followingChanges: Task = {
  failed: 'changes of the ledger cannot be followed, so nothing is sold',
  recovered: 'changes of the ledger are followed again',
}

/** How often the ledger is looked at for changes by other processes. */
const followIntervalMs = 200

/**
 * Opens the ledger of a directory, made if there is none, under its lock.
 * @throws Refusal `already-running` when another teller has it, `ledger-refused` or `ledger-corrupt` when it
 * cannot be opened.
 */
export function openTeller(
  options: TellerOptions & { readonly directory: string; readonly clock: () => number },
): Teller {
  const { directory, clock } = options
  const lock = lockDirectory(directory, clock)
  try {
    return new Teller(openEnvironment({ directory, clock, create: true }), lock, options)
  } catch (error) {
    lock.release()
    throw error
  }
}

function lockDirectory(directory: string, clock: () => number): Lock {
  try {
    return acquireLock(join(directory, 'serve.lock'), { clock })
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
    const reason = `the ledger in ${directory} could not be locked: ${error.message}`
    throw new Refusal('ledger-refused', reason)
  }
}

/** The teller of an open ledger; see `openTeller`. */
export class Teller {
  readonly environment: Environment
  /** The memory for `new Balances(shared)` in serving threads. */
  readonly shared: SharedBalances
  readonly balances: Balances
  readonly #lock: Lock
  readonly #options: TellerOptions
  readonly #session = randomUUID()
  readonly #timers: NodeJS.Timeout[] = []
  /** What is failing at the moment; the sale stops while there is anything. */
  readonly #failing = new Set<Task>()
  /** By slot: the credits that the live balance holds. Its length is the number of slots in use. */
  readonly #creditedMicroUsd: number[] = []
  /** By slot: the counters as of the last commit. */
  readonly #committed: Queries[] = []
  #batchNumber = 0
  #unwritten: Batch | undefined
  #accountChanges = -1
  #keyChanges = -1
  #keyTable: KeyTable = { version: 0, keys: [] }

  /** Reads the whole ledger. @throws Refusal `ledger-refused` when it cannot be read. */
  constructor(environment: Environment, lock: Lock, options: TellerOptions) {
    this.environment = environment
    this.shared = createSharedBalances()
    this.balances = new Balances(this.shared)
    this.#lock = lock
    this.#options = options
    this.#readChanges()
  }

  /** The newest key table, for a thread that starts later. */
  get keyTable(): KeyTable {
    return this.#keyTable
  }

  /** Commits every window and follows the ledger until `close`. */
  start(windowMs: number): void {
    this.#timers.push(setInterval(() => this.commit(), windowMs))
    this.#timers.push(setInterval(() => this.follow(), followIntervalMs))
  }

  /**
   * Charges what was recorded since the last commit. A batch that could not be written is sent
   * again as it was, under its name, before anything newer. Answers whether all is written.
   */
  commit(): boolean {
    return this.#attempt(recordingCharges, () => {
      if (!this.#lock.isHeld())
        throw new Refusal('already-running', 'another process took the lock')
      this.#unwritten ??= this.#collect()
      if (this.#unwritten === undefined) return
      chargeBatch(this.environment, this.#unwritten, this.#options.prices)
      this.#settle(this.#unwritten)
      this.#unwritten = undefined
    })
  }

  /** Takes over what other processes changed: new accounts, credits, keys. */
  follow(): boolean {
    return this.#attempt(followingChanges, () => this.#readChanges())
  }

  /**
   * Writes what is left, then lets go of the ledger and the lock.
   * @throws Refusal `ledger-refused` when the last charges could not be written; they are lost.
   */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    // The first commit may only repeat a batch that had failed; the second writes what came after.
    const isWritten = this.commit() && this.commit()
    try {
      await this.environment.close()
    } finally {
      this.#lock.release()
    }
    if (!isWritten) {
      throw new Refusal('ledger-refused', 'the last charges could not be written and are lost')
    }
  }

  #attempt(task: Task, work: () => void): boolean {
    try {
      work()
      if (this.#failing.delete(task)) this.#options.report(task.recovered)
    } catch (error) {
      if (!this.#failing.has(task)) this.#options.report(`${task.failed}: ${messageOf(error)}`)
      this.#failing.add(task)
    }
    this.balances.setUnavailable(this.#failing.size > 0)
    return !this.#failing.has(task)
  }

  #collect(): Batch | undefined {
    const charges: Charge[] = []
    for (let slot = 0; slot < this.#committed.length; slot++) {
      const queries = this.#unchargedQueries(slot)
      if (queries !== undefined) charges.push({ accountNumber: slot + 1, queries })
    }
    if (charges.length === 0) return undefined
    this.#batchNumber += 1
    return { session: this.#session, number: this.#batchNumber, charges }
  }

  /** Counters wrap at 2³²; the difference is right as long as one window holds fewer queries. */
  #unchargedQueries(slot: number): Queries | undefined {
    const committed = this.#committed[slot]!
    let any = false
    for (const route of routeNames) {
      any ||= this.balances.queriesRecorded(slot, route) !== committed[route]
    }
    if (!any) return undefined
    return queriesByRoute(
      (route) => (this.balances.queriesRecorded(slot, route) - committed[route]) >>> 0,
    )
  }

  #settle(batch: Batch): void {
    for (const { accountNumber, queries } of batch.charges) {
      const before = this.#committed[accountNumber - 1]!
      this.#committed[accountNumber - 1] = queriesByRoute(
        (route) => (before[route] + queries[route]) >>> 0,
      )
    }
  }

  /** Credits before keys, so that a key never comes before the money of its account. */
  #readChanges(): void {
    const changed = this.environment.read((tables) => {
      const accountChanges = tables.changes.get('accounts') ?? 0
      const keyChanges = tables.changes.get('keys') ?? 0
      return {
        accountChanges,
        keyChanges,
        accounts: accountChanges === this.#accountChanges ? [] : accounts(tables),
        keys:
          keyChanges === this.#keyChanges
            ? undefined
            : Array.from(tables.keys.getRange(), ({ value }) => value),
      }
    })
    for (const account of changed.accounts) this.#takeOver(account)
    this.#accountChanges = changed.accountChanges
    if (changed.keys !== undefined) this.#publishKeys(changed.keys)
    this.#keyChanges = changed.keyChanges
  }

  /**
   * Only this process charges, so what another one changed of a known account is its credits, and
   * their difference is what the live balance lacks.
   */
  #takeOver(account: Account): void {
    const slot = account.number - 1
    const known = this.#creditedMicroUsd[slot]
    if (known === undefined) {
      this.#committed[slot] = queriesByRoute((route) => this.balances.queriesRecorded(slot, route))
      this.balances.credit(slot, balanceOf(account))
    } else if (account.creditedMicroUsd !== known) {
      this.balances.credit(slot, account.creditedMicroUsd - known)
    }
    this.#creditedMicroUsd[slot] = account.creditedMicroUsd
  }

  #publishKeys(keys: readonly KeyRecord[]): void {
    const nowMs = this.environment.clock()
    this.#keyTable = {
      version: this.#keyTable.version + 1,
      keys: keys
        .filter((key) => stateOf(key, nowMs) === 'active')
        .map((key) => ({
          hash: key.hash,
          accountSlot: key.accountNumber - 1,
          keyId: key.id,
          expiresAtMs: key.expiresAtMs ?? Number.POSITIVE_INFINITY,
        })),
    }
    this.#options.onKeyTable(this.#keyTable)
    this.balances.setKeyTableVersion(this.#keyTable.version)
  }
}

function queriesByRoute(count: (route: RouteName) => number): Queries {
  return {
    search: count('search'),
    detail: count('detail'),
    peers: count('peers'),
    match: count('match'),
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
