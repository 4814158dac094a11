/**
 * Edits between two words: optimal string alignment (Damerau 1964), in which a letter that is missing,
 * too many or another one counts as one edit, and so do neighbours that changed places.
 */

/** Letters of the longest word that is compared. */
export const comparedLettersMax = 64

/** Characters that are syllables, or words. */
const syllabic = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu

/** How many letters a word says as much as: a syllable that is one character counts as two. */
export function lettersSaidBy(word: string): number {
  return [...word].length + (word.match(syllabic)?.length ?? 0)
}

/** How many edits a word of so many letters may have suffered. */
export function editsOf(letters: number): number {
  return letters < 4 ? 0 : letters < 8 ? 1 : 2
}

/** The code points of a word; undefined where there are more than are compared. */
export function lettersOf(word: string): Uint32Array | undefined {
  const letters = Uint32Array.from(word, (letter) => letter.codePointAt(0)!)
  return letters.length > comparedLettersMax ? undefined : letters
}

/** Keeps its three rows, because it is asked hundreds of times a query. */
export class EditDistance {
  #beforeLast = new Uint8Array(comparedLettersMax + 1)
  #last = new Uint8Array(comparedLettersMax + 1)
  #current = new Uint8Array(comparedLettersMax + 1)

  /**
   * The distance between words of at most `comparedLettersMax` letters, or anything above `most`
   * where it is more than that.
   */
  between(a: Uint32Array, b: Uint32Array, most: number): number {
    const columns = b.length
    if (Math.abs(a.length - columns) > most) return most + 1
    for (let column = 0; column <= columns; column += 1) this.#last[column] = column
    for (let row = 1; row <= a.length; row += 1) {
      if (this.#fillRow(a, b, row) > most) return most + 1
      const spare = this.#beforeLast
      this.#beforeLast = this.#last
      this.#last = this.#current
      this.#current = spare
    }
    return this.#last[columns]!
  }

  /** Fills the current row and returns the least distance in it: later rows have none below. */
  #fillRow(a: Uint32Array, b: Uint32Array, row: number): number {
    const last = this.#last
    const current = this.#current
    const letter = a[row - 1]!
    const before = row > 1 ? a[row - 2]! : 0
    current[0] = row
    let least = row
    for (let column = 1; column <= b.length; column += 1) {
      const other = b[column - 1]!
      let cost = last[column - 1]! + (letter === other ? 0 : 1)
      cost = Math.min(cost, last[column]! + 1, current[column - 1]! + 1)
      if (row > 1 && column > 1 && letter === b[column - 2]! && before === other) {
        cost = Math.min(cost, this.#beforeLast[column - 2]! + 1)
      }
      current[column] = cost
      if (cost < least) least = cost
    }
    return least
  }
}
