/** Digests for rows of a journal in a database that were written or changed by hand, and not through the ledger. */
import type { RunStatement } from '../../../src/ledger/postgres/database.ts'
import { rowDigestSql } from '../../../src/ledger/postgres/row-digest-sql.ts'

/** Gives all rows of all accounts their digests anew, one after the other, as each needs the one before it. */
export async function digestRows(query: RunStatement): Promise<void> {
  await query(
    `with recursive chained (account, n, digest) as (
       select id, 0::bigint, origin from account
       union all
       select r.account, r.n, ${rowDigestSql('chained.digest')}
       from chained cross join lateral (select * from journal
         where account = chained.account and n > chained.n order by n limit 1) as r)
     update journal set digest = chained.digest from chained
     where journal.account = chained.account and journal.n = chained.n`,
  )
  await query(
    `update account set digest = coalesce((select digest from journal
       where journal.account = account.id order by n desc limit 1), digest)`,
  )
}
