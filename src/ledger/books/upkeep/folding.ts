/**
 * Keeps the journal from growing for ever: charges of the same session and UTC day become
 * one row, as long as nothing but charges comes between them. It stands at the number of the last of them
 * and says for how many it stands; if several sessions charged in turn, the balances between theirs are
 * drawn anew. So the balance after the last of them, every sum and every reference stay what they were,
 * and the proof shows it; only the time of day of each sale is lost.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { dayOf } from '../../account-records.ts'
import type { Sales } from '../../port.ts'
import { sumOfSales } from '../../sales.ts'
import type { RunStatement, Sql } from '../../sql/port.ts'

/** Rows in one transaction, in some 50 ms. Only another process that folds waits for them. */
const rowsMax = 2_000
/** Pause between two transactions; a process that waits for the database gets it in between. */
const pauseMs = 5

/** A charge of the journal, or something that only ends a run of them. */
interface Row {
  readonly n: number
  readonly at_ms: number
  readonly kind: string
  readonly amount: number
  readonly balance: number
  /** Null of what is no charge. */
  readonly sales: Sales
  readonly session: string
  readonly stands_for: number
}

/**
 * Folds the charges of all days that have ended before a time. May be interrupted anywhere, done
 * again, and done while services sell.
 * @returns the number of rows removed.
 * @throws Refusal `ledger-refused` when the database cannot be used.
 */
export async function foldCharges(sql: Sql, beforeMs: number): Promise<number> {
  const endMs = Date.parse(`${dayOf(beforeMs)}T00:00:00Z`)
  const accounts = await sql.query<{ id: number }>('select id from account order by id')
  let gone = 0
  for (const { id } of accounts) {
    for (let from: number | undefined = 1; from !== undefined; ) {
      const start: number = from
      const fold = await sql.transaction((query) => foldRows(query, id, start, endMs))
      gone += fold.gone
      from = fold.next
      await sleep(pauseMs)
    }
  }
  return gone
}

/** Folds from a row on; `next` is where to go on, undefined when the account is done. */
async function foldRows(query: RunStatement, account: number, from: number, endMs: number) {
  const rows = await query<Omit<Row, 'sales'> & { sales: string }>(
    `select n, at_ms, kind, amount, balance, cast(sales as text) as sales, session, stands_for
     from journal where account = $1 and n >= $2 order by n limit ${rowsMax} for update`,
    [account, from],
  )
  const found: Row[] = rows.map((row) => ({ ...row, sales: JSON.parse(row.sales) }))
  const old = found.slice(0, endOf(found, endMs))
  const runs = runsOf(old)
  const folds = runs.map(foldOf)
  const changed = folds.filter((rows, index) => rows.length < runs[index]!.length).flat()
  const kept = new Set(folds.flat().map(({ n }) => n))
  const gone = runs.flat().filter(({ n }) => !kept.has(n))
  await writeFolded(query, account, changed, gone)
  const isDone = old.length < found.length || found.length < rowsMax
  if (isDone) return { gone: gone.length, next: undefined }
  // The last run may go on behind these rows; where nothing was folded it is left as it is.
  const last = found.at(-1)!
  const open = gone.length > 0 && last.kind === 'charge' ? folds.at(-1)?.[0] : undefined
  return { gone: gone.length, next: (open ?? last).n }
}

/** Number of rows before the first that is too young. */
function endOf(rows: readonly Row[], endMs: number): number {
  const young = rows.findIndex(({ at_ms }) => at_ms >= endMs)
  return young === -1 ? rows.length : young
}

/** Charges that follow each other on one day. */
function runsOf(rows: readonly Row[]): Row[][] {
  const runs: Row[][] = []
  let before: Row | undefined
  for (const row of rows) {
    if (row.kind === 'charge') {
      const isSameRun = before?.kind === 'charge' && dayOf(before.at_ms) === dayOf(row.at_ms)
      if (isSameRun) runs.at(-1)!.push(row)
      else runs.push([row])
    }
    before = row
  }
  return runs
}

/** One row for each session, in the order in which they stand, with the balances between them. */
function foldOf(run: readonly Row[]): Row[] {
  const bySession = new Map<string, Row>()
  for (const row of run) {
    const before = bySession.get(row.session)
    bySession.set(row.session, before === undefined ? row : sumOf(before, row))
  }
  const rows = [...bySession.values()].sort((a, b) => a.n - b.n)
  let balance = run[0]!.balance - run[0]!.amount
  return rows.map((row) => {
    balance += row.amount
    return { ...row, balance }
  })
}

/** The later row, with what was sold in both. */
function sumOf(earlier: Row, later: Row): Row {
  return {
    ...later,
    amount: earlier.amount + later.amount,
    sales: sumOfSales(earlier.sales, later.sales),
    stands_for: earlier.stands_for + later.stands_for,
  }
}

async function writeFolded(
  query: RunStatement,
  account: number,
  folded: readonly Row[],
  gone: readonly Row[],
): Promise<void> {
  if (gone.length === 0) return
  await query(`delete from journal where account = $1 and n in list($2 as bigint)`, [
    account,
    gone.map(({ n }) => n),
  ])
  await query(
    `update journal set amount = folded.amount, balance = folded.balance,
       sales = folded.sales, stands_for = folded.stands_for
     from rows($2 as n bigint, amount bigint, balance bigint, sales jsonb, stands_for bigint) as folded
     where journal.account = $1 and journal.n = folded.n`,
    [
      account,
      folded.map(({ n, amount, balance, sales, stands_for }) => {
        return [n, amount, balance, JSON.stringify(sales), stands_for]
      }),
    ],
  )
}
