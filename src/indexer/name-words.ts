/**
 * The words of names, counted by the postings alone: whether one person's names hold all words of a
 * phrase, and whether a word is one of names at all.
 */
import { lowerBound } from '../memory/bounds.ts'
import { findText, Scratch, type TextTable } from '../memory/text-table.ts'
import { tableOf } from '../snapshot/text-tables.ts'
import { isUnspaced, wordsOf } from '../text/analyzer.ts'
import { isCommonWord } from '../text/speech/plain-english.ts'
import type { PostingSections } from './posting-sections.ts'

export class NameWords {
  readonly #terms: TextTable
  readonly #sections: PostingSections
  readonly #scratch = new Scratch()

  constructor(sections: PostingSections) {
    this.#sections = sections
    this.#terms = tableOf({ sections }, 'term')
  }

  /**
   * Whether one person's names hold all words of a topic's key. In a script without spaces a name has to hold
   * the characters side by side. O(people who have the rarest word in their names).
   */
  areOfOnePerson(key: string): boolean {
    const isRun = wordsOf(key).every(isUnspaced)
    const words = isRun ? [key.replaceAll(' ', '')] : key.split(' ')
    const holders = words.map((word) => this.#namedBy(word))
    const [rarest = none, ...others] = holders.sort((a, b) => a.length - b.length)
    return rarest.some((ordinal) => others.every((each) => includes(each, ordinal)))
  }

  /**
   * Whether a word is a word of names: at least half of the people who hold it have it in a name. The members of a
   * topic who hold it as a word of that topic are not counted. A common English word needs two such people, as one
   * person could be called like a subject.
   */
  isName(word: string, members: number): boolean {
    const term = this.#find(word)
    if (term < 0) return false
    const starts = this.#sections['word.starts']
    const others = starts[term + 1]! - starts[term]! - members
    const named = this.#namedBy(word).length
    return named >= (isCommonWord(word) ? 2 : 1) && named * 2 >= others
  }

  peopleCalled(word: string): number {
    return this.#namedBy(word).length
  }

  #namedBy(word: string): Uint32Array {
    const term = this.#find(word)
    if (term < 0) return none
    const starts = this.#sections['name.starts']
    return this.#sections['name.ordinals'].subarray(starts[term], starts[term + 1])
  }

  #find(word: string): number {
    return findText(this.#terms, word, this.#scratch)
  }
}

const none = new Uint32Array()

/** Whether an ascending list holds a number. O(log length). */
function includes(list: Uint32Array, wanted: number): boolean {
  return list[lowerBound(list, wanted)] === wanted
}
