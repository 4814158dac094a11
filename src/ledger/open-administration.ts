/**
 * Opens a ledger for commands: the one in a directory, or the one in a database, whose library is
 * loaded for that and by nothing else.
 */
import type { Administration, LedgerPlace } from './administration.ts'
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
import { compact } from './lmdb/compaction.ts'
import { type Environment, openEnvironment } from './lmdb/environment.ts'
import { issueKey, listKeys, revokeKey, rotateKey, withdrawKey } from './lmdb/keys.ts'
import { statementOf } from './lmdb/statement.ts'

/** How a ledger is opened. */
export interface AdministrationOptions extends LedgerPlace {
  /** Milliseconds since the epoch. */
  readonly clock: () => number
  /** Makes a new ledger in a directory that has none; else that is a Refusal. */
  readonly create?: boolean
}

/**
 * Opens the ledger, hands it to `use`, and closes it in any case.
 * @throws Refusal `ledger-refused`, `ledger-corrupt`, and any error of `use`.
 */
export async function withAdministration<T>(
  options: AdministrationOptions,
  use: (books: Administration) => Promise<T>,
): Promise<T> {
  const books = await openAdministration(options)
  try {
    return await use(books)
  } finally {
    await books.close()
  }
}

async function openAdministration(options: AdministrationOptions): Promise<Administration> {
  const { data: directory, ledger, ...rest } = options
  if (ledger === null) {
    await refuseUnlessHeld(directory)
    return new LocalAdministration(openEnvironment({ directory, ...rest }))
  }
  const { openRemoteAdministration } = await import('./postgres/remote-administration.ts')
  return openRemoteAdministration(ledger, rest.clock)
}

/** The ledger in a directory; services may run on it meanwhile. */
class LocalAdministration implements Administration {
  readonly #environment: Environment

  constructor(environment: Environment) {
    this.#environment = environment
  }

  get place(): string {
    return this.#environment.directory
  }

  createAccount = async (name: string) => createAccount(this.#environment, name)
  accounts = async () => this.#environment.read(accounts)
  accountNamed = async (name: string) =>
    this.#environment.read((tables) => accountNamed(tables, name))
  topUp = async (name: string, amountMicroUsd: number, reference: string) =>
    topUp(this.#environment, name, amountMicroUsd, reference)
  adjust = async (...[name, adjustment]: Parameters<Administration['adjust']>) =>
    adjust(this.#environment, name, adjustment)
  suspend = async (name: string) => suspend(this.#environment, name)
  resume = async (name: string) => resume(this.#environment, name)
  statementOf = async (name: string) => statementOf(this.#environment, name)
  issueKey = async (...[order]: Parameters<Administration['issueKey']>) =>
    issueKey(this.#environment, order)
  listKeys = async () => listKeys(this.#environment)
  revokeKey = async (id: string) => revokeKey(this.#environment, id)
  rotateKey = async (id: string, overlapMs: number) => rotateKey(this.#environment, id, overlapMs)
  withdrawKey = async (...[issued]: Parameters<Administration['withdrawKey']>) =>
    withdrawKey(this.#environment, issued)
  audit = async () => audit(this.#environment)
  compact = async (agoMs: number) => {
    const beforeMs = this.#environment.clock() - agoMs
    return { rows: await compact(this.#environment, beforeMs), sessions: 0 }
  }
  close = () => this.#environment.close()
}
