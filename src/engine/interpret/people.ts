/**
 * Finds the people of a text: first those whose names have its words, then those who match its parts by
 * word or by meaning. The readings of a text differ in the parts that a person must match; the first
 * reading with a match counts.
 */
import { isUnspaced } from '../../text/analyzer.ts'
import { isCommonWord } from '../../text/speech/plain-english.ts'
import type { Catalog } from '../catalog.ts'
import { FirstList } from '../first-list.ts'
import { OrderRoom } from '../postings/best.ts'
import { type DocSet, setsOf } from '../postings/doc-set.ts'
import { listOf } from '../postings/list.ts'
import type { Postings } from '../postings/postings.ts'
import { firstOf, isAnyoneIn, SmallestK } from '../postings/smallest-k.ts'
import type { QueryPart, QueryWord } from '../terms/query-word.ts'
import { bestOfEquals, comparedEqualsMax } from './equals.ts'
import { type Found, positions, type Tier } from './found.ts'
import { isUnderstood, meaningless, type PhraseReader } from './phrases.ts'
import { TopicOrder } from './ranking.ts'
import { Reading } from './reading.ts'
import { joinedOf, type Words } from './words.ts'

const none: readonly never[] = []

export class People {
  readonly #catalog: Catalog
  readonly #postings: Postings
  readonly #words: Words
  readonly #phrases: PhraseReader

  /** Scratch for the first people of one tier, until they are counted. */
  readonly #room = new SmallestK(0)
  /** Scratch for sets that are walked at once. */
  readonly #sets: DocSet[] = []
  /** The people whom a text finds; room for walks by topics; and the topics of the reading that is being tried. */
  readonly #copies = new FirstList<number>()
  readonly #orderRoom = new OrderRoom(this.#room, this.#copies)
  readonly #topics: number[] = []
  /** Makers of sets of words and of parts: made once, as every search needs them. */
  readonly #namedBy = (word: QueryWord) => this.#words.named(word)
  readonly #holdersOf = (part: QueryPart) => this.#phrases.holdersOf(part)
  readonly #matchedByWords = (reading: Reading) => this.#wordsOf(reading)
  /** The first reading of a text, and whether it found people in the text that is being read. */
  readonly #first = new Reading(this.#matchedByWords)
  #hasFound = false

  constructor(catalog: Catalog, postings: Postings, words: Words, phrases: PhraseReader) {
    this.#catalog = catalog
    this.#postings = postings
    this.#words = words
    this.#phrases = phrases
  }

  /** Begins another text: what was found before is over. */
  begin(): void {
    this.#hasFound = false
    this.#copies.begin()
  }

  /**
   * The first people of the first reading that finds anybody, or undefined.
   * @param isWhole takes every word as it stands: none as a beginning or as a code.
   */
  find(words: readonly QueryWord[], limit: number, isWhole = false): Found | undefined {
    const parts = this.#phrases.partsOf(words)
    const telling = tellingOf(parts)
    const mayMatch = this.#isSoonFound(words, parts) || this.#mayMatch(telling)
    const found = mayMatch ? this.#asWritten(words, parts, telling, limit) : undefined
    return found ?? (isWhole ? undefined : this.#begunOrCoded(words, parts, telling, limit))
  }

  /** The people who match all parts by meaning. */
  inAll(parts: readonly QueryPart[], limit: number): Found | undefined {
    return this.#findAs(this.#read(none, none, parts), limit)
  }

  /** The people whose names have all words of a text, and behind them the members of a topic called so. */
  named(words: readonly QueryWord[], topic: number, limit: number): Found | undefined {
    const parts = [{ words, ...meaningless, topic }]
    const found = this.#findAs(this.#read(words, words, parts), limit)
    return found?.way === 'name' ? { ...found, parts, leftOut: none } : undefined
  }

  /** Readings of which every word is taken as it stands. */
  #asWritten(
    words: readonly QueryWord[],
    parts: readonly QueryPart[],
    telling: readonly QueryPart[],
    limit: number,
  ): Found | undefined {
    const hasGlue = hasGlueIn(parts, telling)
    // Words that only hold a sentence together must not decide who of France is shown.
    const isOfNames = hasGlue && telling.some(isUnderstood)
    const found = this.#findAs(this.#read(words, words, parts, isOfNames), limit)
    if (found !== undefined) return found
    // A name may begin with what else is glue: An Li, of `who is An Li?`
    for (let from = 1; from < words.length && words[from - 1]!.isStop; from += 1) {
      const named = this.#findAs(this.#read(words, words.slice(from), parts, true), limit)
      if (named !== undefined) return named
    }
    return hasGlue ? this.#findAs(this.#read(words, wordsIn(telling), telling), limit) : undefined
  }

  /** Readings of which the last word is the beginning of another, or a word is a code. */
  #begunOrCoded(
    words: readonly QueryWord[],
    parts: readonly QueryPart[],
    telling: readonly QueryPart[],
    limit: number,
  ): Found | undefined {
    if (this.#mayBeBegun(parts)) {
      const found = this.#findAs(this.#read(words, words, parts, false, true), limit)
      if (found !== undefined) return found
    }
    if (hasGlueIn(parts, telling) && this.#mayBeBegun(telling)) {
      const names = wordsIn(telling)
      const found = this.#findAs(this.#read(words, names, telling, false, true), limit)
      if (found !== undefined) return found
    }
    const coded = this.#withCodes(telling)
    return coded && this.#findAs(this.#read(words, none, coded), limit)
  }

  /** Whether one walk is all that a text takes: every word tells something, and nobody is called by one of them. */
  #isSoonFound(words: readonly QueryWord[], parts: readonly QueryPart[]): boolean {
    let isName = true
    for (let at = 0; at < words.length; at += 1) {
      const word = words[at]!
      if (word.isStop || word.terms.length > 1) return false
      isName &&= this.#words.named(word).size > 0
    }
    return !isName && parts.every(isOfNoTopic)
  }

  /**
   * Whether anybody matches all parts that tell something, as everybody does whom a reading without beginnings and
   * codes finds: who is called so holds the words, too. One look in place of one for each reading.
   */
  #mayMatch(telling: readonly QueryPart[]): boolean {
    // A name that is written without a space is one word, of which the text may have two: 村上 春樹.
    if (telling.length === 0 || telling.some(isParted)) return true
    const holders = setsOf(telling, this.#holdersOf, this.#sets)
    // Of one part the first reading finds everybody anyway.
    return holders !== undefined && (holders.length === 1 || isAnyoneIn(holders, this.#room))
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
    let coded: QueryPart[] | undefined
    for (let at = 0; at < parts.length; at += 1) {
      const code = parts[at]!.topic < 0 ? this.#phrases.asCode(parts[at]!) : undefined
      if (code === undefined) continue
      coded ??= [...parts]
      coded[at] = code
    }
    return coded
  }

  /** A reading of a text. It is over when it finds nobody, else with the text. */
  #read(
    words: readonly QueryWord[],
    names: readonly QueryWord[],
    parts: readonly QueryPart[],
    isOfNames = false,
    isBegun = false,
  ): Reading {
    const reading = this.#hasFound ? new Reading(this.#matchedByWords) : this.#first
    reading.words = words
    reading.names = names
    reading.parts = parts
    reading.isOfNames = isOfNames
    reading.isBegun = isBegun
    return reading
  }

  #findAs(reading: Reading, limit: number): Found | undefined {
    const tiers = this.#namesOf(reading)
    const first =
      tiers.length === 0
        ? none
        : firstOfTiers(tiers, Math.max(limit, comparedEqualsMax), this.#room, this.#copies)
    const holders = first.length < limit ? this.#wordsOf(reading, this.#sets) : none
    if (first.length === 0 && holders.length === 0) return undefined
    const said = reading.names.length
    // For scripts without spaces the tiers say what is written best.
    const best: readonly number[] =
      tiers.length === 1 ? bestOfEquals(this.#catalog, first, said) : none
    const byName = upTo(best.length === 0 ? first : [...new Set([...best, ...first])], limit)
    const topics = topicsOf(reading.parts, this.#topics)
    const isOrdered = topics.length > 0 && !reading.isOfNames
    const order = isOrdered ? this.#orderOf(reading, topics) : undefined
    const byWord = byName.length < limit ? this.#firstInOrder(holders, order, limit) : none
    const ordinals = upTo(joined(byName, byWord), limit)
    if (ordinals.length === 0) return undefined
    this.#hasFound = true
    const { found } = reading
    const { matched } = found
    const isNamed = byName.length > 0
    matched.isRanked = !isNamed && topics.length === 1
    matched.order = order
    matched.equals = isNamed ? best.length : 0
    matched.names = isNamed ? (best.length === 0 ? tiers : [...best.map(tierOf), ...tiers]) : none
    found.way = isNamed ? 'name' : 'words'
    found.ordinals = ordinals
    found.ranks = matched.isRanked ? ranksIn(order!, ordinals, reading.ranks) : positions
    found.parts = isNamed ? [{ words: reading.names, ...meaningless }] : reading.parts
    found.leftOut = leftOut(reading.words, found.parts)
    return found
  }

  /** The order of the topics of a reading, in the memory of the last one that it had. */
  #orderOf(reading: Reading, topics: readonly number[]): TopicOrder {
    const { order } = reading
    order?.refill(topics)
    reading.order = order ?? new TopicOrder(this.#catalog, this.#postings, topics, this.#orderRoom)
    return reading.order
  }

  /** The first people of an intersection, in an order of topics or by authority. */
  #firstInOrder(
    holders: readonly DocSet[],
    order: TopicOrder | undefined,
    limit: number,
  ): readonly number[] {
    return order === undefined || holders.length === 0
      ? firstOf(holders, limit, this.#room, this.#copies)
      : order.first(holders, limit)
  }

  /** The people whose names have the words, in tiers; a person of a tier is in all of its sets. */
  #namesOf({ names, isBegun }: Reading): readonly Tier[] {
    if (names.length === 0) return none
    if (!isBegun && names.some(isOfCharacters)) return this.#unspaced(names)
    const holders = setsOf(isBegun ? names.slice(0, -1) : names, this.#namedBy)
    if (holders === undefined) return none
    if (!isBegun) return [holders]
    return [[...holders, this.#words.beginning('name', names.at(-1)!)]]
  }

  /**
   * For scripts without spaces: first the people whose names hold the words as written, spaces or not,
   * or with one slip; then the people whose names hold all of them anywhere.
   */
  #unspaced(names: readonly QueryWord[]): readonly Tier[] {
    const joinings = joinedOf(names)
    // Everybody in a tier has all words in the name, unless it is written without their spaces.
    if (joinings.length === 0 && setsOf(names, this.#namedBy) === undefined) return none
    const texts = [names, ...joinings.map((word) => [word])]
    const written = texts.map((text) => text.map((word) => this.#words.written(word)))
    const isAny = written.some((tier) => firstOf(tier, 1).length > 0)
    const nearest = isAny
      ? written
      : texts
          .filter((text) => text.every((word) => this.#words.named(word).size > 0))
          .map((text) => text.map((word) => this.#words.nearlyWritten(word)))
    return [...nearest, names.map((word) => this.#words.named(word))]
  }

  /** The sets whose intersection matches the parts. @param room for them. */
  #wordsOf({ parts, isOfNames, isBegun }: Reading, room?: DocSet[]): Tier {
    if (isOfNames) return none
    const holders = setsOf(isBegun ? parts.slice(0, -1) : parts, this.#holdersOf, room)
    if (holders === undefined) return none
    if (!isBegun) return holders
    const begun = this.#words.beginning('word', parts.at(-1)!.words[0]!)
    return begun.size === 0 ? none : [...holders, begun]
  }
}

function wordsIn(parts: readonly QueryPart[]): readonly QueryWord[] {
  return parts.flatMap((part) => part.words)
}

/** Some people, and behind them the others of some. Most texts find people in one way only. */
function joined(people: readonly number[], others: readonly number[]): readonly number[] {
  if (people.length === 0) return others
  return others.length === 0 ? people : withOthers(people, others)
}

function withOthers(people: readonly number[], others: readonly number[]): readonly number[] {
  return [...people, ...others.filter((each) => !people.includes(each))]
}

function upTo(people: readonly number[], limit: number): readonly number[] {
  return people.length <= limit ? people : people.slice(0, limit)
}

/** The ranks of people in an order; positions of those who have none. @param ranks where they are. */
function ranksIn(order: TopicOrder, people: readonly number[], ranks: number[]): readonly number[] {
  for (let at = 0; at < people.length; at += 1) ranks[at] = order.rankOf(people[at]!) || at + 1
  if (ranks.length > people.length) ranks.length = people.length
  return ranks
}

/** A tier of one person. */
function tierOf(ordinal: number): Tier {
  return [listOf(Uint32Array.of(ordinal), 0, 1)]
}

/** The first people of some tiers, one tier after the other, each once. */
function firstOfTiers(
  tiers: readonly Tier[],
  limit: number,
  room: SmallestK,
  copies: FirstList<number>,
): readonly number[] {
  const [only = [], another] = tiers
  if (another === undefined) return tiers.length === 0 ? [] : firstOf(only, limit, room, copies)
  const found = new Set<number>()
  for (const tier of tiers) {
    if (found.size < limit) for (const each of firstOf(tier, limit, room)) found.add(each)
  }
  return [...found].slice(0, limit)
}

/** The parts that tell something: all of them, mostly. */
function tellingOf(parts: readonly QueryPart[]): readonly QueryPart[] {
  return parts.every(tells) ? parts : parts.filter(tells)
}

/** Whether some parts tell something, and others only hold the text together. */
function hasGlueIn(parts: readonly QueryPart[], telling: readonly QueryPart[]): boolean {
  return telling.length > 0 && telling.length < parts.length
}

/** Whether a part has a word of a script without spaces. */
function isParted(part: QueryPart): boolean {
  return part.words.some(isUnspaced)
}

function isOfCharacters({ terms }: QueryWord): boolean {
  return terms.length > 1
}

/** Whether a part says anything of who is meant. */
function tells(part: QueryPart): boolean {
  return isUnderstood(part) || !part.words.every(isStopWord)
}

function isStopWord({ isStop }: QueryWord): boolean {
  return isStop
}

/** The topics that parts mean, each once. @param topics where they are. */
function topicsOf(parts: readonly QueryPart[], topics: number[]): readonly number[] {
  if (parts.every(isOfNoTopic)) return none
  let count = 0
  for (const { topic } of parts) {
    const at = topics.indexOf(topic)
    // Numbers from `count` on are of a reading before.
    if (topic >= 0 && (at < 0 || at >= count)) topics[count++] = topic
  }
  if (topics.length > count) topics.length = count
  return topics
}

function isOfNoTopic({ topic }: QueryPart): boolean {
  return topic < 0
}

function leftOut(all: readonly QueryWord[], used: readonly QueryPart[]): readonly string[] {
  let count = 0
  for (let at = 0; at < used.length; at += 1) count += used[at]!.words.length
  // Parts are of different words of the text: as many are all of them.
  return count >= all.length ? none : textsBeside(all, used)
}

function textsBeside(all: readonly QueryWord[], used: readonly QueryPart[]): readonly string[] {
  const words = new Set(used.flatMap((part) => part.words))
  return all.filter((word) => !words.has(word)).map(({ text }) => text)
}
