/**
 * The people of a text: first those whose names have its words, then those who match its parts by
 * word or meaning. The first reading of its parts with a match counts.
 */
import { isNumber } from '../../text/numerals.ts'
import { isCommonWord } from '../../text/speech/plain-english.ts'
import type { Catalog } from '../catalog.ts'
import { nameWordsOf } from '../person-names.ts'
import { setsOf } from '../postings/doc-set.ts'
import type { Postings } from '../postings/postings.ts'
import { firstOf } from '../postings/smallest-k.ts'
import type { QueryPart, QueryWord } from '../terms/query-word.ts'
import {
  type Found,
  type Matched,
  positions,
  type Tier,
  textsWithout,
  tierOf,
  topicsOf,
} from './found.ts'
import { isUnderstood, meaningless, type PhraseReader } from './phrases.ts'
import { TopicOrder } from './ranking.ts'
import type { Words } from './words.ts'

const none: readonly never[] = []

/** Equals that are compared: the first by SDU. */
const comparedEqualsMax = 16

interface Reading {
  readonly words: readonly QueryWord[]
  readonly names: readonly QueryWord[]
  readonly parts: readonly QueryPart[]
  /** Whether only names count. */
  readonly isOfNames?: boolean
  readonly isBegun?: boolean
}

export class People {
  readonly #catalog: Catalog
  readonly #postings: Postings
  readonly #words: Words
  readonly #phrases: PhraseReader

  readonly #namedBy = (word: QueryWord) => this.#words.named(word)
  readonly #holdersOf = (part: QueryPart) => this.#phrases.holdersOf(part)

  constructor(catalog: Catalog, postings: Postings, words: Words, phrases: PhraseReader) {
    this.#catalog = catalog
    this.#postings = postings
    this.#words = words
    this.#phrases = phrases
  }

  find(words: readonly QueryWord[], limit: number): Found | undefined {
    const parts = this.#phrases.partsOf(words)
    const telling = tellingOf(parts)
    // Of whom a number is said and no more, nobody is meant: in 5.
    if (words.length > 1 && telling.every(isNumberOnly)) return undefined
    const mayMatch = this.#isSoonFound(words, parts) || this.#mayMatch(telling)
    const found = mayMatch ? this.#asWritten(words, parts, telling, limit) : undefined
    return found ?? this.#begun(words, parts, telling, limit)
  }

  inAll(parts: readonly QueryPart[], limit: number): Found | undefined {
    return this.#findAs({ words: none, names: none, parts }, limit)
  }

  /** The people whose names have all words of a text, and behind them the members of a topic called so. */
  named(words: readonly QueryWord[], topic: number, limit: number): Found | undefined {
    const parts = [{ words, ...meaningless, topic }]
    const found = this.#findAs({ words, names: words, parts }, limit)
    return found?.way === 'name' ? { ...found, parts, leftOut: none } : undefined
  }

  #asWritten(
    words: readonly QueryWord[],
    parts: readonly QueryPart[],
    telling: readonly QueryPart[],
    limit: number,
  ): Found | undefined {
    const hasGlue = hasGlueIn(parts, telling)
    // Words that only hold a sentence together must not decide who of France is shown.
    const isOfNames = hasGlue && telling.some(isUnderstood)
    const found = this.#findAs({ words, names: words, parts, isOfNames }, limit)
    if (found !== undefined) return found
    // A name may begin with what else is glue: An Li, of `who is An Li?`
    for (let from = 1; from < words.length && words[from - 1]!.isStop; from += 1) {
      const names = words.slice(from)
      const named = this.#findAs({ words, names, parts, isOfNames: true }, limit)
      if (named !== undefined) return named
    }
    const names = wordsIn(telling)
    return hasGlue ? this.#findAs({ words, names, parts: telling }, limit) : undefined
  }

  #begun(
    words: readonly QueryWord[],
    parts: readonly QueryPart[],
    telling: readonly QueryPart[],
    limit: number,
  ): Found | undefined {
    if (this.#mayBeBegun(parts)) {
      const found = this.#findAs({ words, names: words, parts, isBegun: true }, limit)
      if (found !== undefined) return found
    }
    if (!hasGlueIn(parts, telling) || !this.#mayBeBegun(telling)) return undefined
    return this.#findAs({ words, names: wordsIn(telling), parts: telling, isBegun: true }, limit)
  }

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
   * Whether anybody matches all parts that tell something, as everybody does whom a reading without beginnings
   * finds: who is called so holds the words, too. One look in place of one for each reading.
   */
  #mayMatch(telling: readonly QueryPart[]): boolean {
    if (telling.length === 0) return true
    const holders = setsOf(telling, this.#holdersOf)
    // Of one part the first reading finds everybody anyway.
    return holders !== undefined && (holders.length === 1 || firstOf(holders, 1).length > 0)
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

  #findAs(reading: Reading, limit: number): Found | undefined {
    const tiers = this.#namesOf(reading)
    const first = firstOfTiers(tiers, Math.max(limit, comparedEqualsMax))
    const holders = first.length < limit ? this.#wordsOf(reading) : none
    if (first.length === 0 && holders.length === 0) return undefined
    const said = reading.names.length
    // For scripts without spaces the tiers say what is written best.
    const best: readonly number[] =
      tiers.length === 1 ? bestOfEquals(this.#catalog, first, said) : none
    const byName = upTo(best.length === 0 ? first : joined(best, first), limit)
    const topics = reading.parts.every(isOfNoTopic) ? none : topicsOf(reading.parts)
    const isOrdered = topics.length > 0 && reading.isOfNames !== true
    const order = isOrdered ? new TopicOrder(this.#catalog, this.#postings, topics) : undefined
    const isWanted = byName.length < limit && holders.length > 0
    const byWord = isWanted ? (order?.first(holders, limit) ?? firstOf(holders, limit)) : none
    const ordinals = upTo(joined(byName, byWord), limit)
    if (ordinals.length === 0) return undefined
    const isNamed = byName.length > 0
    const parts = isNamed ? [{ words: reading.names, ...meaningless }] : reading.parts
    const wordsOf = () => this.#wordsOf(reading)
    const matched: Matched = {
      names: isNamed ? [...best.map((each) => tierOf([each])), ...tiers] : none,
      equals: isNamed ? best.length : 0,
      order,
      isRanked: !isNamed && topics.length === 1,
      // Those who match its parts are found when a page asks.
      get words() {
        return wordsOf()
      },
    }
    return {
      way: isNamed ? 'name' : 'words',
      topic: -1,
      ordinals,
      ranks: matched.isRanked ? order!.ranksOf(ordinals) : positions,
      parts,
      leftOut: textsWithout(reading.words, wordsIn(parts)),
      corrected: none,
      matched,
    }
  }

  #namesOf({ names, isBegun }: Reading): readonly Tier[] {
    if (names.length === 0) return none
    const holders = setsOf(isBegun ? names.slice(0, -1) : names, this.#namedBy)
    if (holders === undefined) return none
    if (!isBegun && names.some(isOfCharacters)) return [this.#nearestTo(names), holders]
    if (!isBegun) return [holders]
    return [[...holders, this.#words.beginning('name', names.at(-1)!)]]
  }

  /** For scripts without spaces: whose names hold the words as written, else with one slip. */
  #nearestTo(names: readonly QueryWord[]): Tier {
    const written = names.map((word) => this.#words.written(word))
    const isAny = firstOf(written, 1).length > 0
    return isAny ? written : names.map((word) => this.#words.nearlyWritten(word))
  }

  #wordsOf({ parts, isOfNames, isBegun }: Reading): Tier {
    if (isOfNames === true) return none
    const holders = setsOf(isBegun ? parts.slice(0, -1) : parts, this.#holdersOf)
    if (holders === undefined) return none
    if (!isBegun) return holders
    const begun = this.#words.beginning('word', parts.at(-1)!.words[0]!)
    return begun.size === 0 ? none : [...holders, begun]
  }
}

/** The best covered name first, then the fullest record, then the SDU. 3 µs for each. @param said words of the text. */
function bestOfEquals(
  catalog: Catalog,
  people: readonly number[],
  said: number,
): readonly number[] {
  const scores = catalog.sections['authority.scores']
  const [first, second] = people
  if (second === undefined || scores[first!] !== scores[second]) return none
  const top = people.slice(0, comparedEqualsMax).filter((each) => scores[each] === scores[first!])
  const equals = top.map((ordinal) => ({
    ordinal,
    unsaid: Math.max(0, nameWordsOf(catalog, ordinal).length - said),
    bytes: catalog.profiles.lengthOf(ordinal),
  }))
  return equals
    .sort((a, b) => a.unsaid - b.unsaid || b.bytes - a.bytes || a.ordinal - b.ordinal)
    .map(({ ordinal }) => ordinal)
}

function wordsIn(parts: readonly QueryPart[]): readonly QueryWord[] {
  return parts.flatMap((part) => part.words)
}

function joined(people: readonly number[], others: readonly number[]): readonly number[] {
  if (people.length === 0) return others
  return others.length === 0
    ? people
    : [...people, ...others.filter((each) => !people.includes(each))]
}

function upTo(people: readonly number[], limit: number): readonly number[] {
  return people.length <= limit ? people : people.slice(0, limit)
}

function firstOfTiers(tiers: readonly Tier[], limit: number): readonly number[] {
  let found: readonly number[] = none
  for (const tier of tiers) if (found.length < limit) found = joined(found, firstOf(tier, limit))
  return upTo(found, limit)
}

/** The parts that say anything of who is meant. */
export function tellingOf(parts: readonly QueryPart[]): readonly QueryPart[] {
  return parts.every(tells) ? parts : parts.filter(tells)
}

function hasGlueIn(parts: readonly QueryPart[], telling: readonly QueryPart[]): boolean {
  return telling.length > 0 && telling.length < parts.length
}

function isOfCharacters({ terms }: QueryWord): boolean {
  return terms.length > 1
}

function tells(part: QueryPart): boolean {
  return isUnderstood(part) || !part.words.every(isStopWord)
}

function isNumberOnly(part: QueryPart): boolean {
  return !isUnderstood(part) && part.words.every(({ text }) => isNumber(text))
}

function isStopWord({ isStop }: QueryWord): boolean {
  return isStop
}

function isOfNoTopic({ topic }: QueryPart): boolean {
  return topic < 0
}
