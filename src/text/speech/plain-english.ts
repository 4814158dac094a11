/**
 * Common English words, never taken for a misspelled name. Words with the same first letters become
 * a set when one is asked for: a set of all takes each thread tens of milliseconds at its start.
 */
import { numberless } from '../number.ts'
import { englishWords } from '../tables/tables.made.ts'

const lettersMin = 3

const firstLetter = 97
const letterCount = 26

class CommonWords {
  /** Each with a space on either side; empty until a word is asked for. */
  #list = ''
  /** By the number of their first letters. */
  readonly #sets: (ReadonlySet<string> | undefined)[] = []

  has(word: string): boolean {
    const place = placeOf(word)
    if (place === undefined) return false
    if (this.#list === '') this.#list = ` ${englishWords().replaceAll('\n', ' ')} `
    this.#sets[place] ??= this.#wordsWith(word.slice(0, lettersMin))
    return this.#sets[place].has(word)
  }

  #wordsWith(beginning: string): ReadonlySet<string> {
    const [start, end] = [this.#startOf(beginning), this.#startOf(`${beginning}~`)]
    return new Set(this.#list.slice(start, end).split(' ').slice(1))
  }

  /** The place of the space before the first word that is not below a text. */
  #startOf(text: string): number {
    let low = 0
    let high = this.#list.length - 1
    while (low < high) {
      const space = this.#list.lastIndexOf(' ', (low + high) >> 1)
      const next = this.#list.indexOf(' ', space + 1)
      if (this.#list.slice(space + 1, next) < text) low = next
      else high = space
    }
    return low
  }
}

/** The number of the first letters of a word; undefined where they are not three of a to z. */
function placeOf(word: string): number | undefined {
  let place = 0
  for (let index = 0; index < lettersMin; index += 1) {
    const letter = word.charCodeAt(index) - firstLetter
    if (!(letter >= 0 && letter < letterCount)) return undefined
    place = place * letterCount + letter
  }
  return place
}

const commonWords = new CommonWords()

/** Whether a term, as the analyzer spells it, is a common English word of three letters or more. */
export function isCommonWord(term: string): boolean {
  return commonWords.has(numberless(term))
}
