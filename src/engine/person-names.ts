/** The names of people as their records write them, read from their identities. */
import { nameStart } from '../snapshot/people/identities.ts'
import { wordTextsOf } from '../text/analyzer.ts'
import type { Catalog } from './catalog.ts'

const decoder = new TextDecoder()
const backslash = 0x5c

/** The place of a person's name in the page of their identity, between its quotation marks. */
function nameSpan(catalog: Catalog, ordinal: number): { start: number; end: number } {
  const { identities } = catalog
  const start = nameStart(identities.pageOf(ordinal).text, identities.startOf(ordinal))
  return { start, end: identities.endOf(ordinal) - 1 }
}

export function nameOf(catalog: Catalog, ordinal: number): string {
  const { start, end } = nameSpan(catalog, ordinal)
  const bytes = catalog.identities.pageOf(ordinal).text.subarray(start, end)
  const written = decoder.decode(bytes)
  return bytes.includes(backslash) ? JSON.parse(`"${written}"`) : written
}

/** The words of somebody's name in their order, as the analyzer spells them. 1 to 2 µs. */
export function nameWordsOf(catalog: Catalog, ordinal: number): readonly string[] {
  return wordTextsOf(nameOf(catalog, ordinal))
}
