/** The names of people as their records write them, read from their identities. */
import { nameStart } from '../snapshot/people/identities.ts'
import { wordTextsOf } from '../text/analyzer.ts'
import type { Catalog } from './catalog.ts'

const decoder = new TextDecoder()
const backslash = 0x5c

export function nameOf({ identities }: Catalog, ordinal: number): string {
  const { text } = identities.pageOf(ordinal)
  // Between its quotation marks.
  const start = nameStart(text, identities.startOf(ordinal))
  const bytes = text.subarray(start, identities.endOf(ordinal) - 1)
  const written = decoder.decode(bytes)
  return bytes.includes(backslash) ? JSON.parse(`"${written}"`) : written
}

/** The words of somebody's name in their order, as the analyzer spells them. 1 to 2 µs. */
export function nameWordsOf(catalog: Catalog, ordinal: number): readonly string[] {
  return wordTextsOf(nameOf(catalog, ordinal))
}
