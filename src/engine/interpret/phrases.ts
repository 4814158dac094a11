/**
 * A reading of a query: its words, in parts. A part is a phrase that means a topic, a place or an
 * attribute, the longest first, or a single word; who is in a part holds its words or is meant by it.
 */
import { limits } from '../../limits.ts'
import {
  findBytes,
  findText,
  hashAscii,
  hasSlotOf,
  mixHash,
  noBytesHash,
  Scratch,
  type TextTable,
} from '../../memory/text-table.ts'
import { tableOf } from '../../snapshot/text-tables.ts'
import { remembered } from '../bounded-cache.ts'
import type { Catalog } from '../catalog.ts'
import { type DocSet, intersectionOf, nobody, unionOf } from '../postings/doc-set.ts'
import type { Postings } from '../postings/postings.ts'
import type { QueryPart, QueryWord } from '../terms/query-word.ts'
import type { Words } from './words.ts'

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
  readonly #words: Words
  readonly #table: TextTable
  readonly #topics: Uint32Array
  readonly #topicsBehind: Uint32Array
  readonly #places: Uint32Array
  readonly #codes: Uint32Array
  readonly #attributes: Uint32Array
  readonly #attributeCodes: Uint32Array
  readonly #related: Uint32Array
  readonly #scratch = new Scratch()
  readonly #ends: number[] = []
  readonly partsOf = remembered(keptMax, (words: readonly QueryWord[]) => this.#readParts(words))
  readonly #holders = remembered(keptMax, (part: QueryPart) => this.#findHolders(part))

  constructor(catalog: Catalog, postings: Postings, words: Words) {
    const { sections } = catalog
    this.#catalog = catalog
    this.#postings = postings
    this.#words = words
    this.#table = tableOf(catalog, 'phrase')
    this.#topics = sections['phrase.topics']
    this.#topicsBehind = sections['phrase.topics-behind']
    this.#places = sections['phrase.places']
    this.#codes = sections['phrase.codes']
    this.#attributes = sections['phrase.attributes']
    this.#attributeCodes = sections['phrase.attribute-codes']
    this.#related = sections['phrase.related']
  }

  /** The topic that a whole text means by its label or an alias, in either number and spacing, or -1. */
  topicOf(words: readonly QueryWord[]): number {
    return words.some(isExactWord) ? -1 : this.meaningOf(words).topic
  }

  /** The same, and the topic whose members stand behind those whom the text means otherwise, or -1. */
  topicsOf(words: readonly QueryWord[]): { readonly topic: number; readonly behind: number } {
    const phrase = words.some(isExactWord) ? -1 : this.#whole(words)
    if (phrase < 0) return noTopics
    const { topic } = this.#meaningOf(phrase, words)
    return { topic, behind: this.#topicsBehind[phrase]! - 1 }
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
    const phrase = this.#whole(words)
    return phrase < 0 ? meaningless : this.#meaningOf(phrase, words)
  }

  /** The topic that the phrase of a key names or is another word for, or -1. */
  relatedTo(key: string): number {
    const phrase = findText(this.#table, key, this.#scratch)
    return phrase < 0 ? -1 : (this.#topics[phrase]! || this.#related[phrase]!) - 1
  }

  /** The same of a phrase; words that say nothing do not count in it, but for the last. */
  relatedToPhrase(words: readonly QueryWord[]): number {
    const last = words.length - 1
    let hash = noBytesHash
    for (let at = 0; at <= last && hash >= 0; at += 1) {
      if (at === last || !words[at]!.isStop) hash = hashAscii(hash, words[at]!.key)
    }
    // Nearly all keys are no phrase's.
    if (hash >= 0 && !hasSlotOf(this.#table, mixHash(hash))) return -1
    const told = words.filter(({ isStop }, at) => at === last || !isStop)
    return this.relatedTo(told.map((word) => word.key).join(''))
  }

  #whole(words: readonly QueryWord[]): number {
    let hash = noBytesHash
    for (let at = 0; at < words.length && hash >= 0; at += 1) hash = hashAscii(hash, words[at]!.key)
    if (hash >= 0 && !hasSlotOf(this.#table, mixHash(hash))) return -1
    return this.#find(0, this.#write(words))
  }

  #longest(words: readonly QueryWord[], at: number): QueryPart {
    const ends = this.#ends
    let most = 0
    while (most < phraseWordsMax && words[at + most]?.isExact === false) most += 1
    const start = at === 0 ? 0 : ends[at - 1]!
    for (let count = most; count > 0; count -= 1) {
      if (count === 1 && words[at]!.isStop) break
      const phrase = this.#find(start, ends[at + count - 1]!)
      if (phrase < 0) continue
      const part = words.slice(at, at + count)
      const meaning = this.#meaningOf(phrase, part)
      if (meaning !== meaningless) return { words: part, ...meaning }
    }
    return words[at]!.alone
  }

  /** Writes the keys of words one behind the other, so that each phrase is a piece; returns the last end. */
  #write(words: readonly QueryWord[]): number {
    let end = 0
    for (let at = 0; at < words.length; at += 1) {
      end = this.#scratch.append(words[at]!.key, end)
      this.#ends[at] = end
    }
    return end
  }

  #find(start: number, end: number): number {
    return findBytes(this.#table, this.#scratch.bytes, start, end)
  }

  #meaningOf(phrase: number, words: readonly QueryWord[]): Meaning {
    const topic = this.#topics[phrase]! - 1
    const place = this.#places[phrase]! - 1
    const attribute = this.#attributes[phrase]! - 1
    if (topic < 0) {
      return place < 0 && attribute < 0 ? meaningless : { topic, place, attribute }
    }
    // Topics that differ in number only share a phrase: as it is written it is one of them, unless few have that one
    // or the other takes the phrase from it.
    const written = this.#catalog.findTopic(words.flatMap(({ terms }) => terms).join(' '))
    const enough = Math.min(limits.phraseMembersMin, this.#catalog.sizeOf(topic))
    const isOutdone = written === this.#topicsBehind[phrase]! - 1
    const isMeant = written >= 0 && !isOutdone && this.#catalog.sizeOf(written) >= enough
    return { topic: isMeant ? written : topic, place, attribute }
  }

  /** A word as a code of a place, or undefined where it is none. */
  asCode(word: QueryWord): QueryPart | undefined {
    const place = word.isStop ? -1 : this.#codeIn(this.#codes, word)
    return place < 0 ? undefined : { ...word.alone, place }
  }

  /** A word as a code of an attribute, or undefined where it is none. */
  asAttributeCode(word: QueryWord): QueryPart | undefined {
    const attribute = this.#codeIn(this.#attributeCodes, word)
    return attribute < 0 ? undefined : { ...word.alone, attribute }
  }

  #codeIn(codes: Uint32Array, word: QueryWord): number {
    const phrase = this.#find(0, this.#write([word]))
    return phrase < 0 ? -1 : codes[phrase]! - 1
  }

  /** Those who hold all words of a part, or are meant by it. */
  holdersOf(part: QueryPart): DocSet {
    const { words, isOfMeaning } = part
    // Most parts are one word that means nothing.
    return words.length === 1 && !isUnderstood(part) && isOfMeaning !== true
      ? this.#words.holding(words[0]!)
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
    const held = words.length === 1 ? this.#words.holding(words[0]!) : this.#holdingAll(words)
    return unionOf([meant, held])
  }

  /** Those whom a meaning of a kind means; nobody for -1. @param first the number of the first of its kind. */
  #meant(meaning: number, first: number): DocSet {
    return meaning < 0 ? nobody : this.#postings.meaning(first + meaning)
  }

  #holdingAll(words: readonly QueryWord[]): DocSet {
    return intersectionOf(words.map((word) => this.#words.holding(word)))
  }
}
