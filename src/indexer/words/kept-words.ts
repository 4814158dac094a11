/** The words of people of an earlier sync, taken again: the lists that reading their texts would give. */
import type { Lists } from '../../memory/columns.ts'
import type { Interner } from '../../memory/interner.ts'
import { Renumbered } from '../../memory/known/renumbered.ts'
import type { Texts } from '../../memory/text-table.ts'
import type { ListView } from '../posting-sections.ts'

/** Terms, and by number of a person those of the names and of the biography, in the order of the texts. */
export interface HeldWords {
  readonly terms: Texts
  readonly names: ListView
  readonly bios: ListView
}

export class KeptWords {
  readonly #words: HeldWords
  readonly #terms: Renumbered

  /** @param interner of this sync. O(terms). */
  constructor(words: HeldWords, interner: Interner) {
    this.#words = words
    this.#terms = new Renumbered(words.terms, interner)
  }

  /** Copies the words of a person behind the lists. O(words of the person). */
  copyTo(person: number, names: Lists, bios: Lists): void {
    this.#copy(this.#words.names, person, names)
    this.#copy(this.#words.bios, person, bios)
  }

  #copy({ starts, values }: ListView, person: number, into: Lists): void {
    const end = starts[person + 1]!
    for (let at = starts[person]!; at < end; at += 1) {
      into.values.push(this.#terms.intern(values[at]!))
    }
    into.end()
  }
}
