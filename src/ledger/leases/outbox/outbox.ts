/**
 * The sales that a service has not reported to the database yet, on the disk of its machine. Each window
 * is durable here before it counts as written, and is reported again after a crash. A window has a number
 * within its session, and the database knows the last one that it has, so none is charged twice. The
 * outbox names its database; a damaged outbox, or one of another database, is set aside and never
 * reported.
 */
import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { RootDatabase, Database as Table } from 'lmdb'
import { unpack } from 'msgpackr'
import { formatUsd } from '../../../money.ts'
import { Refusal } from '../../../problems.ts'
import { LmdbFile, syncDirectories } from '../../disk/lmdb-file.ts'
import { readEntries } from '../../disk/pages.ts'
import type { Charge } from '../../port.ts'
import { sumOf } from '../../sales.ts'

/** The file within the directory of the ledger. */
const fileName = 'outbox.mdb'

/** What an operator can do about an outbox of another form. */
const otherFormAdvice = `start the version that wrote it once more, which charges the sales in it, or move ${fileName} away: its sales are not charged then`

/** The charges of one window, and its number. */
export interface Window {
  readonly number: number
  readonly charges: readonly Charge[]
}

interface Tables {
  readonly windows: Table<readonly Charge[], number>
  /** Under `id` the session, under `database` the database in which it is. */
  readonly session: Table<string, string>
}

/** Options for opening an outbox. */
interface OutboxOptions {
  readonly directory: string
  /** Milliseconds since the epoch, for the names of files that are set aside. */
  readonly clock: () => number
  /** Is called with one line for each outbox that is set aside. */
  readonly report: (line: string) => void
}

/** An open outbox; one process at a time has it. */
export class Outbox {
  readonly #options: OutboxOptions
  readonly #path: string
  #file: LmdbFile<Tables>
  /** Windows whose writing failed: whether they are there is not known. */
  #doubtful: number[] = []

  /**
   * Opens the outbox of a directory, made if there is none. A damaged one is set aside.
   * @throws Refusal `ledger-refused` when the disk refuses.
   */
  constructor(options: OutboxOptions) {
    this.#options = options
    this.#path = join(options.directory, fileName)
    this.#file = this.#newFile()
    try {
      if (existsSync(this.#path)) this.#file.use('opened', () => {})
      else this.#file.make()
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'ledger-corrupt') throw error
      this.#setAside(error.message)
    }
  }

  /** The session whose windows these are; undefined before the first. */
  get session(): string | undefined {
    return this.#file.read(({ session }) => session.get('id'))
  }

  /** The database in which the session is; undefined before the first. */
  get database(): string | undefined {
    return this.#file.read(({ session }) => session.get('database'))
  }

  /** The windows in their order. */
  windows(): Window[] {
    return this.#file.read(({ windows }) =>
      Array.from(windows.getRange(), ({ key, value }) => ({ number: key, charges: value })),
    )
  }

  /** Begins with another session, without windows. @throws Refusal `ledger-refused`. */
  begin(session: string, database: string): void {
    this.#file.transact((tables) => {
      for (const number of [...tables.windows.getKeys()]) tables.windows.removeSync(number)
      tables.session.putSync('id', session)
      tables.session.putSync('database', database)
    })
    this.#doubtful = []
  }

  /**
   * Adds a window, durable when this returns, and forgets those that the database has, and those whose
   * adding failed.
   * @throws Refusal `ledger-refused` when the disk refuses; whether it is there is not known then.
   */
  add({ number, charges }: Window, toldUntil: number): void {
    this.#doubtful.push(number)
    this.#file.transact(({ windows }) => {
      const told = [...windows.getKeys({ end: toldUntil + 1 })]
      for (const gone of [...told, ...this.#doubtful]) windows.removeSync(gone)
      windows.putSync(number, charges)
    })
    this.#doubtful = []
  }

  /**
   * Removes the windows that the database has, up to `toldUntil`. If others are left, sets the outbox
   * aside with a report and begins an empty one.
   * @param reason why, as the beginning of a line.
   * @throws Refusal `ledger-refused`.
   */
  async leave(reason: string, toldUntil = 0): Promise<void> {
    const isEmpty = this.#file.transact(({ windows }) => {
      for (const told of [...windows.getKeys({ end: toldUntil + 1 })]) windows.removeSync(told)
      return windows.getKeysCount({ limit: 1 }) === 0
    })
    if (isEmpty) return
    await this.#file.close()
    this.#setAside(reason)
  }

  close(): Promise<void> {
    return this.#file.close()
  }

  #setAside(reason: string): void {
    const { directory, clock, report } = this.#options
    const moment = new Date(clock()).toISOString().replaceAll(':', '')
    const aside = join(directory, `outbox-${moment}.mdb`)
    renameSync(this.#path, aside)
    rmSync(`${this.#path}-lock`, { force: true })
    syncDirectories(directory)
    this.#file = this.#newFile()
    this.#file.make()
    this.#doubtful = []
    report(`${reason}; it is set aside as ${aside}, and not charged: ${contentOf(aside)}`)
  }

  #newFile(): LmdbFile<Tables> {
    const name = `the outbox in ${this.#options.directory}`
    const shape = { kind: 'an outbox', tablesMax: 3, openTables, extent: 'all' } as const
    return new LmdbFile({ path: this.#path, name, ...shape, otherFormAdvice })
  }
}

function openTables(root: RootDatabase): Tables {
  return { windows: root.openDB('windows', {}), session: root.openDB('session', {}) }
}

/** Describes the readable content of an outbox that no process has open, as a part of a sentence. */
function contentOf(path: string): string {
  let session = 'of an unknown session'
  let windows = 0
  let microUsd = 0
  const accounts = new Set<number>()
  readEntries(path, (table, key, value) => {
    try {
      if (table === 'session' && key.toString('utf8').startsWith('id')) {
        session = `of session ${String(unpack(value)).slice(0, 36)}`
      }
      if (table !== 'windows') return
      for (const { accountNumber, sales } of unpack(value) as Charge[]) {
        microUsd += sumOf(sales).costMicroUsd
        accounts.add(accountNumber)
      }
      windows += 1
    } catch {
      // A value that damage has made unreadable is not counted.
    }
  })
  const sum = Number.isSafeInteger(microUsd) ? `${formatUsd(microUsd)} USD` : 'an unknown sum'
  return `${windows} windows ${session} could be read, ${sum} of ${accounts.size} accounts`
}
