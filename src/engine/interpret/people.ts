/**
 * Finds the people of a text: first those whose names have its words, then those who match its parts by
 * word or by meaning. The readings of a text differ in the parts that a person must match; the first
 * reading with a match counts.
 */
import { isUnspaced } from '../../text/analyzer.ts'
import { isCommonWord } from '../../text/speech/plain-english.ts'
import type { Catalog } from '../catalog.ts'
import { type DocSet, isAnybodyIn } from '../postings/doc-set.ts'
import { listOf } from '../postings/list.ts'
import type { Postings } from '../postings/postings.ts'
import { firstOf } from '../postings/smallest-k.ts'
import { bestOfEquals, comparedEqualsMax } from './equals.ts'
import { type Found, type Matched, positions, type Tier, type Way } from './found.ts'
import { isUnderstood, meaningless, type PhraseReader, type QueryPart } from './phrases.ts'
import { TopicOrder } from './ranking.ts'
import { joinedOf, type QueryWord, type Words } from './words.ts'

/** The parts of a text that a person must match: words by name, or parts by anything. */
interface Reading {
  readonly names: readonly QueryWord[]
  readonly parts: readonly QueryPart[]
  /** Whether only names count. */
  readonly isOfNames?: boolean
  /** Whether the last word may be the beginning of another. */
  readonly isBegun?: boolean
}

const none: readonly never[] = []

export class People {
  readonly #catalog: Catalog
  readonly #postings: Postings
  readonly #words: Words
  readonly #phrases: PhraseReader

  constructor(catalog: Catalog, postings: Postings, words: Words, phrases: PhraseReader) {
    this.#catalog = catalog
    this.#postings = postings
    this.#words = words
    this.#phrases = phrases
  }

  /**
   * The first people of the first reading that finds anybody, or undefined.
   * @param isWhole takes every word as it stands: none as a beginning or as a code.
   */
  find(words: readonly QueryWord[], limit: number, isWhole = false): Found | undefined {
    const parts = this.#phrases.partsOf(words)
    for (const reading of this.#readings(words, parts, isWhole)) {
      const found = this.#findAs(reading, limit)
      if (found !== undefined) return { ...found, leftOut: leftOut(words, found.parts) }
    }
    return undefined
  }

  /** The people who match all parts by meaning. */
  inAll(parts: readonly QueryPart[], limit: number): Found | undefined {
    const found = this.#findAs({ names: [], parts }, limit)
    return found && { ...found, leftOut: [] }
  }

  /** The people whose names have all words of a text, and behind them the members of a topic called so. */
  named(words: readonly QueryWord[], topic: number, limit: number): Found | undefined {
    const parts = [{ words, ...meaningless, topic }]
    const found = this.#findAs({ names: words, parts }, limit)
    return found?.way === 'name' ? { ...found, parts, leftOut: [] } : undefined
  }

  *#readings(
    words: readonly QueryWord[],
    parts: readonly QueryPart[],
    isWhole: boolean,
  ): Iterable<Reading> {
    const telling = parts.filter(tells)
    const hasGlue = telling.length > 0 && telling.length < parts.length
    if (this.#mayMatch(telling)) {
      // What a sentence is held together by must not decide who of France is shown.
      yield { names: words, parts, isOfNames: hasGlue && telling.some(isUnderstood) }
      // A name may begin with what else is glue: An Li, of `who is An Li?`
      for (let from = 1; from < words.length && words[from - 1]!.isStop; from += 1) {
        yield { names: words.slice(from), parts, isOfNames: true }
      }
      if (hasGlue) yield { names: wordsIn(telling), parts: telling }
    }
    if (isWhole) return
    if (this.#mayBeBegun(parts)) yield { names: words, parts, isBegun: true }
    if (hasGlue && this.#mayBeBegun(telling)) {
      yield { names: wordsIn(telling), parts: telling, isBegun: true }
    }
    const coded = this.#withCodes(telling)
    if (coded !== undefined) yield { names: [], parts: coded }
  }

  /**
   * Whether anybody matches all parts that tell something, as everybody does whom a reading without beginnings and
   * codes finds: who is called so holds the words, too. One look in place of one for each reading.
   */
  #mayMatch(telling: readonly QueryPart[]): boolean {
    // A name that is written without a space is one word, of which the text may have two: 村上 春樹.
    const isParted = (part: QueryPart) => part.words.some(isUnspaced)
    if (telling.length === 0 || telling.some(isParted)) return true
    const holders: DocSet[] = []
    for (const part of telling) {
      const held = this.#phrases.holdersOf(part)
      if (held.size === 0) return false
      holders.push(held)
    }
    // Of one part the first reading finds everybody anyway.
    return holders.length === 1 || isAnybodyIn(holders)
  }

  /**
   * Whether the last part is a word that says something, and that nobody has as a whole. A common word
   * that stands alone was meant as it was typed.
   */
  #mayBeBegun(parts: readonly QueryPart[]): boolean {
    const part = parts.at(-1)!
    if (!tells(part) || isUnderstood(part) || this.#phrases.holdersOf(part).size > 0) return false
    return parts.some((each) => each !== part && tells(each)) || !isCommonWord(part.words[0]!.text)
  }

  /** Codes are taken for places beside a topic, or alone: `physics DE`, `fr`. */
  #withCodes(parts: readonly QueryPart[]): readonly QueryPart[] | undefined {
    if (parts.length > 1 && parts.every(({ topic }) => topic < 0)) return undefined
    const coded = parts.map((part) => (part.topic < 0 && this.#phrases.asCode(part)) || part)
    return coded.some((part, index) => part !== parts[index]) ? coded : undefined
  }

  #findAs(reading: Reading, limit: number): Omit<Found, 'leftOut'> | undefined {
    const tiers = this.#namesOf(reading)
    const first =
      tiers.length === 0 ? none : firstOfTiers(tiers, Math.max(limit, comparedEqualsMax))
    const holders = first.length < limit ? this.#wordsOf(reading) : none
    if (first.length === 0 && holders.length === 0) return undefined
    const said = reading.names.length
    // Where characters are words the tiers say what is written best.
    const best: readonly number[] =
      tiers.length === 1 ? bestOfEquals(this.#catalog, first, said) : none
    // Most texts find nobody by name and mean no topic: for those nothing is made here that would only be collected.
    const byName: readonly number[] =
      first.length === 0 ? none : [...new Set([...best, ...first])].slice(0, limit)
    const topics = topicsOf(reading.parts)
    const isOrdered = topics.length > 0 && reading.isOfNames !== true
    const order = isOrdered ? this.#orderOf(topics) : undefined
    const byWord = byName.length < limit ? firstInOrder(holders, order, limit) : none
    const ordinals =
      byName.length === 0
        ? byWord
        : [...byName, ...byWord.filter((each) => !byName.includes(each))].slice(0, limit)
    if (ordinals.length === 0) return undefined
    const isRanked = byName.length === 0 && topics.length === 1
    const ranks = isRanked
      ? ordinals.map((ordinal, index) => order!.rankOf(ordinal) || index + 1)
      : positions
    const matched = () => ({
      names: byName.length === 0 ? [] : [...best.map(tierOf), ...tiers],
      equals: byName.length === 0 ? 0 : best.length,
      words: this.#wordsOf(reading),
      order,
      isRanked,
    })
    if (byName.length === 0) return foundIn('words', ordinals, ranks, reading.parts, matched)
    const parts = [{ words: reading.names, ...meaningless }]
    return foundIn('name', ordinals, ranks, parts, matched)
  }

  #orderOf(topics: readonly number[]): TopicOrder {
    return new TopicOrder(this.#catalog, this.#postings, topics)
  }

  /** The people whose names have the words, in tiers; a person of a tier is in all of its sets. */
  #namesOf({ names, isBegun }: Reading): readonly Tier[] {
    if (names.length === 0) return []
    if (isBegun !== true && names.some(({ terms }) => terms.length > 1)) {
      return this.#unspaced(names)
    }
    const whole = isBegun === true ? names.slice(0, -1) : names
    const holders = whole.map((word) => this.#words.named(word))
    if (holders.some(({ size }) => size === 0)) return []
    if (isBegun === true) holders.push(this.#words.beginning('name', names.at(-1)!))
    return [holders]
  }

  /**
   * Where characters are words: first those whose names hold them as they are written, spaces or not,
   * or with one slip; then those whose names hold all of them anywhere.
   */
  #unspaced(names: readonly QueryWord[]): readonly Tier[] {
    const texts = [names, ...joinedOf(names).map((word) => [word])]
    const written = texts.map((text) => text.map((word) => this.#words.written(word)))
    const isAny = written.some((tier) => firstOf(tier, 1).length > 0)
    const nearest = isAny
      ? written
      : texts
          .filter((text) => text.every((word) => this.#words.named(word).size > 0))
          .map((text) => text.map((word) => this.#words.nearlyWritten(word)))
    return [...nearest, names.map((word) => this.#words.named(word))]
  }

  /** The sets whose intersection matches the parts. */
  #wordsOf({ parts, isOfNames, isBegun }: Reading): Tier {
    if (isOfNames === true) return []
    const whole = isBegun === true ? parts.slice(0, -1) : parts
    const holders = whole.map((part) => this.#phrases.holdersOf(part))
    if (holders.some(({ size }) => size === 0)) return []
    if (isBegun !== true) return holders
    const begun = this.#words.beginning('word', parts.at(-1)!.words[0]!)
    return begun.size === 0 ? [] : [...holders, begun]
  }
}

function wordsIn(parts: readonly QueryPart[]): readonly QueryWord[] {
  return parts.flatMap((part) => part.words)
}

/** A tier of one person. */
function tierOf(ordinal: number): Tier {
  return [listOf(Uint32Array.of(ordinal), 0, 1)]
}

/** The first people of some tiers, one tier after the other, each once. */
function firstOfTiers(tiers: readonly Tier[], limit: number): readonly number[] {
  const [only = [], another] = tiers
  if (another === undefined) return tiers.length === 0 ? [] : firstOf(only, limit)
  const found = new Set<number>()
  for (const tier of tiers) {
    if (found.size < limit) for (const each of firstOf(tier, limit)) found.add(each)
  }
  return [...found].slice(0, limit)
}

/** The first people of an intersection, in an order of topics or by authority. */
function firstInOrder(
  holders: readonly DocSet[],
  order: TopicOrder | undefined,
  limit: number,
): readonly number[] {
  if (order === undefined || holders.length === 0) return firstOf(holders, limit)
  return order.first(holders, limit)
}

function foundIn(
  way: Way,
  ordinals: readonly number[],
  ranks: ArrayLike<number>,
  parts: readonly QueryPart[],
  matched: () => Matched,
): Omit<Found, 'leftOut'> {
  return { way, topic: -1, ordinals, ranks, parts, corrected: [], matched }
}

/** Whether a part says anything of who is meant. */
function tells(part: QueryPart): boolean {
  return isUnderstood(part) || part.words.some(({ isStop }) => !isStop)
}

/** The topics that parts mean, each once. */
function topicsOf(parts: readonly QueryPart[]): readonly number[] {
  if (parts.every(({ topic }) => topic < 0)) return none
  return [...new Set(parts.map(({ topic }) => topic).filter((each) => each >= 0))]
}

function leftOut(all: readonly QueryWord[], used: readonly QueryPart[]): string[] {
  const words = new Set(used.flatMap((part) => part.words))
  return all.filter((word) => !words.has(word)).map(({ text }) => text)
}
