/**
 * The terms of names as they are compared by their sounds: one that was compared lately is not read and heard again.
 *
 * Invariant: what is kept of a term follows from the term alone.
 */
import { isForeign, isVowelless, latinOf } from '../../text/sound/latin.ts'
import { soundSpellingsOf } from '../../text/sound/sounds.ts'
import { BoundedCache } from '../bounded-cache.ts'
import type { Postings } from '../postings/postings.ts'

/** Terms that are kept: the names of a sound are the same for all texts. Some hundred bytes each. */
const heardMax = 4_096

/** A word of a name as it is heard. */
export class HeardTerm {
  readonly text: string
  readonly latin: string
  readonly isForeign: boolean
  readonly isVowelless: boolean
  #spellings: readonly string[] | undefined

  constructor(text: string) {
    this.text = text
    this.latin = latinOf(text)
    this.isForeign = isForeign(text)
    this.isVowelless = isVowelless(text)
  }

  /** Of its sounds; most terms differ too much to be heard. */
  get spellings(): readonly string[] {
    this.#spellings ??= soundSpellingsOf(this.latin)
    return this.#spellings
  }
}

/** Heard terms by their numbers. */
export class HeardTerms {
  readonly #heard = new BoundedCache<number, HeardTerm>(heardMax)
  readonly #hear: (term: number) => HeardTerm

  constructor(postings: Postings) {
    this.#hear = (term) => new HeardTerm(postings.textOf(term))
  }

  of(term: number): HeardTerm {
    return this.#heard.get(term, this.#hear)
  }
}
