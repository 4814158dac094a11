/**
 * The people of a text: those whose names hold its words, and those who hold its parts by word or by
 * meaning. Tells the readings of a text, which differ in what of it must be held, and takes the first
 * that finds anybody.
 */
import type { Catalog } from '../catalog.ts'
import { type Found, positions, type Way } from './found.ts'
import { type Holders, walkAll } from './holders.ts'
import { Least } from './least.ts'
import type { Postings } from './postings.ts'
import { TopicOrder } from './ranking.ts'
import { isUnderstood, type Part, type Phrases } from './reading.ts'
import { type Asked, joinedOf, type Words } from './words.ts'

/** What of a text must be held: words by a name, or parts by anything. */
interface Reading {
  readonly names: readonly Asked[]
  readonly parts: readonly Part[]
  /** Whether only names are asked. */
  readonly isOfNames?: boolean
  /** Whether the last word may be the beginning of another. */
  readonly isBegun?: boolean
}

export class People {
  readonly #catalog: Catalog
  readonly #postings: Postings
  readonly #words: Words
  readonly #phrases: Phrases

  constructor(catalog: Catalog, postings: Postings, words: Words, phrases: Phrases) {
    this.#catalog = catalog
    this.#postings = postings
    this.#words = words
    this.#phrases = phrases
  }

  /** The first people of the first reading that finds anybody, or undefined. */
  find(words: readonly Asked[], limit: number): Found | undefined {
    const parts = this.#phrases.partsOf(words)
    for (const reading of this.#readings(words, parts)) {
      const found = this.#findAs(reading, limit)
      if (found !== undefined) return { ...found, leftOut: leftOut(words, found.parts) }
    }
    return undefined
  }

  *#readings(words: readonly Asked[], parts: readonly Part[]): Iterable<Reading> {
    const telling = parts.filter(tells)
    const all = { names: words, parts }
    const content = { names: telling.flatMap((part) => part.words), parts: telling }
    const hasGlue = telling.length > 0 && telling.length < parts.length
    const means = telling.some(isUnderstood)
    // What a sentence is held together by must not decide who of France is shown.
    yield { ...all, isOfNames: hasGlue && means }
    // A name may begin with what else is glue: An Li, of `who is An Li?`
    for (let from = 1; from < words.length && words[from - 1]!.isStop; from += 1) {
      yield { names: words.slice(from), parts, isOfNames: true }
    }
    if (hasGlue) yield content
    for (const reading of hasGlue ? [all, content] : [all]) {
      if (this.#mayBeBegun(reading.parts.at(-1)!)) yield { ...reading, isBegun: true }
    }
    const coded = this.#withCodes(telling)
    if (coded !== undefined) yield { names: [], parts: coded }
  }

  /** Whether a part is a word that says something, and that nobody has as a whole. */
  #mayBeBegun(part: Part): boolean {
    return tells(part) && !isUnderstood(part) && this.#phrases.holdersOf(part).size === 0
  }

  /** Codes are taken for places beside a topic, or alone: `physics DE`, `fr`. */
  #withCodes(parts: readonly Part[]): readonly Part[] | undefined {
    if (parts.length > 1 && parts.every(({ topic }) => topic < 0)) return undefined
    const coded = parts.map((part) => (part.topic < 0 && this.#phrases.asCode(part)) || part)
    return coded.some((part, index) => part !== parts[index]) ? coded : undefined
  }

  #findAs(reading: Reading, limit: number): Omit<Found, 'leftOut'> | undefined {
    const byName = this.#findNames(reading, limit)
    const topics = [...new Set(reading.parts.map(({ topic }) => topic).filter((each) => each >= 0))]
    const isOrdered = topics.length > 0 && reading.isOfNames !== true
    const order = isOrdered ? this.#orderOf(topics) : undefined
    const byWord = byName.length < limit ? this.#findWords(reading, order, limit) : []
    const rest = byName.length === 0 ? byWord : byWord.filter((each) => !byName.includes(each))
    const ordinals = [...byName, ...rest].slice(0, limit)
    if (ordinals.length === 0) return undefined
    const isRanked = byName.length === 0 && topics.length === 1
    const ranks = isRanked
      ? ordinals.map((ordinal, index) => order!.rankOf(ordinal) || index + 1)
      : positions
    if (byName.length === 0) return foundIn('words', ordinals, ranks, reading.parts)
    return foundIn('name', ordinals, ranks, [{ words: reading.names, topic: -1, place: -1 }])
  }

  #orderOf(topics: readonly number[]): TopicOrder {
    return new TopicOrder(this.#catalog, this.#postings, topics)
  }

  #findNames({ names, isBegun }: Reading, limit: number): readonly number[] {
    if (names.length === 0) return []
    if (isBegun !== true && names.some(({ terms }) => terms.length > 1)) {
      return this.#findUnspaced(names, limit)
    }
    const whole = isBegun === true ? names.slice(0, -1) : names
    const holders = whole.map((word) => this.#words.named(word))
    if (isBegun === true) holders.push(this.#words.beginning('name', names.at(-1)!))
    return firstOf(holders, limit)
  }

  /**
   * Where characters are words: first those whose names hold them as they are written, spaces or not,
   * or with one slip; then those whose names hold all of them anywhere.
   */
  #findUnspaced(names: readonly Asked[], limit: number): readonly number[] {
    const texts = [names, ...joinedOf(names).map((word) => [word])]
    const found = new Set<number>()
    const find = (holdersOf: (word: Asked) => Holders) => {
      for (const text of texts) {
        for (const each of firstOf(text.map(holdersOf), limit)) found.add(each)
      }
    }
    find((word) => this.#words.written(word))
    if (found.size === 0) find((word) => this.#words.nearlyWritten(word))
    const holders = names.map((word) => this.#words.named(word))
    for (const each of found.size < limit ? firstOf(holders, limit) : []) found.add(each)
    return [...found].slice(0, limit)
  }

  #findWords(reading: Reading, order: TopicOrder | undefined, limit: number): readonly number[] {
    const { parts, isOfNames, isBegun } = reading
    if (isOfNames === true) return []
    const whole = isBegun === true ? parts.slice(0, -1) : parts
    const holders = whole.map((part) => this.#phrases.holdersOf(part))
    if (isBegun === true) {
      holders.push(this.#words.beginning('word', parts.at(-1)!.words[0]!))
    }
    if (holders.some(({ size }) => size === 0)) return []
    return order === undefined ? firstOf(holders, limit) : order.first(holders, limit)
  }
}

/** The first of those who are among all of some, by authority. */
function firstOf(holders: readonly Holders[], limit: number): readonly number[] {
  const least = new Least(limit)
  if (holders.every(({ size }) => size > 0)) walkAll(holders, (ordinal) => least.take(ordinal))
  return least.numbers
}

function foundIn(
  way: Way,
  ordinals: readonly number[],
  ranks: ArrayLike<number>,
  parts: readonly Part[],
): Omit<Found, 'leftOut'> {
  return { way, topic: -1, ordinals, ranks, parts, corrected: [] }
}

/** Whether a part says anything of who is meant. */
function tells(part: Part): boolean {
  return isUnderstood(part) || part.words.some(({ isStop }) => !isStop)
}

function leftOut(all: readonly Asked[], used: readonly Part[]): string[] {
  const words = new Set(used.flatMap((part) => part.words))
  return all.filter((word) => !words.has(word)).map(({ text }) => text)
}
