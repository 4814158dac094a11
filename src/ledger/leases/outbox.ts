/**
 * The sales that a service has not reported to the database yet, in a file of SQLite. Each window
 * is durable here before it counts as written, and is reported again after a crash. The database
 * knows the number of the last one that it has, so none is charged twice. A damaged outbox, or one
 * of another database, is set aside and never reported.
 */
import { existsSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { formatUsd } from '../../money.ts'
import { Refusal } from '../../problems.ts'
import type { ChargeBatch } from '../books/port.ts'
import { totalOf } from '../books/sales.ts'
import { ledgerForm, otherForm } from '../sql/form.ts'
import { SqliteFile } from '../sql/sqlite/driver.ts'

const fileName = 'outbox.db'

const otherFormAdvice = `start the version that wrote it once more, which charges the sales in it, and move ${fileName} away: what is left in it is not charged`

const tables = [
  `create table outbox (
    id bigint primary key check (id = 1),
    form bigint not null,
    session text,
    database text)`,
  'create table batch (n bigint primary key, charges text not null)',
]

interface Head {
  readonly form: number
  /** The session whose windows there are, and the database in which it is; null before the first. */
  readonly session: string | null
  readonly database: string | null
}

interface Opened extends Omit<Head, 'form'> {
  readonly file: SqliteFile
}

interface OutboxOptions {
  readonly directory: string
  readonly clock: () => number
  readonly report: (line: string) => void
}

type Run = Parameters<Parameters<SqliteFile['transact']>[0]>[0]

export class Outbox {
  readonly #options: OutboxOptions
  #opened: Opened
  /** Windows whose writing failed: whether they are there is not known. */
  #doubtful: number[] = []

  private constructor(options: OutboxOptions, opened: Opened) {
    this.#options = options
    this.#opened = opened
  }

  /** Sets a damaged one aside. @throws Refusal `ledger-refused`, also for another form. */
  static async open(options: OutboxOptions): Promise<Outbox> {
    return new Outbox(options, await opened(options))
  }

  get session(): string | undefined {
    return this.#opened.session ?? undefined
  }

  get database(): string | undefined {
    return this.#opened.database ?? undefined
  }

  windows(): ChargeBatch[] {
    return this.#opened.file.transact(windowsIn)
  }

  /** Begins with another session, to which the windows after `toldUntil` are left. */
  begin(session: string, database: string, toldUntil: number): void {
    this.#write(toldUntil, (run) =>
      run('update outbox set session = $1, database = $2', [session, database]),
    )
    this.#opened = { ...this.#opened, session, database }
  }

  /**
   * Durable when this returns. @throws Refusal `ledger-refused`; whether it is there is not known
   * then.
   */
  add({ number, charges }: ChargeBatch, toldUntil: number): void {
    this.#doubtful.push(number)
    this.#write(toldUntil, (run) =>
      run('insert into batch (n, charges) values ($1, $2)', [number, JSON.stringify(charges)]),
    )
  }

  /** Begins an empty outbox; one that has windows behind `toldUntil` is set aside and reported. */
  async leave(reason: string, toldUntil = 0): Promise<void> {
    const left = this.#write(toldUntil, windowsIn)
    if (left.length === 0) return
    const { amountMicroUsd } = totalOf(left.flatMap(({ charges }) => charges))
    const content = `${left.length} windows of session ${this.session}`
    await this.close()
    setAside(this.#options, reason, `: ${content}, ${formatUsd(amountMicroUsd)} USD`)
    this.#opened = await opened(this.#options)
  }

  close(): Promise<void> {
    return this.#opened.file.close()
  }

  #write<T>(toldUntil: number, work: (run: Run) => T): T {
    const done = this.#opened.file.transact((run) => {
      run('delete from batch where n <= $1 or n in list($2 as bigint)', [toldUntil, this.#doubtful])
      return work(run)
    })
    this.#doubtful = []
    return done
  }
}

async function opened(options: OutboxOptions): Promise<Opened> {
  let file: SqliteFile | undefined
  try {
    file = fileOf(options)
    const { form, ...head } = file.transact(madeOrProved)
    if (form !== ledgerForm) {
      throw otherForm(`the outbox in ${options.directory}`, form, otherFormAdvice)
    }
    return { file, ...head }
  } catch (error) {
    const isDamaged = error instanceof Refusal && error.code === 'ledger-corrupt'
    await file?.close()
    if (!isDamaged) throw error
    setAside(options, error.message)
    return opened(options)
  }
}

function fileOf({ directory, clock, report }: OutboxOptions): SqliteFile {
  const path = join(directory, fileName)
  // SQLite would take it for a new one, and remove its `-wal` with all that is in it.
  if (statSync(path, { throwIfNoEntry: false })?.size === 0) {
    throw new Refusal('ledger-corrupt', `${path} is empty`)
  }
  const kind = { kind: 'outbox', isService: true, create: true }
  return new SqliteFile({ ...kind, path, clock, report })
}

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

function setAside({ directory, clock, report }: OutboxOptions, reason: string, content = ''): void {
  const path = join(directory, fileName)
  const moment = new Date(clock()).toISOString().replaceAll(':', '')
  const aside = join(directory, `outbox-${moment}.db`)
  for (const end of ['-wal', '-shm', '']) {
    if (existsSync(path + end)) renameSync(path + end, aside + end)
  }
  report(`${reason}; it is set aside as ${aside}, and not charged${content}`)
}

function windowsIn(run: Run): ChargeBatch[] {
  const rows = run<{ readonly number: number; readonly charges: string }>(
    'select n as number, charges from batch order by n',
  )
  return rows.map(({ number, charges }) => ({ number, charges: JSON.parse(charges) }))
}
