/**
 * The people of a text: first those whose names have its words, then those who match its parts by
 * word or meaning. The first reading of its parts with a match counts.
 */
import { wordTextsOf } from '../../text/analyzer.ts'
import { lazily } from '../../text/lazily.ts'
import { isNumber } from '../../text/numerals.ts'
import { isCommonWord } from '../../text/speech/plain-english.ts'
import type { Catalog } from '../catalog.ts'
import { firstOf, isAnyIn } from '../postings/best.ts'
import { intersectionOf, isEmptyIn, unionOf } from '../postings/doc-set.ts'
import type { QueryPart, QueryWord } from '../terms/query-word.ts'
import {
  type Found,
  foundAmong,
  joined,
  type Matched,
  type Tier,
  textsWithout,
  tierOf,
  topicsOf,
} from './found.ts'
import { isUnderstood, meaningless } from './phrases.ts'
import { TopicOrder } from './ranking.ts'
import type { Tools } from './tools.ts'

const none: readonly never[] = []

/** Equals that are compared: the first by SDU. */
const comparedEqualsMax = 16

interface Reading {
  readonly words: readonly QueryWord[]
  readonly names: readonly QueryWord[]
  /** None where only names count. */
  readonly parts: readonly QueryPart[]
  readonly isBegun?: boolean
}

export function findPeople(
  tools: Tools,
  words: readonly QueryWord[],
  limit: number,
): Found | undefined {
  for (const reading of readingsOf(tools, words)) {
    const found = findAs(tools, reading, limit)
    if (found !== undefined) return found
  }
  return undefined
}

export function findInAll(
  tools: Tools,
  parts: readonly QueryPart[],
  limit: number,
): Found | undefined {
  return findAs(tools, { words: none, names: none, parts }, limit)
}

/** The people whose names have all words of a text, and behind them the members of a topic called so. */
export function findNamed(
  tools: Tools,
  words: readonly QueryWord[],
  topic: number,
  limit: number,
): Found | undefined {
  const parts = [{ words, ...meaningless, topic }]
  const found = findAs(tools, { words, names: words, parts }, limit)
  return found?.way === 'name' ? { ...found, parts, leftOut: none } : undefined
}

/** The readings of a text, the surest first. */
function* readingsOf(tools: Tools, words: readonly QueryWord[]): Generator<Reading> {
  const parts = tools.phrases.partsOf(words)
  const telling = tellingOf(parts)
  // Of whom a number is said and no more, nobody is meant: in 5.
  if (words.length > 1 && telling.every(isNumberOnly)) return
  const hasGlue = telling.length > 0 && telling.length < parts.length
  const withoutGlue = { words, names: wordsIn(telling), parts: telling }
  // One look at whether anybody matches all parts, in place of one for each reading: who is called so holds the words, too.
  if (!hasGlue || isAnyIn(telling.map((part) => tools.phrases.holdersOf(part)))) {
    // Words that only hold a sentence together must not decide who of France is shown.
    yield { words, names: words, parts: hasGlue && telling.some(isUnderstood) ? none : parts }
    // A name may begin with what else is glue: An Li, of `who is An Li?`
    for (let from = 1; from < words.length && words[from - 1]!.isStop; from += 1) {
      yield { words, names: words.slice(from), parts: none }
    }
    if (hasGlue) yield withoutGlue
  }
  if (mayBeBegun(tools, parts)) yield { words, names: words, parts, isBegun: true }
  if (hasGlue && mayBeBegun(tools, telling)) yield { ...withoutGlue, isBegun: true }
}

/**
 * Whether the last part is a word that says something, and that nobody has as a whole. A common word
 * that stands alone was meant as it was typed.
 */
function mayBeBegun({ phrases }: Tools, parts: readonly QueryPart[]): boolean {
  const part = parts.at(-1)!
  if (!tells(part) || isUnderstood(part) || phrases.holdersOf(part).size > 0) return false
  return parts.some((each) => each !== part && tells(each)) || !isCommonWord(part.words[0]!.text)
}

function findAs(tools: Tools, reading: Reading, limit: number): Found | undefined {
  const { catalog, postings } = tools
  const tiers = namesOf(tools, reading)
  const first = firstOfTiers(tiers, Math.max(limit, comparedEqualsMax))
  // Those who match its parts are found when they are asked for: often a page of names has no place for them.
  const words = lazily(() => wordsOf(tools, reading))
  if (first.length === 0 && words().length === 0) return undefined
  // For scripts without spaces the tiers say what is written best.
  const best = tiers.length === 1 ? bestOfEquals(catalog, first, reading.names.length) : none
  const isNamed = first.length > 0
  const topics = topicsOf(reading.parts)
  const matched: Matched = {
    names: isNamed ? [...best.map((each) => tierOf([each])), ...tiers] : none,
    equals: best.length,
    order: topics.length > 0 ? new TopicOrder(catalog, postings, topics) : undefined,
    isRanked: !isNamed && topics.length === 1,
    get words() {
      return words()
    },
  }
  const byName = best.length === 0 ? first : joined(best, first)
  const found = foundAmong(isNamed ? 'name' : 'words', matched, limit, byName)
  if (found === undefined) return undefined
  const parts = isNamed ? [{ words: reading.names, ...meaningless }] : reading.parts
  return { ...found, parts, leftOut: textsWithout(reading.words, wordsIn(parts)) }
}

function namesOf(tools: Tools, { names, isBegun }: Reading): readonly Tier[] {
  if (names.length === 0) return none
  const holders = (isBegun ? names.slice(0, -1) : names).map(({ named }) => named)
  if (isEmptyIn(holders)) return none
  if (isBegun) return [[...holders, names.at(-1)!.begun('name')]]
  return names.some(isOfCharacters) ? [nearestTo(tools, names), holders] : [holders]
}

/** For scripts without spaces: whose names hold the words as written, else with one slip. */
function nearestTo({ dictionary, postings }: Tools, names: readonly QueryWord[]): Tier {
  const written = names.map((word) => word.written)
  if (isAnyIn(written)) return written
  return names.map((word) => {
    if (!isOfCharacters(word)) return word.named
    const near = dictionary.near(word.text, 1)
    const all = unionOf(near.map((term) => postings.list('name', term)))
    return intersectionOf([all, word.named])
  })
}

function wordsOf({ phrases }: Tools, { parts, isBegun }: Reading): Tier {
  const holders = (isBegun ? parts.slice(0, -1) : parts).map((part) => phrases.holdersOf(part))
  if (isEmptyIn(holders)) return none
  if (!isBegun) return holders
  const begun = parts.at(-1)!.words[0]!.begun('word')
  return begun.size === 0 ? none : [...holders, begun]
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
    unsaid: Math.max(0, wordTextsOf(catalog.nameOf(ordinal)).length - said),
    bytes: catalog.profiles.lengthOf(ordinal),
  }))
  return equals
    .sort((a, b) => a.unsaid - b.unsaid || b.bytes - a.bytes || a.ordinal - b.ordinal)
    .map(({ ordinal }) => ordinal)
}

function wordsIn(parts: readonly QueryPart[]): readonly QueryWord[] {
  return parts.flatMap((part) => part.words)
}

function firstOfTiers(tiers: readonly Tier[], limit: number): readonly number[] {
  let found: readonly number[] = none
  for (const tier of tiers) if (found.length < limit) found = joined(found, firstOf(tier, limit))
  return found
}

/** The parts that say anything of who is meant. */
export function tellingOf(parts: readonly QueryPart[]): readonly QueryPart[] {
  return parts.every(tells) ? parts : parts.filter(tells)
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
