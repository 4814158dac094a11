/** One row a person with all numbers of a summary: so they lie in one line of memory. */
import type { Sections } from '../sections.ts'

export const summaryNumbers = 4

/** In a row: the end of the identity, the rank in the core topic, the country, the core topic. */
export function summariesOf(
  sections: Pick<
    Sections,
    'identity.starts' | 'authority.core-ranks' | 'authority.countries' | 'authority.core-topics'
  >,
): Uint32Array {
  const starts = sections['identity.starts']
  const ranks = sections['authority.core-ranks']
  const countries = sections['authority.countries']
  const topics = sections['authority.core-topics']
  const rows = new Uint32Array(ranks.length * summaryNumbers)
  for (let ordinal = 0, at = 0; ordinal < ranks.length; ordinal += 1, at += summaryNumbers) {
    rows[at] = starts[ordinal + 1]!
    rows[at + 1] = ranks[ordinal]!
    rows[at + 2] = countries[ordinal]!
    rows[at + 3] = topics[ordinal]!
  }
  return rows
}
