/**
 * A reading of a query: its words, in parts. A part is a phrase that means a topic, a place or an
 * attribute, the longest first, or a single word; who is in a part holds its words or is meant by it.
 */
import { limits } from '../../limits.ts'
import {
  findBytes,
  hashAscii,
  hasSlotOf,
  mixHash,
  noBytesHash,
  Scratch,
  type TextTable,
} from '../../memory/text-table.ts'
import type { Sections } from '../../snapshot/sections.ts'
import { tableOf } from '../../snapshot/text-tables.ts'
import { remembered } from '../bounded-cache.ts'
import type { Catalog } from '../catalog.ts'
import { type DocSet, intersectionOf, nobody, unionOf } from '../postings/doc-set.ts'
import type { Postings } from '../postings/postings.ts'
import type { QueryPart, QueryWord } from '../terms/query-word.ts'

export function isUnderstood({ topic, place, attribute }: Meaning): boolean {
  return topic >= 0 || place >= 0 || attribute >= 0
}

function isExactWord({ isExact }: QueryWord): boolean {
  return isExact
}

export type Meaning = Pick<QueryPart, 'topic' | 'place' | 'attribute'>

/** Words of the longest phrase that is looked for inside a text; a character may be a word. */
const phraseWordsMax = 12

/** Texts and parts of which what was read is kept: the last ones, as the ways of one query ask for the same ones. */
const keptMax = 64

export const meaningless: Meaning = { topic: -1, place: -1, attribute: -1 }
const noTopics = { topic: -1, behind: -1 } as const

export class PhraseReader {
  readonly #catalog: Catalog
  readonly #postings: Postings
  readonly #sections: Sections
  readonly #table: TextTable
  readonly #scratch = new Scratch()
  /** Where the keys begin that were written last. */
  readonly #starts: number[] = [0]
  readonly partsOf = remembered(keptMax, (words: readonly QueryWord[]) => this.#readParts(words))
  readonly #holders = remembered(keptMax, (part: QueryPart) => this.#findHolders(part))

  constructor(catalog: Catalog, postings: Postings) {
    this.#catalog = catalog
    this.#postings = postings
    this.#sections = catalog.sections
    this.#table = tableOf(catalog, 'phrase')
  }

  /**
   * The topic that a whole text means by its label or an alias, in either number and spacing, and the topic whose
   * members stand behind those whom the text means otherwise; -1 for none.
   */
  topicsOf(words: readonly QueryWord[]): { readonly topic: number; readonly behind: number } {
    const phrase = words.some(isExactWord) ? -1 : this.#phraseOf(words)
    if (phrase < 0) return noTopics
    const { topic } = this.#meaningOf(phrase, words)
    return { topic, behind: this.#sections['phrase.topics-behind'][phrase]! - 1 }
  }

  #readParts(words: readonly QueryWord[]): readonly QueryPart[] {
    this.#write(words)
    const parts: QueryPart[] = []
    for (let at = 0; at < words.length; ) {
      const part = this.#longest(words, at)
      parts.push(part)
      at += part.words.length
    }
    return parts
  }

  meaningOf(words: readonly QueryWord[]): Meaning {
    const phrase = this.#phraseOf(words)
    return phrase < 0 ? meaningless : this.#meaningOf(phrase, words)
  }

  /** The topic that words name or are other words for, or -1. */
  relatedTo(words: readonly QueryWord[]): number {
    const phrase = this.#phraseOf(words)
    if (phrase < 0) return -1
    return (
      (this.#sections['phrase.topics'][phrase]! || this.#sections['phrase.related'][phrase]!) - 1
    )
  }

  #longest(words: readonly QueryWord[], at: number): QueryPart {
    const starts = this.#starts
    let most = 0
    while (most < phraseWordsMax && words[at + most]?.isExact === false) most += 1
    for (let count = most; count > 0; count -= 1) {
      if (count === 1 && words[at]!.isStop) break
      const phrase = this.#find(starts[at]!, starts[at + count]!)
      if (phrase < 0) continue
      const part = words.slice(at, at + count)
      const meaning = this.#meaningOf(phrase, part)
      if (meaning !== meaningless) return { words: part, ...meaning }
    }
    return words[at]!.alone
  }

  /** The phrase of all words, or -1, as of nearly all. */
  #phraseOf(words: readonly QueryWord[]): number {
    let hash = noBytesHash
    for (let at = 0; at < words.length && hash >= 0; at += 1) hash = hashAscii(hash, words[at]!.key)
    if (hash >= 0 && !hasSlotOf(this.#table, mixHash(hash))) return -1
    return this.#find(0, this.#write(words))
  }

  /** Writes the keys of words one behind the other, so that each phrase is a piece; returns the last end. */
  #write(words: readonly QueryWord[]): number {
    let end = 0
    for (let at = 0; at < words.length; at += 1) {
      end = this.#scratch.append(words[at]!.key, end)
      this.#starts[at + 1] = end
    }
    return end
  }

  #find(start: number, end: number): number {
    return findBytes(this.#table, this.#scratch.bytes, start, end)
  }

  #meaningOf(phrase: number, words: readonly QueryWord[]): Meaning {
    const topic = this.#sections['phrase.topics'][phrase]! - 1
    const place = this.#sections['phrase.places'][phrase]! - 1
    const attribute = this.#sections['phrase.attributes'][phrase]! - 1
    if (topic < 0) {
      return place < 0 && attribute < 0 ? meaningless : { topic, place, attribute }
    }
    // Topics that differ in number only share a phrase: as it is written it is one of them, unless few have that one
    // or the other takes the phrase from it.
    const written = this.#catalog.findTopic(words.flatMap(({ terms }) => terms).join(' '))
    const enough = Math.min(limits.phraseMembersMin, this.#catalog.sizeOf(topic))
    const isOutdone = written === this.#sections['phrase.topics-behind'][phrase]! - 1
    const isMeant = written >= 0 && !isOutdone && this.#catalog.sizeOf(written) >= enough
    return { topic: isMeant ? written : topic, place, attribute }
  }

  /** A word as a code of a place or an attribute, or undefined where it is none. */
  asCode(word: QueryWord, of: 'place' | 'attribute'): QueryPart | undefined {
    const phrase = this.#phraseOf([word])
    const codes = this.#sections[of === 'place' ? 'phrase.codes' : 'phrase.attribute-codes']
    const code = phrase < 0 ? 0 : codes[phrase]!
    return code === 0 ? undefined : { ...word.alone, [of]: code - 1 }
  }

  /** Those who hold all words of a part, or are meant by it. */
  holdersOf(part: QueryPart): DocSet {
    const { words, isOfMeaning } = part
    // Most parts are one word that means nothing.
    return words.length === 1 && !isUnderstood(part) && isOfMeaning !== true
      ? words[0]!.held
      : this.#holders(part)
  }

  #findHolders({ words, topic, place, attribute, isOfMeaning }: QueryPart): DocSet {
    const { topics, places } = this.#catalog.counts
    const meant = unionOf([
      this.#meant(topic, 0),
      this.#meant(place, topics),
      this.#meant(attribute, topics + places),
    ])
    if (isOfMeaning === true) return meant
    return unionOf([meant, intersectionOf(words.map(({ held }) => held))])
  }

  /** Those whom a meaning of a kind means; nobody for -1. @param first the number of the first of its kind. */
  #meant(meaning: number, first: number): DocSet {
    return meaning < 0 ? nobody : this.#postings.meaning(first + meaning)
  }
}
