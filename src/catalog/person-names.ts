/** The names of people as their records write them, read from the ready-made items. */
import { wordsOf } from '../text/analyzer.ts'
import type { Catalog } from './catalog.ts'

const member = Buffer.from('"name":"')
const quote = 0x22
const backslash = 0x5c

/** Somebody's name. 1 µs. */
export function nameOf({ summaries }: Catalog, ordinal: number): string {
  const { text } = summaries.pageOf(ordinal)
  const bytes = Buffer.from(text.buffer, text.byteOffset, text.byteLength)
  const start = bytes.indexOf(member, summaries.startOf(ordinal)) + member.length
  let end = start
  let isEscaped = false
  for (; bytes[end] !== quote; end += 1) {
    if (bytes[end] !== backslash) continue
    isEscaped = true
    end += 1
  }
  const written = bytes.toString('utf8', start, end)
  return isEscaped ? JSON.parse(`"${written}"`) : written
}

/** The words of somebody's name in their order, as the analyzer spells them. 1 to 2 µs. */
export function nameWordsOf(catalog: Catalog, ordinal: number): readonly string[] {
  return wordsOf(nameOf(catalog, ordinal)).map(({ text }) => text)
}
