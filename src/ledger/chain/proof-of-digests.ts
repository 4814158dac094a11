/**
 * The proof that rows, accounts and keys are those that were written: every digest is computed again
 * and compared. A row that is not as it was written is named once; the rows after it are judged by the
 * digest that it carries. Finds, repairs nothing.
 */
import type { Account, JournalRow, KeyRecord } from '../account-records.ts'
import {
  isRowAsWritten,
  keyDigest,
  noKeys,
  originOf,
  type RowPlace,
  suspensionDigest,
  withToggledDigest,
} from './digests.ts'

/** The contradiction of a row, as a proof words it. */
export const otherDigest =
  'its digest is another: it, or what was before it, is not what was written'

/** Returns the contradictions of a row in its place. */
export function contradictionsOfRow(place: RowPlace, row: JournalRow): string[] {
  return isRowAsWritten(place, row) ? [] : [otherDigest]
}

/** Returns the contradictions of an account, given the digest of its last row. */
export function contradictionsOfHead(account: Account, digestOfLast: string): string[] {
  const { chain, rows } = account
  const found: string[] = []
  if (chain.origin !== originOf(account)) {
    found.push('its number, its name or its time of making is not what was written')
  }
  if (chain.digest !== digestOfLast) {
    found.push(`row ${rows}, its last one, is not the row that was written last`)
  }
  return found
}

/** Returns the contradictions in the keys of all accounts. */
export function contradictionsOfKeys(
  accounts: readonly Account[],
  keys: readonly KeyRecord[],
): string[] {
  const found: string[] = []
  const sets = new Map<number, string>()
  for (const key of keys) {
    const { id, accountNumber, digest } = key
    if (digest !== keyDigest(key)) {
      found.push(`key ${id} is not what was written: its account, its hash, its times or its label`)
    }
    sets.set(accountNumber, withToggledDigest(sets.get(accountNumber) ?? noKeys, digest))
  }
  for (const { number, name, suspendedAtMs, chain } of accounts) {
    const suspension = suspendedAtMs === null ? undefined : suspensionDigest(number, suspendedAtMs)
    const set = withToggledDigest(sets.get(number) ?? noKeys, suspension)
    if (chain.keys !== set) {
      found.push(`account ${name}: its keys or its suspension are not those that were written`)
    }
  }
  return found
}
