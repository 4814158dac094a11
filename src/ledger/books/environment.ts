/**
 * The ledger on the disk: one LMDB environment with its tables. Every write is one transaction that
 * is on the disk when it returns (pages, fdatasync, then the meta page through an O_DSYNC file
 * descriptor), or has changed nothing and throws. Several processes may have the ledger open.
 */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { open, type RootDatabase } from 'lmdb'
import { Refusal } from '../../problems.ts'
import { makePrivateDirectory, privateFileMode } from '../../process/private-directory.ts'
import { syncFile } from '../../process/sync-file.ts'
import { chainLedger, digestedKeys, type Without } from '../chain/chaining.ts'
import { checkPages, newestTransaction } from '../disk/pages.ts'
import { endIfMemoryIsDamaged, refuseWithoutRoom } from '../disk/room.ts'
import { type FileIdentity, fileName, isSameFile, LostLedger, lookAtFile } from '../held-file.ts'
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

/** What LMDB keeps beside the ledger for those who have it open. */
export const lockFileName = `${fileName}-lock`

/**
 * Opens the ledger in a directory.
 * @throws Refusal `ledger-refused` when there is none and `create` is not set, or it cannot be
 * opened; `ledger-corrupt` when its file is none, or is damaged: everything in it is read.
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
    environment.chain('new')
  } catch (error) {
    void environment.close()
    throw error
  }
  return environment
}

/**
 * Opens the ledger, hands it to `use`, and closes it whatever happens; for one-time work.
 * @throws Refusal as `openEnvironment`, and whatever `use` throws.
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
  #handles: Handles | undefined
  /** Only while a new ledger is made: one that has gone is not made again, empty. */
  #mayCreate: boolean
  /** The file that was opened first: no other one is ever opened in its place. */
  #file: (FileIdentity & { readonly bytes: number }) | undefined
  #transaction = 0

  constructor(options: EnvironmentOptions, isNew: boolean) {
    this.directory = options.directory
    this.clock = options.clock
    this.random = options.random ?? randomBytes
    this.#mayCreate = isNew
    this.#guard('opened', () => {
      if (isNew) syncDirectories(options.directory)
    })
    this.#mayCreate = false
  }

  /**
   * Reads every page of the file, so that nothing in it can crash LMDB.
   * @throws Refusal `ledger-corrupt` when one is damaged.
   */
  checkPages(): void {
    this.read((tables) => {
      // The first read begins the transaction that keeps the pages from being used anew.
      tables.changes.get('accounts')
      checkPages(join(this.directory, fileName), 'all')
    })
  }

  /**
   * Gives digests to what an earlier version wrote.
   * @throws Refusal `ledger-refused` when the disk refuses.
   */
  chain(without: Without): void {
    try {
      this.read((tables) => chainLedger(tables, (change) => this.transact(change), without))
    } catch (error) {
      // The audit reports an entry that cannot be read.
      if (error instanceof Refusal || isStorageError(error)) throw error
    }
  }

  /**
   * Runs `change` in one durable transaction and counts it under `topic`, so that the service sees
   * it. What `change` throws undoes it; another process that is writing is waited for.
   * @throws Refusal `ledger-refused` when the disk refuses.
   */
  write<T>(topic: Topic, change: (tables: Tables) => T): T {
    return this.transact((tables) => {
      const result = change(tables)
      const count = (tables.changes.get(topic) ?? 0) + 1
      // An earlier version counts a change of keys and gives it no digest.
      const digested = tables.changes.get(digestedKeys) ?? count - 1
      if (topic === 'keys' && digested === count - 1) tables.changes.putSync(digestedKeys, count)
      tables.changes.putSync(topic, count)
      return result
    })
  }

  /**
   * As `write`, for changes that nobody has to follow.
   * @throws Refusal `ledger-refused` when the disk refuses.
   */
  transact<T>(change: (tables: Tables) => T): T {
    return this.#guard('written', ({ root, tables }) => {
      refuseWithoutRoom(this.directory, `the ledger in ${this.directory}`)
      return root.transactionSync(() => change(tables))
    })
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

  /**
   * Copies one moment of the ledger to a new file, without its free pages, on a thread of its own.
   * @throws Refusal `ledger-refused` when the disk refuses.
   */
  async copyTo(path: string): Promise<void> {
    const copied = this.#guard('copied', ({ root }) => root.backup(path, true))
    await copied.catch((error: Error) => {
      const reason = `the ledger in ${this.directory} could not be copied: ${error.message}`
      throw new Refusal('ledger-refused', reason)
    })
  }

  /**
   * Forgets the readers of processes that have died; pages of the moment they read are kept from
   * being used anew until then. (Opening the ledger does so, too.)
   * @returns how many there were.
   */
  forgetDeadReaders(): number {
    return this.#handles?.root.readerCheck() ?? 0
  }

  /** The file that is open. */
  get file(): FileIdentity {
    return this.#file!
  }

  /**
   * Looks whether the file of this ledger still has its name, and has not been written over by another
   * program. Where it has not, it is closed, so that it is read anew when it is back. Some 20 µs.
   * @throws LostLedger where it has not; Refusal `ledger-refused` when the disk refuses.
   */
  refuseIfMoved(): void {
    const reason = this.#guard('read', () => this.#reasonAgainstFile())
    if (reason === undefined) return
    void this.#handles?.root.close()
    this.#handles = undefined
    throw new LostLedger(reason)
  }

  #reasonAgainstFile(): string | undefined {
    const path = join(this.directory, fileName)
    const before = this.#file!
    const now = lookAtFile(path)
    if (now === undefined) return `${path} was moved or removed`
    if (!isSameFile(before, now)) return `${path} is another file now`
    // Neither ever becomes less while LMDB writes.
    const transaction = now.bytes < before.bytes ? -1 : newestTransaction(path)
    if (transaction < this.#transaction) return `${path} was written over`
    this.#file = now
    this.#transaction = transaction
    return undefined
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

  /** Reads the name again when the file is open: it may be another one's since. */
  #open(): Handles {
    const path = join(this.directory, fileName)
    if (this.#file !== undefined) {
      const reason = this.#reasonAgainstFile()
      if (reason !== undefined) throw new LostLedger(reason)
    }
    const handles = openHandles(this.directory, this.#mayCreate)
    const file = lookAtFile(path)
    if (file === undefined || (this.#file !== undefined && !isSameFile(file, this.#file))) {
      void handles.root.close()
      throw new LostLedger(`${path} was moved or removed`)
    }
    this.#file = file
    return handles
  }

  /**
   * LMDB refuses every further transaction of an environment whose meta page could not be written,
   * so after any failure of the disk the environment is closed and the next call opens it anew.
   */
  #guard<T>(what: string, work: (handles: Handles) => T): T {
    try {
      this.#handles ??= this.#open()
      return work(this.#handles)
    } catch (error) {
      if (!isStorageError(error)) throw error
      endIfMemoryIsDamaged(error)
      // LMDB prints what the disk refused, and does not end the line: the log's next one would follow.
      process.stderr.write('\n')
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
function openHandles(directory: string, mayCreate: boolean): Handles {
  const path = join(directory, fileName)
  if (mayCreate) makePrivateDirectory(directory)
  else checkPages(path, 'branches')
  const options = { path, overlappingSync: false, permissionsMode: privateFileMode, maxDbs: 16 }
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
    secrets: root.openDB('secrets', {}),
  }
  return { root, tables }
}

/** Makes new names in a directory, and the directories above it, durable; LMDB syncs only the file. */
export function syncDirectories(directory: string): void {
  let path = resolve(directory)
  for (;;) {
    syncFile(path)
    if (path === dirname(path)) return
    path = dirname(path)
  }
}

/**
 * Whether the disk or LMDB refused: LMDB's errors carry its number, or that of the system, as `code`;
 * those of Node name the call.
 */
export function isStorageError(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  return 'syscall' in error || ('code' in error && typeof error.code === 'number')
}
