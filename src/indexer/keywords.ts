/**
 * Keywords: the terms of every authority while they arrive, and the postings once the order of
 * authorities is known. Needs nothing of the rest of a build, so that a thread can do it beside.
 */

import { Lists, type ListView } from '../memory/columns.ts'
import { Interner } from '../memory/interner.ts'
import { isUnspaced, termsOf, type Word, wordsOf } from '../text/analyzer.ts'
import { type PostingSections, postingSections } from './posting-sections.ts'

export interface RankedAuthorities {
  readonly arrivals: Uint32Array
  /** Topics by arrival of an authority. */
  readonly topics: ListView
  /** Keys of each topic: of its label and of its aliases, terms with single spaces. */
  readonly topicKeys: readonly (readonly string[])[]
  /** Terms of what places are called, which people may misspell although no record holds them. */
  readonly placeTerms: readonly string[]
}

export interface KeywordIndexer {
  /** @param names of one authority, each in a line; the first is how it is called mostly. */
  add(names: string, bio: string): void
  /** Resolves when more may be added: not too much waits for the indexer. */
  ready(): Promise<void>
  begin(ranked: RankedAuthorities): void
  sections(): PostingSections | Promise<PostingSections>
  close(): Promise<void>
}

export class Keywords implements KeywordIndexer {
  readonly #terms = new Interner()
  /** Terms by arrival; one may stand in a list more than once. */
  readonly #names = new Lists()
  readonly #bios = new Lists()
  #ranked: RankedAuthorities | undefined

  add(names: string, bio: string): void {
    const { values } = this.#names
    names.split('\n').forEach((name, index) => {
      const words = wordsOf(name)
      for (const word of words) {
        for (const term of nameTerms(word, index > 0)) values.push(this.#terms.intern(term))
      }
      const joined = joinedName(words)
      if (joined !== undefined) values.push(this.#terms.intern(joined))
    })
    this.#names.end()
    for (const term of termsOf(bio)) this.#bios.values.push(this.#terms.intern(term))
    this.#bios.end()
  }

  async ready(): Promise<void> {}

  async close(): Promise<void> {}

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
    const sections = postingSections({ terms, names, bios, topics, topicTerms }, arrivals)
    this.#ranked = undefined
    this.#terms.release()
    this.#names.clear()
    this.#bios.clear()
    return sections
  }
}

/**
 * The terms of a word of a name. In scripts without spaces a word is a term beside its characters, to
 * be found misspelled; of another name it is the only one: the characters of several names together
 * would be found in a great many names that no person has.
 */
function nameTerms({ text, terms }: Word, isOther: boolean): readonly string[] {
  if (terms.length === 1) return terms
  return isOther ? [text] : [...terms, text]
}

/** A name in a script without spaces that is written with some, as it is without them. */
function joinedName(words: readonly Word[]): string | undefined {
  const isJoined = words.length > 1 && words.every(isUnspaced)
  return isJoined ? words.map(({ text }) => text).join('') : undefined
}
