/**
 * A list for each text, one after the other: the first list of a text is the one of the text before, filled in anew;
 * any other is a new one.
 */

const none: readonly never[] = []

export class FirstList<T> {
  readonly #list: T[] = []
  #isTaken = false

  /** Begins another text: the lists of the one before are over. */
  begin(): void {
    this.#isTaken = false
  }

  /**
   * A list of the first `count` of some things, good until another text begins. Of none it takes nothing: to shorten an
   * array to nothing gives up its memory.
   */
  of(things: readonly T[], count: number): readonly T[] {
    if (count === 0) return none
    if (this.#isTaken) return things.slice(0, count)
    this.#isTaken = true
    const list = this.#list
    for (let at = 0; at < count; at += 1) list[at] = things[at]!
    if (list.length > count) list.length = count
    return list
  }
}
