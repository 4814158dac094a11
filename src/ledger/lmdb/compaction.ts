/**
 * Keeps the journal from growing for ever: charges of the same UTC day that follow each other become
 * one, which stands at the number of the last of them and says for how many it stands. So every
 * balance after a row, every sum, every number and every reference stay what they were, and the
 * audit proves it; only the time of day of each sale is lost.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Account, dayOf, type JournalRow } from '../account-records.ts'
import { sumOfSales } from '../sales.ts'
import { accounts } from './accounts.ts'
import type { Environment } from './environment.ts'
import type { Tables } from './tables.ts'

/** Rows in one transaction, in some 50 ms: a service that wants to commit waits no longer. */
const rowsMax = 2_000
/** Maximum growth of the file with that; each row that goes leaves its page to be written anew. */
const growthBytes = 1 << 20
/** Pause between two transactions; a process that waits for the ledger gets it in between. */
const pauseMs = 5

type ChargeRow = Extract<JournalRow, { kind: 'charge' }>

/**
 * Folds the charges of all days that have ended before a time. May be interrupted anywhere, done
 * again, and done while a service sells.
 * @returns the number of rows removed.
 * @throws Refusal `ledger-refused` when the disk refuses.
 */
export async function compact(environment: Environment, beforeMs: number): Promise<number> {
  const endMs = Date.parse(`${dayOf(beforeMs)}T00:00:00Z`)
  let gone = 0
  for (const account of environment.read(accounts)) {
    for (let from: number | undefined = 1; from !== undefined; ) {
      const start: number = from
      const fold = environment.transact(
        (tables) => foldRows(tables, account, start, endMs),
        growthBytes,
      )
      gone += fold.gone
      from = fold.next
      await sleep(pauseMs)
    }
  }
  return gone
}

/** Folds from a row on; `next` is where to go on, undefined when the account is done. */
function foldRows(tables: Tables, account: Account, from: number, endMs: number) {
  const { number } = account
  const start: [number, number] = [number, from]
  const end: [number, number] = [number + 1, 0]
  const found = Array.from(tables.journal.getRange({ start, end, limit: rowsMax }))
  let before: { readonly sequence: number; readonly row: ChargeRow } | undefined
  let gone = 0
  for (const { key, value: row } of found) {
    if (row.atMs >= endMs) return { gone, next: undefined }
    const sequence = key[1]
    if (row.kind === 'charge' && before !== undefined && isSameDay(before.row, row)) {
      const folded = sumOf(before.row, row)
      tables.journal.removeSync([number, before.sequence])
      tables.journal.putSync([number, sequence], folded)
      gone += 1
      before = { sequence, row: folded }
    } else {
      before = row.kind === 'charge' ? { sequence, row } : undefined
    }
  }
  const last = found.at(-1)?.key[1] ?? from
  return { gone, next: found.length < rowsMax ? undefined : last }
}

function isSameDay(one: ChargeRow, other: ChargeRow): boolean {
  return dayOf(one.atMs) === dayOf(other.atMs)
}

/** The later row, with what was sold in both. */
function sumOf(earlier: ChargeRow, later: ChargeRow): ChargeRow {
  const sales = sumOfSales(earlier.sales, later.sales)
  const amountMicroUsd = earlier.amountMicroUsd + later.amountMicroUsd
  return { ...later, amountMicroUsd, sales, rows: (earlier.rows ?? 1) + (later.rows ?? 1) }
}
