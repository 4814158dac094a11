/**
 * The statement of an account: its credits, its charges by day and route, its balance. Charges come
 * from the usage table, which the audit proves to be the sum of the journal, so a statement reads
 * as many entries as it shows and not the journal of every window.
 */
import { type Account, balanceOf, type JournalRow } from '../../account-records.ts'
import type { Credit, DailyCharge, Statement } from '../../administration.ts'
import { accountNamed } from '../accounts.ts'
import type { Environment } from '../environment.ts'
import type { Tables } from '../tables.ts'

/** @throws Refusal `ledger-refused` when there is no such account. */
export function statementOf(environment: Environment, name: string): Statement {
  return environment.read((tables) => {
    const account = accountNamed(tables, name)
    return {
      account,
      credits: creditsOf(tables, account),
      charges: chargesOf(tables, account),
      balanceMicroUsd: balanceOf(account),
    }
  })
}

function creditsOf(tables: Tables, account: Account): Credit[] {
  const { number } = account
  const referenced = tables.references.getRange({ start: [number, ''], end: [number + 1, ''] })
  const sequences = [1, ...Array.from(referenced, ({ value }) => value).sort((a, b) => a - b)]
  return sequences
    .map((sequence) => tables.journal.get([number, sequence]))
    .filter((row): row is JournalRow => row !== undefined)
    .map((row) => ({
      atMs: row.atMs,
      amountMicroUsd: row.amountMicroUsd,
      reference: 'reference' in row ? row.reference : null,
      reason: 'reason' in row ? row.reason : null,
    }))
}

function chargesOf(tables: Tables, { number }: Account): DailyCharge[] {
  const range = tables.usage.getRange({ start: [number, '', ''], end: [number + 1, '', ''] })
  return Array.from(range, ({ key: [, day, route], value }) => ({ day, route, ...value }))
}
