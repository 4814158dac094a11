/**
 * The digest of a row of the journal in a database, as an expression of SQL: the database computes it as it
 * writes the row, and again for all rows in its proof. It depends on no setting of a session.
 */

/** The columns of the journal that are digested, of a row that the expressions call `r`. */
const values = `r.account, r.n, r.kind, r.amount, r.balance,
  (extract(epoch from r.at) * 1000000)::bigint, coalesce(to_json(r.reference)::text, ''),
  coalesce(to_json(r.reason)::text, ''), coalesce(r.sales::text, ''), coalesce(r.session::text, ''),
  coalesce(r.batch::text, ''), r.stands_for`

/** The digest of the row `r` after another digest. @param previous an expression, never null. */
export function rowDigestSql(previous: string): string {
  return digestSql(`${previous}, ${values}`)
}

/** The seal of the row `r`, into which others were folded: of its sums and of the digest that it had. */
export function rowSealSql(previous: string): string {
  return digestSql(`${previous}, ${values}, r.digest`)
}

/** 32 hexadecimal digits, the first half of a SHA-256. */
function digestSql(parts: string): string {
  return `substr(encode(sha256(convert_to(concat_ws('|', ${parts}), 'UTF8')), 'hex'), 1, 32)`
}
