/** The commonest English words, of which every serving thread would parse a quarter of a megabyte at its start. */
import { englishWords } from './english-words.ts'

/** All of them in ascending order, each with a space on either side. */
export function commonWordList(): string {
  return ` ${englishWords.trim().replaceAll('\n', ' ')} `
}
