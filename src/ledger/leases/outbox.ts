/**
 * The sales that a service has not reported to the database yet, in a file of SQLite on its machine. Each window
 * is durable here before it counts as written, and is reported again after a crash. A window has a number
 * within its session, and the database knows the last one that it has, so none is charged twice. The
 * outbox names its database; a damaged outbox, or one of another database, is set aside and never
 * reported.
 */
import { existsSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { formatUsd } from '../../money.ts'
import { Refusal } from '../../problems.ts'
import type { ChargeBatch } from '../books/port.ts'
import { costOf } from '../books/sales.ts'
import { ledgerForm, otherForm } from '../sql/form.ts'
import { SqliteFile } from '../sql/sqlite/driver.ts'

/** The file within the directory of the ledger, and that of versions before this form. */
const fileName = 'outbox.db'
const olderName = 'outbox.mdb'

/** What an operator can do about an outbox of another form. */
function adviceOn(name: string): string {
  const advice = 'start the version that wrote it once more, which charges the sales in it'
  return `${advice}, and move ${name} away: what is left in it is not charged`
}

const tables = [
  `create table outbox (
    id bigint primary key check (id = 1),
    form bigint not null,
    session text,
    database text)`,
  'create table batch (n bigint primary key, charges text not null)',
]

/** The session whose windows there are, and the database in which it is; null before the first. */
interface Whose {
  readonly session: string | null
  readonly database: string | null
}

/** The only row of the table `outbox`. */
interface Head extends Whose {
  readonly form: number
}

/** A file, and whose windows are in it. */
interface Opened {
  readonly file: SqliteFile
  readonly whose: Whose
}

interface OutboxOptions {
  readonly directory: string
  /** Milliseconds since the epoch, for the names of files that are set aside. */
  readonly clock: () => number
  /** Is called with one line for each outbox that is set aside. */
  readonly report: (line: string) => void
}

type Run = Parameters<Parameters<SqliteFile['transact']>[0]>[0]

/** An open outbox; one process at a time has it. */
export class Outbox {
  readonly #options: OutboxOptions
  #file: SqliteFile
  #whose: Whose
  /** Windows whose writing failed: whether they are there is not known. */
  #doubtful: number[] = []

  private constructor(options: OutboxOptions, { file, whose }: Opened) {
    this.#options = options
    this.#file = file
    this.#whose = whose
  }

  /**
   * Opens the outbox of a directory, made if there is none. A damaged one is set aside.
   * @throws Refusal `ledger-refused` when the disk refuses, or for an outbox of another form.
   */
  static async open(options: OutboxOptions): Promise<Outbox> {
    return new Outbox(options, await opened(options))
  }

  /** The session whose windows these are; undefined before the first. */
  get session(): string | undefined {
    return this.#whose.session ?? undefined
  }

  /** The database in which the session is; undefined before the first. */
  get database(): string | undefined {
    return this.#whose.database ?? undefined
  }

  /** The windows in their order. @throws Refusal `ledger-refused`. */
  windows(): ChargeBatch[] {
    const rows = this.#file.transact((run) =>
      run<Stored>('select n as number, charges from batch order by n'),
    )
    return rows.map(windowOf)
  }

  /**
   * Begins with another session, to which the windows after `toldUntil` are left.
   * @throws Refusal `ledger-refused`.
   */
  begin(session: string, database: string, toldUntil: number): void {
    this.#file.transact((run) => {
      run('delete from batch where n <= $1 or n in list($2 as bigint)', [toldUntil, this.#doubtful])
      run('update outbox set session = $1, database = $2', [session, database])
    })
    this.#whose = { session, database }
    this.#doubtful = []
  }

  /**
   * Adds a window, durable when this returns, and forgets those that the database has, and those whose
   * adding failed.
   * @throws Refusal `ledger-refused` when the disk refuses; whether it is there is not known then.
   */
  add({ number, charges }: ChargeBatch, toldUntil: number): void {
    this.#doubtful.push(number)
    this.#file.transact((run) => {
      run('delete from batch where n <= $1 or n in list($2 as bigint)', [toldUntil, this.#doubtful])
      run('insert into batch (n, charges) values ($1, $2)', [number, JSON.stringify(charges)])
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
    const isEmpty = this.#file.transact((run) => {
      run('delete from batch where n <= $1', [toldUntil])
      return run('select 1 from batch limit 1').length === 0
    })
    if (isEmpty) return
    const content = contentOf(this.#file)
    await this.#file.close()
    setAside(this.#options, reason, content)
    const { file, whose } = await opened(this.#options)
    this.#file = file
    this.#whose = whose
    this.#doubtful = []
  }

  close(): Promise<void> {
    return this.#file.close()
  }
}

/** Opens the file, made if there is none; a damaged one is set aside. @throws Refusal `ledger-refused`. */
async function opened(options: OutboxOptions): Promise<Opened> {
  const { directory } = options
  const name = `the outbox in ${directory}`
  if (existsSync(join(directory, olderName))) {
    throw new Refusal('ledger-refused', `${name} has another form: ${adviceOn(olderName)}`)
  }
  let file: SqliteFile | undefined
  try {
    file = fileOf(options)
    const { form, ...whose } = file.transact(madeOrProved)
    if (form !== ledgerForm) throw otherForm(name, form, adviceOn(fileName))
    return { file, whose }
  } catch (error) {
    const isDamaged = error instanceof Refusal && error.code === 'ledger-corrupt'
    const content = isDamaged ? contentOf(file) : ''
    await file?.close()
    if (!isDamaged) throw error
    setAside(options, error.message, content)
    return opened(options)
  }
}

/** @throws Refusal `ledger-corrupt` where it is no file of SQLite, `ledger-refused`. */
function fileOf({ directory, clock, report }: OutboxOptions): SqliteFile {
  const path = join(directory, fileName)
  // SQLite would take it for a new one, and remove its `-wal` with all that is in it.
  if (statSync(path, { throwIfNoEntry: false })?.size === 0) {
    throw new Refusal('ledger-corrupt', `${path} is empty`)
  }
  const kind = { kind: 'outbox', isService: true, create: true }
  return new SqliteFile({ ...kind, path, clock, report })
}

/** The row that says what it is. @throws Refusal `ledger-corrupt`. */
function madeOrProved(run: Run): Head {
  if (run("select 1 from sqlite_schema where name = 'outbox'").length === 0) {
    for (const table of tables) run(table)
    run('insert into outbox (id, form) values (1, $1)', [ledgerForm])
  }
  const [found] = run<{ quick_check: string }>('pragma quick_check')
  const [head] = run<Head>('select form, session, database from outbox')
  if (found?.quick_check === 'ok' && head !== undefined) return head
  throw new Refusal('ledger-corrupt', `${fileName} is damaged: ${found?.quick_check}`)
}

/** Renames a file that is closed, with what SQLite keeps beside it, and says so. */
function setAside(
  { directory, clock, report }: OutboxOptions,
  reason: string,
  content: string,
): void {
  const path = join(directory, fileName)
  const moment = new Date(clock()).toISOString().replaceAll(':', '')
  const aside = join(directory, `outbox-${moment}.db`)
  for (const end of ['-wal', '-shm', '']) {
    if (existsSync(path + end)) renameSync(path + end, aside + end)
  }
  report(`${reason}; it is set aside as ${aside}, and not charged: ${content}`)
}

/** Describes what can be read of a file, up to the first damage, as a part of a sentence. */
function contentOf(file: SqliteFile | undefined): string {
  let session = 'an unknown session'
  let windows = 0
  let microUsd = 0
  const accounts = new Set<number>()
  try {
    file?.transact((run) => {
      session = `session ${run<Head>('select session from outbox')[0]!.session}`
      const next = 'select n as number, charges from batch where n > $1 order by n limit 1'
      for (let [row] = run<Stored>(next, [0]); row !== undefined; windows += 1) {
        for (const charge of windowOf(row).charges) {
          microUsd += costOf(charge)
          accounts.add(charge.accountNumber)
        }
        row = run<Stored>(next, [row.number])[0]
      }
    })
  } catch {
    // What damage has made unreadable is not counted.
  }
  const sum = Number.isSafeInteger(microUsd) ? `${formatUsd(microUsd)} USD` : 'an unknown sum'
  return `${windows} windows of ${session} could be read, ${sum} of ${accounts.size} accounts`
}

/** A window as a row. */
interface Stored {
  readonly number: number
  readonly charges: string
}

function windowOf({ number, charges }: Stored): ChargeBatch {
  return { number, charges: JSON.parse(charges) }
}
