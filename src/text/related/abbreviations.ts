/**
 * Abbreviations, other spellings and names of products: true of any data. For building an index only.
 *
 * Invariant: every text of a row means what the others mean; a row never comes from judged queries.
 */
import { abbreviations as table } from '../tables/tables.made.ts'

export function abbreviations(): readonly (readonly string[])[] {
  return table()
    .split('\n')
    .map((line) => line.split(', '))
}
