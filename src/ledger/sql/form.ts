/**
 * The form of a ledger and of an outbox: which tables there are and what they hold. A program reads and writes one form;
 * nothing converts another, which is refused by name before anything is read or written.
 */
import { Refusal } from '../../problems.ts'

/** The form of this version. Whoever changes what is stored takes the next number. */
export const ledgerForm = 18

/**
 * The refusal of another form.
 * @param name of what has it: `the ledger in DIRECTORY`.
 * @param found its number.
 * @param advice what the operator can do about it.
 */
export function otherForm(name: string, found: number, advice: string): Refusal {
  return new Refusal(
    'ledger-refused',
    `${name} has form ${found}, and this version reads form ${ledgerForm} only: ${advice}`,
  )
}

/** What an operator can do about a ledger of another form. */
export const otherLedgerAdvice =
  'use the version that wrote it, or begin an empty ledger, credit the balances that `account list` of that version prints, and issue new keys'
