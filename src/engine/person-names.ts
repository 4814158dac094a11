/** The names of people as their records write them, read from the ready-made items. */
import { wordsOf } from '../text/analyzer.ts'
import type { Catalog } from './catalog.ts'

/** What stands before the SDU in a summary, between it and the name, and behind the name. */
const beforeSdu = '{"sdu":"'.length
const betweenSduAndName = '","name":"'.length
const behindName = '","rank":'.length

const decoder = new TextDecoder()
const backslash = 0x5c

/** Where somebody's name stands in the page of their summary, between its quotation marks. */
export function nameSpan(catalog: Catalog, ordinal: number): { start: number; end: number } {
  const { summaries, summarySplits, sections } = catalog
  const sduEnds = sections['sdu.ends']
  const sduLength = sduEnds[ordinal]! - (ordinal === 0 ? 0 : sduEnds[ordinal - 1]!)
  const start = summaries.startOf(ordinal) + beforeSdu + sduLength + betweenSduAndName
  return { start, end: summarySplits[ordinal]! - behindName }
}

/** Somebody's name. 1 µs. */
export function nameOf(catalog: Catalog, ordinal: number): string {
  const { start, end } = nameSpan(catalog, ordinal)
  const bytes = catalog.summaries.pageOf(ordinal).text.subarray(start, end)
  const written = decoder.decode(bytes)
  return bytes.includes(backslash) ? JSON.parse(`"${written}"`) : written
}

/** The words of somebody's name in their order, as the analyzer spells them. 1 to 2 µs. */
export function nameWordsOf(catalog: Catalog, ordinal: number): readonly string[] {
  return wordsOf(nameOf(catalog, ordinal)).map(({ text }) => text)
}
