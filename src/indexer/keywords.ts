/**
 * Keywords: the terms of every authority while they arrive, and the postings once the order of
 * authorities is known. It needs nothing of the rest of a build in between, so that it can be done
 * on a thread beside it (`keyword-worker.ts`).
 */

import { Lists } from '../memory/columns.ts'
import { Interner } from '../memory/interner.ts'
import { cuts } from '../snapshot/pieces.ts'
import { termsOf, wordsOf } from '../text/analyzer.ts'
import { type ListView, type PostingSections, postingSections } from './posting-sections.ts'

/** What is known when all authorities have arrived and are ranked. */
export interface RankedAuthorities {
  /** Arrivals, in the order of their ordinals. */
  readonly arrivals: Uint32Array
  /** Topics by arrival of an authority. */
  readonly topics: ListView
  /** Keys of each topic: of its label and of its aliases, terms with single spaces. */
  readonly topicKeys: readonly (readonly string[])[]
  /** Terms of what places are called, which people may misspell though nobody's text holds them. */
  readonly placeTerms: readonly string[]
}

/** Takes authorities in the order in which they arrive, then makes the sections. */
export interface KeywordIndexer {
  /** @param names of one authority, each in a line. */
  add(names: string, bio: string): void
  /** Begins to make the sections; no more authorities are added. */
  begin(ranked: RankedAuthorities): void
  /** The sections; waits until they are made. */
  sections(): PostingSections
}

/** Does it in place. */
export class Keywords implements KeywordIndexer {
  readonly #terms = new Interner()
  /** Terms by arrival; one may stand in a list more than once. */
  readonly #names = new Lists()
  readonly #bios = new Lists()
  #ranked: RankedAuthorities | undefined

  add(names: string, bio: string): void {
    const { values } = this.#names
    for (const { text, terms } of wordsOf(names)) {
      for (const term of terms) values.push(this.#terms.intern(term))
      if (isRun(text, terms)) values.push(this.#terms.intern(text))
    }
    this.#names.end()
    for (const term of termsOf(bio)) this.#bios.values.push(this.#terms.intern(term))
    this.#bios.end()
  }

  begin(ranked: RankedAuthorities): void {
    this.#ranked = ranked
  }

  sections(): PostingSections {
    const { arrivals, topics, topicKeys, placeTerms } = this.#ranked!
    for (const term of placeTerms) this.#terms.intern(term)
    const topicTerms = topicKeys.map((keys) =>
      keys.flatMap((key) => key.split(' ').map((term) => this.#terms.intern(term))),
    )
    const names = this.#names.view()
    const bios = this.#bios.view()
    const terms = this.#terms.table()
    return postingSections({ terms, names, bios, topics, topicTerms }, arrivals)
  }
}

/**
 * A word of a name that is written without spaces, and long enough to be found misspelled: it is a
 * term beside its characters.
 */
function isRun(text: string, terms: readonly string[]): boolean {
  return terms.length > 1 && [...text].length >= cuts[0].lettersMin
}
