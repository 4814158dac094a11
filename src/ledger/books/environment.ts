/**
 * The ledger on the disk: one LMDB environment with its tables. Every write is one transaction that
 * is on the disk when it returns (pages, fdatasync, then the meta page through an O_DSYNC file
 * descriptor), or has changed nothing and throws. Several processes may have the ledger open.
 */
import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { open, type RootDatabase } from 'lmdb'
import { Refusal } from '../../problems.ts'
import type { RandomBytes } from '../key.ts'
import type { Tables, Topic } from './tables.ts'

/** What `openEnvironment` works with. */
export interface EnvironmentOptions {
  readonly directory: string
  /** Milliseconds since the epoch. */
  readonly clock: () => number
  readonly random?: RandomBytes
  /** Makes a new ledger when there is none; else that is a Refusal. */
  readonly create?: boolean
}

interface Handles {
  readonly root: RootDatabase
  readonly tables: Tables
}

const fileName = 'ledger.mdb'

/**
 * Opens the ledger in a directory.
 * @throws Refusal `ledger-refused` when there is none and `create` is not set, or it cannot be
 * opened; `ledger-corrupt` when the file is not one of LMDB.
 */
export function openEnvironment(options: EnvironmentOptions): Environment {
  const path = resolve(options.directory, fileName)
  const isNew = !existsSync(path)
  if (isNew && options.create !== true) {
    throw new Refusal('ledger-refused', `there is no ledger in ${options.directory}`)
  }
  return new Environment(options, isNew)
}

/**
 * Opens the ledger, hands it to `use`, and closes it whatever happens; for one-time work.
 * @throws Refusal as `openEnvironment`, and whatever `use` throws.
 */
export async function withEnvironment<T>(
  options: EnvironmentOptions,
  use: (environment: Environment) => T,
): Promise<T> {
  const environment = openEnvironment(options)
  try {
    return use(environment)
  } finally {
    await environment.close()
  }
}

/** An open ledger; the functions of accounts, keys, charges and audit work on it. */
export class Environment {
  readonly directory: string
  readonly clock: () => number
  readonly random: RandomBytes
  #handles: Handles | undefined

  constructor(options: EnvironmentOptions, isNew: boolean) {
    this.directory = options.directory
    this.clock = options.clock
    this.random = options.random ?? randomBytes
    this.#guard('opened', () => {
      if (isNew) syncDirectories(options.directory)
    })
  }

  /**
   * Runs `change` in one durable transaction and counts it under `topic`, so that the service sees
   * it. What `change` throws undoes it; another process that is writing is waited for.
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
   * As `write`, for changes that nobody has to follow.
   * @throws Refusal `ledger-refused` when the disk refuses.
   */
  transact<T>(change: (tables: Tables) => T): T {
    return this.#guard('written', ({ root, tables }) => root.transactionSync(() => change(tables)))
  }

  /**
   * Runs `look` on the newest state; everything it reads is of one moment.
   * @throws Refusal `ledger-refused` when the file cannot be read.
   */
  read<T>(look: (tables: Tables) => T): T {
    return this.#guard('read', ({ root, tables }) => {
      root.resetReadTxn()
      return look(tables)
    })
  }

  /** How many changes there have been under a topic, by any process. */
  changes(topic: Topic): number {
    return this.read((tables) => tables.changes.get(topic) ?? 0)
  }

  /** Closes the files. Nothing is left to write: every write was durable when it returned. */
  async close(): Promise<void> {
    await this.#handles?.root.close()
    this.#handles = undefined
  }

  /**
   * LMDB refuses every further transaction of an environment whose meta page could not be written,
   * so after any failure of the disk the environment is closed and the next call opens it anew.
   */
  #guard<T>(what: string, work: (handles: Handles) => T): T {
    try {
      this.#handles ??= openHandles(this.directory)
      return work(this.#handles)
    } catch (error) {
      if (!isStorageError(error)) throw error
      void this.#handles?.root.close()
      this.#handles = undefined
      const reason = `the ledger in ${this.directory} could not be ${what}: ${error.message}`
      throw new Refusal('ledger-refused', reason)
    }
  }
}

/**
 * `overlappingSync` is off: it lets a commit be seen before it is on the disk. The map grows by
 * itself. Only the owner can read the file (an option that is missing in the types of lmdb).
 */
function openHandles(directory: string): Handles {
  const path = join(directory, fileName)
  mkdirSync(directory, { recursive: true })
  refuseUnlessLedger(path)
  const options = { path, overlappingSync: false, permissionsMode: 0o600, maxDbs: 16 }
  const root = open(options)
  const tables: Tables = {
    accounts: root.openDB('accounts', {}),
    names: root.openDB('names', {}),
    keys: root.openDB('keys', {}),
    journal: root.openDB('journal', {}),
    references: root.openDB('references', {}),
    usage: root.openDB('usage', {}),
    changes: root.openDB('changes', {}),
    batches: root.openDB('batches', {}),
  }
  return { root, tables }
}

/**
 * Looks for the magic number of LMDB's first meta page, because LMDB crashes the process when it
 * opens a file of another kind. A file that is absent or empty becomes a new ledger.
 * @throws Refusal `ledger-corrupt` naming the file.
 */
function refuseUnlessLedger(path: string): void {
  if (!existsSync(path)) return
  const head = new Uint32Array(7)
  const descriptor = openSync(path, 'r')
  try {
    const isEmpty = readSync(descriptor, head, 0, head.byteLength, 0) === 0
    if (isEmpty || head[6] === 0xbeefc0de) return
  } finally {
    closeSync(descriptor)
  }
  throw new Refusal('ledger-corrupt', `${path} is not a ledger`)
}

/** Makes the new file and the directories above it durable; LMDB syncs only what is in the file. */
function syncDirectories(directory: string): void {
  let path = resolve(directory)
  for (;;) {
    const descriptor = openSync(path, 'r')
    fsyncSync(descriptor)
    closeSync(descriptor)
    if (path === dirname(path)) return
    path = dirname(path)
  }
}

/** LMDB's errors carry its number, or that of the system, as `code`; those of Node name the call. */
function isStorageError(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  return 'syscall' in error || ('code' in error && typeof error.code === 'number')
}
