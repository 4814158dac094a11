/**
 * Opens a ledger for changes: the one in a directory, or the one in a database, whose library is
 * loaded for that and by nothing else.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Act, acts } from './acts.ts'
import { shownAdminKey } from './admin-keys.ts'
import type { Books, LedgerPlace, UsageRange } from './administration.ts'
import { refuseUnlessHeld } from './held-file.ts'
import {
  accountNamed,
  accounts,
  adjust,
  createAccount,
  resume,
  suspend,
  topUp,
} from './lmdb/accounts.ts'
import { audit } from './lmdb/audit.ts'
import { keyUsageOf } from './lmdb/by-key/key-usage.ts'
import { compact } from './lmdb/compaction.ts'
import { type Environment, openEnvironment } from './lmdb/environment.ts'
import { keepNote, redeemNote } from './lmdb/grants/once.ts'
import {
  issueKey,
  listKeys,
  renewKey,
  revokeKey,
  rotateKey,
  setKey,
  withdrawKey,
} from './lmdb/keys.ts'
import {
  adminKeyRecords,
  endAdminKey,
  goodAdminKey,
  putNewAdminKey,
} from './lmdb/trail/admin-keys.ts'
import { entriesOf, noteEntry, noteMadeOf, recorded } from './lmdb/trail/recording.ts'
import { statementOf } from './lmdb/views/statement.ts'
import { sqliteFileName } from './sql/sqlite/driver.ts'
import type { Cause } from './trail/cause.ts'

/** Options for opening a ledger. */
export interface AdministrationOptions extends LedgerPlace {
  /** Milliseconds since the epoch. */
  readonly clock: () => number
  /** Makes a new ledger in a directory that has none; else that is a Refusal. */
  readonly create?: boolean
  /** Author of changes in the audit log; an unnamed program if it is absent. */
  readonly cause?: Cause
}

const unnamed: Cause = { name: 'unnamed program', from: 'this computer' }

/**
 * Opens the ledger, hands it to `use`, and closes it in any case.
 * @throws Refusal `ledger-refused`, `ledger-corrupt`, and any error of `use`.
 */
export async function withAdministration<T>(
  options: AdministrationOptions,
  use: (books: Books) => Promise<T>,
): Promise<T> {
  const books = await openBooks(options)
  try {
    return await use(books)
  } finally {
    await books.close()
  }
}

/** Opens the ledger until it is closed. @throws Refusal `ledger-refused`, `ledger-corrupt`. */
export async function openBooks(options: AdministrationOptions): Promise<Books> {
  const { data: directory, ledger, cause = unnamed, ...rest } = options
  const path = join(directory, sqliteFileName)
  if (ledger === null && existsSync(path)) {
    await refuseUnlessHeld(directory, sqliteFileName)
    const { openFileAdministration } = await import('./postgres/remote-administration.ts')
    return openFileAdministration(path, rest.clock, cause)
  }
  if (ledger === null) {
    await refuseUnlessHeld(directory)
    return new LocalBooks(openEnvironment({ directory, ...rest }), cause)
  }
  const { openRemoteAdministration } = await import('./postgres/remote-administration.ts')
  return openRemoteAdministration(ledger, rest.clock, cause)
}

/** The ledger in a directory; services may run on it meanwhile. */
class LocalBooks implements Books {
  readonly #environment: Environment
  readonly #cause: Cause

  constructor(environment: Environment, cause: Cause) {
    this.#environment = environment
    this.#cause = cause
  }

  get place(): string {
    return this.#environment.directory
  }

  by = (cause: Cause) => new LocalBooks(this.#environment, cause)
  createAccount = async (...order: Parameters<Books['createAccount']>) =>
    this.#recorded(acts.createAccount(...order), () => createAccount(this.#environment, ...order))
  accounts = async () => this.#environment.read(accounts)
  accountNamed = async (name: string) =>
    this.#environment.read((tables) => accountNamed(tables, name))
  topUp = async (...order: Parameters<Books['topUp']>) =>
    this.#recorded(acts.topUp(...order), () => topUp(this.#environment, ...order))
  adjust = async (...order: Parameters<Books['adjust']>) =>
    this.#recorded(acts.adjust(...order), () => adjust(this.#environment, ...order))
  suspend = async (name: string) =>
    this.#recorded(acts.suspend(name), () => suspend(this.#environment, name))
  resume = async (name: string) =>
    this.#recorded(acts.resume(name), () => resume(this.#environment, name))
  statementOf = async (name: string) => statementOf(this.#environment, name)
  usageOf = async (name: string, range: UsageRange) =>
    this.#environment.read((tables) => keyUsageOf(tables, accountNamed(tables, name).number, range))
  issueKey = async (...[order]: Parameters<Books['issueKey']>) =>
    this.#recorded(acts.issueKey(order), () => issueKey(this.#environment, order))
  setKey = async (...order: Parameters<Books['setKey']>) =>
    this.#recorded(acts.setKey(...order), () => setKey(this.#environment, ...order))
  listKeys = async () => listKeys(this.#environment)
  keyWith = async (id: string) => (await this.listKeys()).find((key) => key.id === id)
  countKeys = async (...[account, labelPrefix, sinceMs]: Parameters<Books['countKeys']>) => {
    const keys = (await this.listKeys()).filter(
      (key) => key.account === account && key.createdAtMs > sinceMs,
    )
    return keys.filter(({ label }) => label?.startsWith(labelPrefix)).length
  }
  revokeKey = async (id: string) =>
    this.#recorded(acts.revokeKey(id), () => revokeKey(this.#environment, id))
  rotateKey = async (...order: Parameters<Books['rotateKey']>) =>
    this.#recorded(acts.rotateKey(...order), () => rotateKey(this.#environment, ...order))
  renewKey = async (...order: Parameters<Books['renewKey']>) =>
    this.#recorded(acts.renewKey(...order), () => renewKey(this.#environment, ...order))
  keepNote = async (...[note]: Parameters<Books['keepNote']>) => keepNote(this.#environment, note)
  redeemNote = async (...order: Parameters<Books['redeemNote']>) =>
    this.#recorded(acts.redeemNote(), () => redeemNote(this.#environment, ...order))
  withdrawKey = async (...[issued]: Parameters<Books['withdrawKey']>) =>
    this.#recorded(acts.withdrawKey(issued), () => withdrawKey(this.#environment, issued))
  nodes = async () => []
  audit = async () => audit(this.#environment)
  compact = async (agoMs: number) => {
    const beforeMs = this.#environment.clock() - agoMs
    return { rows: await compact(this.#environment, beforeMs), sessions: 0 }
  }
  trail = async (...[page]: Parameters<Books['trail']>) =>
    this.#environment.read((tables) => entriesOf(tables, page))
  issueAdminKey = async (...[order]: Parameters<Books['issueAdminKey']>) =>
    this.#recorded(acts.issueAdminKey(order), () => putNewAdminKey(this.#environment, order))
  listAdminKeys = async () =>
    this.#environment.read((tables) => adminKeyRecords(tables).map(shownAdminKey))
  revokeAdminKey = async (id: string) =>
    this.#recorded(acts.revokeAdminKey(id), () => endAdminKey(this.#environment, id))
  adminKeyWith = async (hash: string) =>
    this.#environment.read((tables) => goodAdminKey(tables, hash, this.#environment.clock()))
  note = async (...[what]: Parameters<Books['note']>) =>
    noteEntry(this.#environment, this.#cause, what)
  noteMade = async (result: unknown) => noteMadeOf(this.#environment, this.#cause, result)
  close = () => this.#environment.close()

  #recorded<T>(act: Act<T>, work: () => T): T {
    return recorded(this.#environment, this.#cause, act, work)
  }
}
