/**
 * The journal: every movement of money, numbered 1, 2, 3 … in each account. No row is ever changed or removed, but
 * a compaction makes one charge of those of a day. `appendRow` is the only code that moves money in the ledger; it
 * writes the row and the totals of the account together, so the totals are always the sum of the rows.
 */
import { type Account, balanceOf, isBalance, type Movement } from '../account-records.ts'
import type { Funds } from '../port.ts'
import type { Tables } from './tables.ts'

/** Funds of an account: the amounts from which a service may sell to it. */
export function fundsOf(account: Account): Funds {
  return {
    accountNumber: account.number,
    grantedMicroUsd: account.creditedMicroUsd,
    spentMicroUsd: account.chargedMicroUsd,
  }
}

/**
 * Writes one row, its reference if it has one, and the account it changes; returns the account as it is now. Must run
 * in a write transaction, whose account this is.
 * @throws Error when the balance would leave what an account can hold: its callers have to see to that.
 */
export function appendRow(
  tables: Tables,
  account: Account,
  movement: Movement,
  atMs: number,
): Account {
  const rows = account.rows + 1
  const moved: Account = { ...account, ...movedBy(account, movement), rows }
  const balanceMicroUsd = balanceOf(moved)
  if (!isBalance(balanceMicroUsd) || !Number.isSafeInteger(moved.creditedMicroUsd)) {
    throw new Error(`account ${account.name} cannot hold a balance of ${balanceMicroUsd} micro-USD`)
  }
  const row = { ...movement, atMs, balanceMicroUsd }
  tables.journal.putSync([account.number, rows], row)
  if ('reference' in movement) {
    tables.references.putSync([account.number, movement.reference], rows)
  }
  tables.accounts.putSync(account.number, moved)
  return moved
}

/** The totals of an account after a movement. */
function movedBy(account: Account, { kind, amountMicroUsd }: Movement): Partial<Account> {
  const { creditedMicroUsd, chargedMicroUsd, takenBackMicroUsd = 0 } = account
  if (kind === 'charge') return { chargedMicroUsd: chargedMicroUsd - amountMicroUsd }
  const credited = { creditedMicroUsd: creditedMicroUsd + amountMicroUsd }
  if (amountMicroUsd >= 0) return credited
  return { ...credited, takenBackMicroUsd: takenBackMicroUsd - amountMicroUsd }
}
