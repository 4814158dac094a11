/** The tokens of statements as each driver spells them; both are asked for real elsewhere. */
import { expect, test } from 'vitest'
import { spelled as ofPostgresql } from '../../../../src/ledger/sql/postgres/spelling.ts'

test('a table is an array for each of its columns, the first in its place and the others behind all values', () => {
  const text = `insert into t (a, b, c) select a, b, $1 from rows($2 as a bigint, b text) as new
    where a in list($3 as integer) and exists (select 1 from rows($4 as d text) as other) for update`
  const rows = [
    [1, 'x'],
    [2, 'y'],
  ]
  for (const times of [1, 2]) {
    expect(ofPostgresql(text, [times, rows, [7], [['z']]])).toEqual({
      text: `insert into t (a, b, c) select a, b, $1 from unnest($2::bigint[], $5::text[]) as new (a, b)
    where a = any($3::integer[]) and exists (select 1 from unnest($4::text[]) as other (d)) for update`,
      values: [times, [1, 2], [7], ['z'], ['x', 'y']],
    })
  }
  expect(ofPostgresql('select 1', [])).toEqual({ text: 'select 1', values: [] })
})
