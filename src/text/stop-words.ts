/** English words without meaning in a search; never ignored in the name of a topic or a country. */
import { stopWords } from './tables/tables.made.ts'

const words: ReadonlySet<string> = new Set(stopWords().split(/\s/))

export function isStopWord(term: string): boolean {
  return words.has(term)
}
