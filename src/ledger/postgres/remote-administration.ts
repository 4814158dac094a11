/**
 * The books in a database, for changes. Services are notified of those that they need.
 */
import { randomBytes } from 'node:crypto'
import { type Act, acts } from '../acts.ts'
import { shownAdminKey } from '../admin-keys.ts'
import type {
  Books,
  Compacted,
  Credited,
  KeyChange,
  KeyOrder,
  UsageRange,
} from '../administration.ts'
import { adjustmentOrder, type Referenced, topUpOrder } from '../checks/checked-orders.ts'
import type { RunStatement, Sql } from '../sql/port.ts'
import { damagesIn } from '../sql/sqlite/copies.ts'
import { SqliteFile } from '../sql/sqlite/driver.ts'
import type { Cause } from '../trail/cause.ts'
import {
  creditOnce,
  type Held,
  insertAccount,
  selectAccount,
  selectAccounts,
  setSuspended,
} from './account-rows.ts'
import { Database, ofCommands } from './database.ts'
import { insertNoteOnce, redeemOnce } from './grants/once-rows.ts'
import {
  countKeys,
  databaseMs,
  insertKey,
  renew,
  revoke,
  rotate,
  selectKeys,
  selectListedKey,
  updateKey,
  withdraw,
} from './key-rows.ts'
import { prove } from './proof.ts'
import { makeTables } from './schema.ts'
import { selectStatement } from './statement-rows.ts'
import {
  insertAdminKey,
  revokeAdmin,
  selectAdminKeys,
  selectGoodAdminKey,
} from './trail/admin-key-rows.ts'
import { insertMade, insertNote, recordedIn, selectEntries } from './trail/recording-rows.ts'
import { removeClosed } from './upkeep/closed-sessions.ts'
import { foldCharges } from './upkeep/folding.ts'
import { selectNodes } from './upkeep/nodes.ts'
import { selectKeyUsage } from './usage/usage-rows.ts'

/**
 * Opens the ledger of a database, whose tables are made if there are none.
 * @param clock of this machine, by which orders say when keys end; milliseconds since the epoch.
 * @throws Refusal `ledger-refused` when the database cannot be used.
 */
export function openRemoteAdministration(uri: string, clock: () => number, cause: Cause) {
  return opened(new Database(uri, ofCommands), clock, cause)
}

/** Opens the ledger of a file. @throws Refusal `ledger-refused` when it cannot be used. */
export function openFileAdministration(path: string, clock: () => number, cause: Cause) {
  const sql = new SqliteFile({ path, isService: false, clock })
  return opened(sql, clock, cause, async (query) => {
    const damages = await damagesIn(query)
    const found = await prove(query)
    return { ...found, contradictions: [...damages, ...found.contradictions] }
  })
}

type Prove = typeof prove

async function opened(
  sql: Sql,
  clock: () => number,
  cause: Cause,
  proveAll: Prove = prove,
): Promise<Books> {
  try {
    await makeTables(sql)
  } catch (error) {
    await sql.close()
    throw error
  }
  return new SqlBooks(sql, clock, cause, proveAll)
}

/** The books of a database, or of a file. */
class SqlBooks implements Books {
  readonly #sql: Sql
  readonly #clock: () => number
  readonly #cause: Cause
  readonly #prove: Prove

  /** @param proveAll proves all that the ledger holds. */
  constructor(sql: Sql, clock: () => number, cause: Cause, proveAll: Prove) {
    this.#prove = proveAll
    this.#sql = sql
    this.#clock = clock
    this.#cause = cause
  }

  get place(): string {
    return this.#sql.place
  }

  by = (cause: Cause) => new SqlBooks(this.#sql, this.#clock, cause, this.#prove)
  createAccount = (...order: Parameters<Books['createAccount']>) =>
    this.#change(acts.createAccount(...order), (query) => insertAccount(query, ...order))
  accounts = () => this.#read((query) => selectAccounts(query))
  accountNamed = (name: string) => this.#read((query) => selectAccount(query, name))
  topUp = (name: string, amountMicroUsd: number, reference: string) => {
    const order = topUpOrder(amountMicroUsd, reference)
    return this.#credit(name, order, acts.topUp(name, amountMicroUsd, order.reference))
  }
  adjust = async (...[name, adjustment]: Parameters<Books['adjust']>) =>
    this.#credit(name, adjustmentOrder(adjustment), acts.adjust(name, adjustment))
  suspend = (name: string) =>
    this.#change(acts.suspend(name), (query) => setSuspended(query, name, true))
  resume = (name: string) =>
    this.#change(acts.resume(name), (query) => setSuspended(query, name, false))
  statementOf = (name: string) => this.#read((query) => selectStatement(query, name))
  usageOf = (name: string, range: UsageRange) =>
    this.#read(async (query) =>
      selectKeyUsage(query, (await selectAccount(query, name)).number, range),
    )
  issueKey = (order: KeyOrder) =>
    this.#change(acts.issueKey(order), async (query) => {
      const expiresAtMs = await this.#databaseTime(query, order.expiresAtMs)
      return insertKey(query, { ...order, expiresAtMs }, randomBytes)
    })
  setKey = (id: string, change: KeyChange) =>
    this.#change(acts.setKey(id, change), async (query) => {
      const { expiresAtMs } = change
      if (expiresAtMs === undefined) return updateKey(query, id, change)
      const databaseMs = await this.#databaseTime(query, expiresAtMs)
      return updateKey(query, id, { ...change, expiresAtMs: databaseMs })
    })
  listKeys = () => this.#read(selectKeys)
  keyWith = (id: string) =>
    this.#read(async (query) => selectListedKey(query, id, await databaseMs(query)))
  countKeys = (...order: Parameters<Books['countKeys']>) =>
    this.#read((query) => countKeys(query, ...order))
  revokeKey = (id: string) => this.#change(acts.revokeKey(id), (query) => revoke(query, id))
  rotateKey = (id: string, overlapMs: number) =>
    this.#change(acts.rotateKey(id, overlapMs), (query) =>
      rotate(query, id, overlapMs, randomBytes),
    )
  renewKey = (...[id, hash, expiresAtMs]: Parameters<Books['renewKey']>) =>
    this.#change(acts.renewKey(id, hash, expiresAtMs), async (query) =>
      renew(query, id, hash, (await this.#databaseTime(query, expiresAtMs))!, randomBytes),
    )
  keepNote = (...[note]: Parameters<Books['keepNote']>) =>
    this.#sql.transaction((query) => insertNoteOnce(query, note))
  redeemNote = (...[id, orderOf]: Parameters<Books['redeemNote']>) =>
    this.#change(acts.redeemNote(), (query) =>
      redeemOnce(query, id, orderOf, async (order) => {
        const expiresAtMs = await this.#databaseTime(query, order.expiresAtMs)
        return insertKey(query, { ...order, expiresAtMs }, randomBytes)
      }),
    )
  withdrawKey = (...[issued]: Parameters<Books['withdrawKey']>) =>
    this.#change(acts.withdrawKey(issued), (query) => withdraw(query, issued))
  nodes = () => this.#read(selectNodes)
  audit = () => this.#sql.snapshot(this.#prove, true)
  trail = (...[page]: Parameters<Books['trail']>) =>
    this.#read((query) => selectEntries(query, page))
  issueAdminKey = (...[order]: Parameters<Books['issueAdminKey']>) =>
    this.#change(acts.issueAdminKey(order), async (query) => {
      const expiresAtMs = await this.#databaseTime(query, order.expiresAtMs)
      return insertAdminKey(query, { ...order, expiresAtMs }, randomBytes)
    })
  listAdminKeys = async () => (await this.#read(selectAdminKeys)).map(shownAdminKey)
  revokeAdminKey = (id: string) =>
    this.#change(acts.revokeAdminKey(id), (query) => revokeAdmin(query, id))
  adminKeyWith = (hash: string) => this.#read((query) => selectGoodAdminKey(query, hash))
  note = (...[what]: Parameters<Books['note']>) =>
    this.#sql.transaction((query) => insertNote(query, this.#cause, what))
  noteMade = (result: unknown) =>
    this.#sql.transaction((query) => insertMade(query, this.#cause, result))
  close = () => this.#sql.close()

  async compact(agoMs: number): Promise<Compacted> {
    const nowMs = await this.#read(databaseMs)
    const rows = await foldCharges(this.#sql, nowMs - agoMs)
    let sessions = 0
    let removed: number
    do {
      removed = await removeClosed(this.#sql, agoMs)
      sessions += removed
    } while (removed > 0)
    return { rows, sessions }
  }

  /** A time of this machine's clock as one of the database's, by which keys expire; null stays null. */
  async #databaseTime(query: RunStatement, timeMs: number | null): Promise<number | null> {
    return timeMs && (await databaseMs(query)) + timeMs - this.#clock()
  }

  #read<T>(look: (query: RunStatement) => Promise<T>): Promise<T> {
    return this.#sql.snapshot(look)
  }

  #change<T>(act: Act<T>, change: (query: RunStatement) => Promise<T>): Promise<T> {
    const done = this.#sql.transaction((query) =>
      recordedIn(query, this.#cause, act, () => change(query)),
    )
    return this.#told(done)
  }

  #credit(name: string, order: Referenced, act: Act<Credited>): Promise<Credited> {
    const isDone = (result: Credited | Held): result is Credited => 'credited' in result
    return this.#told(
      creditOnce(this.#sql, name, order, (query, work) =>
        recordedIn<Credited | Held, Credited>(query, this.#cause, act, work, isDone),
      ),
    )
  }

  async #told<T>(done: Promise<T>): Promise<T> {
    const result = await done
    await this.#sql.tell?.()
    return result
  }
}
