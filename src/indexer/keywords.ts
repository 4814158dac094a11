/**
 * Keywords: the terms of every authority while they arrive, and the postings once the order of
 * authorities is known. It needs nothing of the rest of a build in between, so that it can be done
 * on a thread beside it (`keyword-thread.ts`).
 */

import { Lists } from '../memory/columns.ts'
import { Interner } from '../memory/interner.ts'
import { termsOf } from '../text/analyzer.ts'
import { type ListView, type PostingSections, postingSections } from './posting-sections.ts'

/** What is known when all authorities have arrived and are ranked. */
export interface RankedAuthorities {
  /** Arrivals, in the order of their ordinals. */
  readonly arrivals: Uint32Array
  /** Topics by arrival of an authority. */
  readonly topics: ListView
  /** Keys of each topic: of its label and of its aliases, terms with single spaces. */
  readonly topicKeys: readonly (readonly string[])[]
}

/** Takes authorities in the order in which they arrive, then makes the sections. */
export interface KeywordIndexer {
  add(name: string, bio: string): void
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

  add(name: string, bio: string): void {
    this.#addTo(this.#names, name)
    this.#addTo(this.#bios, bio)
  }

  begin(ranked: RankedAuthorities): void {
    this.#ranked = ranked
  }

  sections(): PostingSections {
    const { arrivals, topics, topicKeys } = this.#ranked!
    const topicTerms = topicKeys.map((keys) =>
      keys.flatMap((key) => key.split(' ').map((term) => this.#terms.intern(term))),
    )
    const names = this.#names.view()
    const bios = this.#bios.view()
    const terms = this.#terms.table()
    return postingSections({ terms, names, bios, topics, topicTerms }, arrivals)
  }

  #addTo(lists: Lists, text: string): void {
    for (const term of termsOf(text)) lists.values.push(this.#terms.intern(term))
    lists.end()
  }
}
