/**
 * English words that carry no meaning in a search: function words and question words (`who is the best…`).
 * Such a word is ignored if no person has it together with the other words, but never if it is part of the
 * name of a topic or a country.
 */
import { stopWords } from './tables/tables.made.ts'

const words: ReadonlySet<string> = new Set(stopWords().split(/\s/))

/** Whether a term, as the analyzer spells it, is such a word. */
export function isStopWord(term: string): boolean {
  return words.has(term)
}
