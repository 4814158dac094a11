/**
 * The form of a ledger and of an outbox: what their tables hold. A program reads and writes one
 * form; another is refused by name before anything is read or written.
 */
import { Refusal } from '../../problems.ts'

/** The form of this version. Whoever changes what is stored takes the next number. */
export const ledgerForm = 20

export function otherForm(name: string, found: number, advice: string): Refusal {
  return new Refusal(
    'ledger-refused',
    `${name} has form ${found}, and this version reads form ${ledgerForm} only: ${advice}`,
  )
}

export const otherLedgerAdvice =
  'use the version that wrote it, or begin an empty ledger, credit the balances that `account list` of that version prints, and issue new keys'
