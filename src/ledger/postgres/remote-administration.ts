/**
 * The administration of a ledger in a database, as commands use it. Services are notified of the changes
 * that they need.
 */
import { randomBytes } from 'node:crypto'
import type { Administration, Compacted, IssuedKey, KeyOrder, Rotation } from '../administration.ts'
import { type Adjustment, adjustmentOrder, topUpOrder } from '../checked-orders.ts'
import {
  creditOnce,
  insertAccount,
  selectAccount,
  selectAccounts,
  setSuspended,
} from './account-rows.ts'
import { removeClosed } from './closed-sessions.ts'
import { Database, ofCommands, type RunStatement } from './database.ts'
import { foldCharges } from './folding.ts'
import { databaseMs, insertKey, revoke, rotate, selectKeys, withdraw } from './key-rows.ts'
import { migrate } from './migrations.ts'
import { tell } from './notice.ts'
import { prove } from './proof.ts'
import { selectStatement } from './statement-rows.ts'

/** One read sees one state of the database. */
const ofOneMoment = 'begin isolation level repeatable read read only'

/**
 * Opens the ledger of a database, whose tables are made if there are none.
 * @param clock of this machine, by which orders say when keys end; milliseconds since the epoch.
 * @throws Refusal `ledger-refused` when the database cannot be used.
 */
export async function openRemoteAdministration(
  uri: string,
  clock: () => number,
): Promise<Administration> {
  const database = new Database(uri, ofCommands)
  try {
    await migrate(database)
  } catch (error) {
    await database.close()
    throw error
  }
  return new RemoteAdministration(database, clock)
}

class RemoteAdministration implements Administration {
  readonly #database: Database
  readonly #clock: () => number

  constructor(database: Database, clock: () => number) {
    this.#database = database
    this.#clock = clock
  }

  get place(): string {
    return this.#database.place
  }

  createAccount = (name: string) => this.#change((query) => insertAccount(query, name))
  accounts = () => this.#read(selectAccounts)
  accountNamed = (name: string) => this.#read((query) => selectAccount(query, name))
  topUp = async (name: string, amountMicroUsd: number, reference: string) =>
    this.#told(creditOnce(this.#database, name, topUpOrder(amountMicroUsd, reference)))
  adjust = async (name: string, adjustment: Adjustment) =>
    this.#told(creditOnce(this.#database, name, adjustmentOrder(adjustment)))
  suspend = (name: string) => this.#change((query) => setSuspended(query, name, true))
  resume = (name: string) => this.#change((query) => setSuspended(query, name, false))
  statementOf = (name: string) => this.#read((query) => selectStatement(query, name))
  issueKey = (order: KeyOrder) =>
    this.#change(async (query) => {
      const expiresAtMs = order.expiresAtMs && (await this.#databaseTime(query, order.expiresAtMs))
      return insertKey(query, { ...order, expiresAtMs }, randomBytes)
    })
  listKeys = () => this.#read(selectKeys)
  revokeKey = (id: string) => this.#change((query) => revoke(query, id))
  rotateKey = (id: string, overlapMs: number) =>
    this.#change((query) => rotate(query, id, overlapMs, randomBytes))
  withdrawKey = (issued: IssuedKey | Rotation) => this.#change((query) => withdraw(query, issued))
  audit = () => this.#read(prove)
  close = () => this.#database.close()

  async compact(agoMs: number): Promise<Compacted> {
    const nowMs = await this.#read(databaseMs)
    const rows = await foldCharges(this.#database, nowMs - agoMs)
    let sessions = 0
    let removed: number
    do {
      removed = await removeClosed(this.#database, agoMs)
      sessions += removed
    } while (removed > 0)
    return { rows, sessions }
  }

  /** A time of this machine's clock as one of the database's, by which keys expire. */
  async #databaseTime(query: RunStatement, timeMs: number): Promise<number> {
    return (await databaseMs(query)) + timeMs - this.#clock()
  }

  #read<T>(look: (query: RunStatement) => Promise<T>): Promise<T> {
    return this.#database.transaction(look, ofOneMoment)
  }

  #change<T>(change: (query: RunStatement) => Promise<T>): Promise<T> {
    return this.#told(this.#database.transaction(change))
  }

  async #told<T>(done: Promise<T>): Promise<T> {
    const result = await done
    await tell(this.#database)
    return result
  }
}
