/**
 * A reading of a query: its words, in parts. A part is a phrase that means a topic, a place or an
 * attribute, the longest first, or a single word; who is in a part holds its words or is meant by it.
 */
import { limits } from '../../limits.ts'
import { findBytes, findText, Scratch, type TextTable } from '../../memory/text-table.ts'
import { tableOf } from '../../snapshot/text-tables.ts'
import type { Catalog } from '../catalog.ts'
import { type DocSet, intersectionOf, unionOf } from '../postings/doc-set.ts'
import type { Postings } from '../postings/postings.ts'
import type { QueryWord, Words } from './words.ts'

/** Some words one after the other, and what they mean. */
export interface QueryPart {
  readonly words: readonly QueryWord[]
  /** The topic that they mean, or -1. */
  readonly topic: number
  /** The place that they mean, or -1. */
  readonly place: number
  /** The attribute that they mean, or -1. */
  readonly attribute: number
  /** Whether only those are in it whom it means, not those who hold its words. */
  readonly isOfMeaning?: boolean
}

/** Whether a part means a topic, a place or an attribute. */
export function isUnderstood({ topic, place, attribute }: QueryPart): boolean {
  return topic >= 0 || place >= 0 || attribute >= 0
}

/** What a phrase means; -1 where it means none. */
export type Meaning = Pick<QueryPart, 'topic' | 'place' | 'attribute'>

/** Words of the longest phrase that is looked for inside a text; a character may be a word. */
const phraseWordsMax = 12

/** No meaning. */
export const meaningless: Meaning = { topic: -1, place: -1, attribute: -1 }

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
  /** Whether any phrase means an attribute. */
  readonly hasAttributes: boolean
  readonly #scratch = new Scratch()
  /** The text that was read last: ways ask for it one after the other. */
  #read: { readonly words: readonly QueryWord[]; readonly parts: QueryPart[] } | undefined

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
    this.hasAttributes = this.#attributes.some((attribute) => attribute > 0)
  }

  /** The topic that a whole text means by its label or an alias, in either number and spacing, or -1. */
  topicOf(words: readonly QueryWord[]): number {
    return words.some(({ isExact }) => isExact) ? -1 : this.meaningOf(words).topic
  }

  /** The topic whose members stand behind those whom a whole text means otherwise, or -1. */
  topicBehind(words: readonly QueryWord[]): number {
    if (words.some(({ isExact }) => isExact)) return -1
    const ends = this.#write(words)
    const phrase = this.#find(0, ends.at(-1)!)
    return phrase < 0 ? -1 : this.#topicsBehind[phrase]! - 1
  }

  /** The parts of a text: of the phrases that begin with a word, the longest that means anything. */
  partsOf(words: readonly QueryWord[]): readonly QueryPart[] {
    if (this.#read?.words === words) return this.#read.parts
    const ends = this.#write(words)
    const parts: QueryPart[] = []
    for (let at = 0; at < words.length; at += parts.at(-1)!.words.length) {
      parts.push(this.#longest(words, ends, at))
    }
    this.#read = { words, parts }
    return parts
  }

  /** What the words mean as one phrase. */
  meaningOf(words: readonly QueryWord[]): Meaning {
    const ends = this.#write(words)
    const phrase = this.#find(0, ends.at(-1)!)
    return phrase < 0 ? meaningless : this.#meaningOf(phrase, words)
  }

  /** The topic that the phrase of a key names or is another word for, or -1. */
  relatedTo(key: string): number {
    const phrase = findText(this.#table, key, this.#scratch)
    return phrase < 0 ? -1 : (this.#topics[phrase]! || this.#related[phrase]!) - 1
  }

  #longest(words: readonly QueryWord[], ends: readonly number[], at: number): QueryPart {
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
    return { words: [words[at]!], ...meaningless }
  }

  /** Writes the keys of words one behind the other, so that each phrase is a piece; returns their ends. */
  #write(words: readonly QueryWord[]): number[] {
    const keys = words.reduce((joined, { key }) => joined + key, '')
    const isAscii = this.#scratch.write(keys) === keys.length
    let end = 0
    return words.map(({ key }) => {
      end += isAscii ? key.length : Buffer.byteLength(key)
      return end
    })
  }

  /** The number of the phrase whose key was written from `start` to `end`, or -1. */
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

  /** The part as a code of a place, or undefined where it is none. */
  asCode(part: QueryPart): QueryPart | undefined {
    const [word, another] = part.words
    if (word === undefined || another !== undefined || word.isExact || word.isStop) return undefined
    const [end = 0] = this.#write([word])
    const phrase = this.#find(0, end)
    const place = phrase < 0 ? -1 : this.#codes[phrase]! - 1
    return place < 0 ? undefined : { ...part, place }
  }

  /** A word as a code of an attribute, or undefined where it is none. */
  asAttributeCode(word: QueryWord): QueryPart | undefined {
    const [end = 0] = this.#write([word])
    const phrase = this.#find(0, end)
    const attribute = phrase < 0 ? -1 : this.#attributeCodes[phrase]! - 1
    return attribute < 0 ? undefined : { words: [word], ...meaningless, attribute }
  }

  /** Those who hold all words of a part, or are meant by it. */
  holdersOf({ words, topic, place, attribute, isOfMeaning }: QueryPart): DocSet {
    const meant: DocSet[] = []
    if (topic >= 0) meant.push(this.#postings.list('meaning', topic))
    if (place >= 0) meant.push(this.#postings.list('meaning', this.#catalog.counts.topics + place))
    if (attribute >= 0) {
      const { topics, places } = this.#catalog.counts
      meant.push(this.#postings.list('meaning', topics + places + attribute))
    }
    if (isOfMeaning === true) return unionOf(meant)
    return unionOf([...meant, intersectionOf(words.map((word) => this.#words.holding(word)))])
  }
}
