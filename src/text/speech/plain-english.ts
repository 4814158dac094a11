/**
 * Which words are common English: such a word was meant as it was typed, so that it is never taken for
 * a misspelled name.
 */
import { numberless } from '../number.ts'
import { englishWords } from './english-words.ts'

const commonWords: ReadonlySet<string> = new Set(englishWords.split(/\s+/))

/** Whether a term, as the analyzer spells it, is a common English word of four letters or more. */
export function isCommonWord(term: string): boolean {
  return commonWords.has(numberless(term))
}
