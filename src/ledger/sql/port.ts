/**
 * What the rules of a ledger ask of a database, whichever it is. The text of a statement is PostgreSQL's as far as SQLite
 * has the same, and else one of these tokens, which each driver spells:
 *
 *     now_ms()                                     the time by the clock of the ledger
 *     id in list($1 as bigint)                     a value that is an array
 *     rows($1 as account bigint, n bigint) as sold a value that is an array of rows, as a table
 *     for update, skip locked                      locks of rows
 *
 * So a statement is the same for one row and for ten thousand. One that a driver cannot share stands in the driver.
 */

import { Refusal } from '../../problems.ts'

/** A write contradicts the content of the database, which has undone it. */
export class Contradiction extends Error {}

/** The database cannot be reached at the moment; all else that it refuses stays so until it is changed. */
export class DatabaseAway extends Refusal {}

/** Asks one statement and returns its rows; values stand in it as $1, $2 … Statements are carried out in their order. */
export type RunStatement = <R extends object>(
  text: string,
  values?: readonly unknown[],
) => Promise<R[]>

/** Says that nothing follows: a driver may send the commit with the last statements, which saves a round trip. */
export type Commit = () => Promise<void>

/** A ledger's database. All of it throws Refusal `ledger-refused` when the database cannot be used. */
export interface Sql {
  /** Its location without secrets, for messages. */
  readonly place: string
  /**
   * An error undoes the work. It is begun again when two were in each other's way, so it must not
   * change anything else. It may commit by itself, together with its last statements; then it asks
   * nothing more.
   */
  transaction<T>(work: (query: RunStatement, commit: Commit) => Promise<T>): Promise<T>
  /** Reads one moment. @param isPass whether it reads the whole ledger, which may take long. */
  snapshot<T>(work: (query: RunStatement) => Promise<T>, isPass?: boolean): Promise<T>
  /** What the database itself finds wrong in its file, a line each; absent where no file is its own. */
  readonly damagesIn?: (query: RunStatement) => Promise<string[]>
  close(): Promise<void>
}
