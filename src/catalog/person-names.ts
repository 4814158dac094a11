/** The names of people as their records write them, read from the ready-made items. */
import { wordsOf } from '../text/analyzer.ts'
import type { Catalog } from './catalog.ts'

const nameShape = /"name":("(?:[^"\\]|\\.)*")/

/** Somebody's name. About 2 µs. */
export function nameOf(catalog: Catalog, ordinal: number): string {
  const [, name = '""'] = nameShape.exec(catalog.summaries.textAt(ordinal)) ?? []
  return JSON.parse(name)
}

/** The words of somebody's name in their order, as the analyzer spells them. About 3 µs. */
export function nameWordsOf(catalog: Catalog, ordinal: number): readonly string[] {
  return wordsOf(nameOf(catalog, ordinal)).map(({ text }) => text)
}
