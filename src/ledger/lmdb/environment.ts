/**
 * The ledger on the disk: one LMDB environment with its tables. Every write is one transaction that
 * is on the disk when it returns, or has changed nothing and throws; see `lmdb-file.ts`. Several
 * processes may have the ledger open.
 */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { RootDatabase } from 'lmdb'
import { Refusal } from '../../problems.ts'
import type { Topic } from '../account-records.ts'
import { LmdbFile } from '../disk/lmdb-file.ts'
import { checkPages } from '../disk/pages.ts'
import { otherLedgerAdvice } from '../form.ts'
import { type FileIdentity, fileName } from '../held-file.ts'
import type { RandomBytes } from '../key.ts'
import type { Tables } from './tables.ts'

/** Options for opening an environment. */
interface EnvironmentOptions {
  readonly directory: string
  /** Milliseconds since the epoch. */
  readonly clock: () => number
  readonly random?: RandomBytes
  /** Makes a new ledger when there is none; else that is a Refusal. */
  readonly create?: boolean
}

/** Name of the lock file, which LMDB keeps beside the ledger for the processes that have it open. */
export const lockFileName = `${fileName}-lock`

/**
 * Opens the ledger in a directory.
 * @throws Refusal `ledger-refused` when there is none and `create` is not set, or it cannot be
 * opened or has another form; `ledger-corrupt` when its file is none, or is damaged: everything in it is read.
 */
export function openEnvironment(options: EnvironmentOptions): Environment {
  const path = resolve(options.directory, fileName)
  const isNew = !existsSync(path)
  if (isNew && options.create !== true) {
    throw new Refusal('ledger-refused', `there is no ledger in ${options.directory}`)
  }
  const environment = new Environment(options, isNew)
  try {
    environment.checkPages()
  } catch (error) {
    void environment.close()
    throw error
  }
  return environment
}

/**
 * Opens the ledger, hands it to `use`, and closes it in any case; for one-time work.
 * @throws Refusal as `openEnvironment`, and any error of `use`.
 */
export async function withEnvironment<T>(
  options: EnvironmentOptions,
  use: (environment: Environment) => T | Promise<T>,
): Promise<T> {
  const environment = openEnvironment(options)
  try {
    return await use(environment)
  } finally {
    await environment.close()
  }
}

/** An open ledger; the functions of accounts, keys, charges and audit work on it. */
export class Environment {
  readonly directory: string
  readonly clock: () => number
  readonly random: RandomBytes
  readonly #file: LmdbFile<Tables>

  constructor(options: EnvironmentOptions, isNew: boolean) {
    this.directory = options.directory
    this.clock = options.clock
    this.random = options.random ?? randomBytes
    const path = join(options.directory, fileName)
    const name = `the ledger in ${options.directory}`
    const shape = { kind: 'a ledger', tablesMax: 32, openTables, extent: 'branches' } as const
    this.#file = new LmdbFile({ path, name, ...shape, otherFormAdvice: otherLedgerAdvice })
    if (isNew) this.#file.make()
    else this.#file.use('opened', () => {})
  }

  /**
   * Reads every page of the file, so that nothing in it can crash LMDB.
   * @throws Refusal `ledger-corrupt` when one is damaged.
   */
  checkPages(): void {
    this.read((tables) => {
      // The first read begins the transaction that keeps the pages from being used anew.
      tables.changes.get('accounts')
      checkPages(join(this.directory, fileName), 'all', 'a ledger')
    })
  }

  /**
   * Runs `change` in one durable transaction and counts it under `topic`, so that the service sees
   * it. An error of `change` undoes it. Waits for another process that is writing.
   * @throws Refusal `ledger-refused` when the disk refuses.
   */
  write<T>(topic: Topic, change: (tables: Tables) => T): T {
    return this.transact((tables) => {
      const result = change(tables)
      tables.changes.putSync(topic, (tables.changes.get(topic) ?? 0) + 1)
      return result
    })
  }

  /**
   * As `write`, for changes that no process has to follow.
   * @param growthBytes by how much the file may grow; absent for some hundred entries.
   * @throws Refusal `ledger-refused` when the disk refuses.
   */
  transact<T>(change: (tables: Tables) => T, growthBytes?: number): T {
    return this.#file.transact(change, growthBytes)
  }

  /**
   * Runs `look` on the newest state; everything it reads is of one moment.
   * @throws Refusal `ledger-refused` when the file cannot be read.
   */
  read<T>(look: (tables: Tables) => T): T {
    return this.#file.read(look)
  }

  /**
   * Copies one moment of the ledger to a new file, without its free pages, on a thread of its own.
   * @throws Refusal `ledger-refused` when the disk refuses.
   */
  async copyTo(path: string): Promise<void> {
    const copied = this.#file.use('copied', (_, root) => root.backup(path, true))
    await copied.catch((error: Error) => {
      const reason = `the ledger in ${this.directory} could not be copied: ${error.message}`
      throw new Refusal('ledger-refused', reason)
    })
  }

  /**
   * Forgets the readers of processes that have died; pages of the moment they read are kept from
   * being used anew until then. (Opening the ledger does so, too.)
   * @returns the number of readers forgotten.
   */
  forgetDeadReaders(): number {
    return this.#file.root?.readerCheck() ?? 0
  }

  /** The file that is open. */
  get file(): FileIdentity {
    return this.#file.identity
  }

  /**
   * Looks whether the file of this ledger still has its name, and has not been written over by another
   * program. Two calls of the system: some 10 µs where they come often, some 140 from rest.
   * @throws LostLedger where it has not; Refusal `ledger-refused` when the disk refuses.
   */
  refuseIfMoved(): void {
    this.#file.refuseIfMoved()
  }

  /** Number of changes under a topic, by any process. */
  changes(topic: Topic): number {
    return this.read((tables) => tables.changes.get(topic) ?? 0)
  }

  /** Closes the files. Nothing is left to write: every write was durable when it returned. */
  close(): Promise<void> {
    return this.#file.close()
  }
}

function openTables(root: RootDatabase): Tables {
  return {
    accounts: root.openDB('accounts', {}),
    names: root.openDB('names', {}),
    keys: root.openDB('keys', {}),
    keySecrets: root.openDB('keySecrets', {}),
    journal: root.openDB('journal', {}),
    references: root.openDB('references', {}),
    usage: root.openDB('usage', {}),
    keyUsage: root.openDB('keyUsage', {}),
    spending: root.openDB('spending', {}),
    changes: root.openDB('changes', {}),
    batches: root.openDB('batches', {}),
    secrets: root.openDB('secrets', {}),
    trail: root.openDB('trail', {}),
    heads: root.openDB('heads', {}),
    adminKeys: root.openDB('admin-keys', {}),
    made: root.openDB('made', {}),
    once: root.openDB('once', {}),
  }
}
