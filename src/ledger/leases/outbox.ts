/**
 * What a service sold and has not told the database yet, on the disk of its machine: each window is
 * durable here before it counts as written, and is told again after a crash. A window has a number
 * within its session, and the database knows the last that it has, so none is charged twice.
 */
import { join } from 'node:path'
import { open, type RootDatabase, type Database as Table } from 'lmdb'
import { Refusal } from '../../problems.ts'
import { makePrivateDirectory, privateFileMode } from '../../process/private-directory.ts'
import { isStorageError, syncDirectories } from '../books/environment.ts'
import type { Charge } from '../port.ts'

/** The file within the directory of the ledger. */
const fileName = 'outbox.mdb'

/** What was sold in one window. */
export interface Window {
  readonly number: number
  readonly charges: readonly Charge[]
}

/** An open outbox; one process at a time has it. */
export class Outbox {
  readonly #directory: string
  readonly #root: RootDatabase
  readonly #windows: Table<readonly Charge[], number>
  readonly #session: Table<string, string>

  /** @throws Refusal `ledger-refused` when the disk refuses. */
  constructor(directory: string) {
    this.#directory = directory
    const path = join(directory, fileName)
    try {
      makePrivateDirectory(directory)
      const options = { path, overlappingSync: false, permissionsMode: privateFileMode, maxDbs: 2 }
      this.#root = open(options)
      this.#windows = this.#root.openDB('windows', {})
      this.#session = this.#root.openDB('session', {})
      syncDirectories(directory)
    } catch (error) {
      throw this.#refusalOf(error)
    }
  }

  /** The session whose windows these are; undefined before the first. */
  get session(): string | undefined {
    return this.#session.get('id')
  }

  /** The windows in their order. */
  windows(): Window[] {
    return Array.from(this.#windows.getRange(), ({ key, value }) => ({
      number: key,
      charges: value,
    }))
  }

  /** Begins with another session, without windows. @throws Refusal `ledger-refused`. */
  begin(session: string): void {
    this.#write(() => {
      for (const number of [...this.#windows.getKeys()]) this.#windows.removeSync(number)
      this.#session.putSync('id', session)
    })
  }

  /**
   * Adds a window, durable when this returns, and forgets those that the database has.
   * @throws Refusal `ledger-refused` when the disk refuses; then it is not there.
   */
  add({ number, charges }: Window, toldUntil: number): void {
    this.#write(() => {
      for (const told of [...this.#windows.getKeys({ end: toldUntil + 1 })]) {
        this.#windows.removeSync(told)
      }
      this.#windows.putSync(number, charges)
    })
  }

  async close(): Promise<void> {
    await this.#root.close()
  }

  #write(change: () => void): void {
    try {
      this.#root.transactionSync(change)
    } catch (error) {
      throw this.#refusalOf(error)
    }
  }

  /** A bug stays one. */
  #refusalOf(error: unknown): unknown {
    if (!isStorageError(error)) return error
    const reason = `the outbox in ${this.#directory} could not be written: ${error.message}`
    return new Refusal('ledger-refused', reason)
  }
}
