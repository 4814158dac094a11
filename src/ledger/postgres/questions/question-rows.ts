/**
 * The payments under keys of clients, in a database, as a settlement reads and writes them: in its transaction, with
 * its charges, while it has locked their accounts. Queries that another session charged before are given back there
 * as one adjustment of each account, whose reference names the settlement.
 */
import type { Charge, PaidQuestion } from '../../port.ts'
import type { RunStatement } from '../database.ts'
import { rowDigestSql } from '../row-digest-sql.ts'
import { type Repeat, settleQuestions } from './repeats.ts'

/** The columns of a question as `PaidQuestion` has them. */
export const questionColumns = `paid_question.account as "accountNumber", paid_question.key,
  paid_question.question, paid_question.queries,
  (extract(epoch from paid_question.until) * 1000)::bigint as "untilMs"`

/** Returns the known payments under the keys of some charges; if the charges have none, runs no query. */
export async function knownQuestions(
  query: RunStatement,
  charges: readonly Charge[],
): Promise<readonly PaidQuestion[]> {
  const asked = charges.flatMap(({ accountNumber, questions = [] }) =>
    questions.map(({ key }) => ({ accountNumber, key })),
  )
  if (asked.length === 0) return []
  return query<PaidQuestion>(
    `select ${questionColumns} from paid_question
     where (account, key) in (select * from unnest($1::integer[], $2::text[]))
       and until > clock_timestamp()`,
    [asked.map(({ accountNumber }) => accountNumber), asked.map(({ key }) => key)],
  )
}

/**
 * Writes what was paid with some charges, and gives back what was paid before. Its statements follow those that
 * write the charges and change their accounts.
 */
export async function writeQuestions(
  query: RunStatement,
  { session, number }: { readonly session: string; readonly number: number },
  charges: readonly Charge[],
  known: readonly PaidQuestion[],
): Promise<void> {
  const { changed, repeats } = settleQuestions(charges, known)
  await Promise.all([
    changed.length > 0 && upsert(query, session, number, changed),
    repeats.length > 0 && giveBack(query, `repeat ${session} ${number}`, repeats),
  ])
}

async function upsert(
  query: RunStatement,
  session: string,
  number: number,
  changed: readonly PaidQuestion[],
): Promise<void> {
  await query(
    `insert into paid_question (account, key, question, queries, until, session, batch)
     select account, key, question, queries, to_timestamp(until_ms / 1000.0), $1::uuid, $2::bigint
     from unnest($3::integer[], $4::text[], $5::text[], $6::bigint[], $7::bigint[])
       as paid (account, key, question, queries, until_ms)
     on conflict (account, key) do update set question = excluded.question, queries = excluded.queries,
       until = excluded.until, session = excluded.session, batch = excluded.batch`,
    [
      session,
      number,
      changed.map(({ accountNumber }) => accountNumber),
      changed.map(({ key }) => key),
      changed.map(({ question }) => question),
      changed.map(({ queries }) => queries),
      changed.map(({ untilMs }) => untilMs),
    ],
  )
}

/** A row of the journal for each account, and then the accounts as their rows have them. */
async function giveBack(
  query: RunStatement,
  reference: string,
  repeats: readonly Repeat[],
): Promise<void> {
  const numbers = repeats.map(({ accountNumber }) => accountNumber)
  const amounts = repeats.map(({ amountMicroUsd }) => amountMicroUsd)
  await Promise.all([
    query(
      `insert into journal (account, n, at, kind, amount, balance, reference, reason, digest)
       select account, n, at, kind, amount, balance, reference, reason, ${rowDigestSql('r.previous')}
       from (select given.account, row_count + 1 as n, clock_timestamp() as at,
           'adjustment'::text as kind, given.amount, credited - charged + given.amount as balance,
           $1::text as reference, given.reason, null::jsonb as sales, null::uuid as session,
           null::bigint as batch, 1::bigint as stands_for, account.digest as previous
         from unnest($2::integer[], $3::bigint[], $4::text[]) as given (account, amount, reason)
           join account on account.id = given.account) as r`,
      [reference, numbers, amounts, repeats.map(reasonOf)],
    ),
    query(
      `with change as (update ledger_change set n = n + 1 where topic = 'accounts' returning n)
       update account set credited = credited + given.amount, free = free + given.amount,
         row_count = row_count + 1, changed = change.n,
         digest = (select digest from journal where journal.account = account.id
           and journal.n = account.row_count + 1)
       from change, unnest($1::integer[], $2::bigint[]) as given (account, amount)
       where account.id = given.account`,
      [numbers, amounts],
    ),
  ])
}

function reasonOf({ queries }: Repeat): string {
  return `${queries} ${queries === 1 ? 'query was' : 'queries were'} charged before under the same Idempotency-Key`
}
