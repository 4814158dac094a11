/** A way from a text to people; it prefers no result to a stranger, and its work is bounded. */

import { type Aside, asideOf } from '../../../text/speech/aside-words.ts'
import type { Sure } from '../../match/matcher.ts'
import { MatchedText } from '../../match/text.ts'
import { tokensOf } from '../../match/tokens.ts'
import { isAnyIn } from '../../postings/best.ts'
import type { QueryWord, Words } from '../../terms/query-word.ts'
import { type Found, foundAmong, foundNobody, positions, tierOf, type Way } from '../found.ts'
import { findInAll, findNamed } from '../people.ts'
import { meaningless } from '../phrases.ts'
import type { Tools } from '../tools.ts'
import { Meanings, type Reading, readingsOf } from './meanings.ts'

const none: readonly never[] = []

/** Words of the longest text that is read without a name. */
const wordsMax = 16

/** A typed text, read once for all ways: what later ways alone need is made when they ask. */
export class Text {
  readonly query: string
  readonly words: readonly QueryWord[]
  #matchable: MatchedText<Meanings> | undefined
  #sure: Sure | undefined
  #readings: readonly Reading[] | undefined

  constructor(query: string, words: Words) {
    this.query = query
    this.words = words.read(query)
  }

  /** The text for the matcher; undefined where it has no token, or a word in quotation marks. */
  forMatcher(tools: Tools): MatchedText<Meanings> | undefined {
    if (this.#matchable === undefined && !this.words.some(({ isExact }) => isExact)) {
      const tokens = tokensOf(this.query)
      if (tokens.length > 0) this.#matchable = new MatchedText(tokens, new Meanings(tools, tokens))
    }
    return this.#matchable
  }

  /** The people whom the matcher finds for it as it is written; undefined where it has nothing for the matcher. */
  sure(tools: Tools): Sure | undefined {
    const text = this.forMatcher(tools)
    if (text !== undefined) this.#sure ??= tools.matcher.find(text)
    return this.#sure
  }

  /** What it says of people without a name, the cheapest first; nothing where it is too long for that. */
  readings(tools: Tools): readonly Reading[] {
    const text = this.words.length > wordsMax ? undefined : this.forMatcher(tools)
    this.#readings ??= text === undefined ? none : readingsOf(text)
    return this.#readings
  }
}

/** Without what stands only around it at both ends; if all may, without what only asks. */
export function coreOf(words: readonly QueryWord[]): readonly QueryWord[] {
  for (const mayLeaveOut of [() => true, (kind: Aside) => kind === 'asks']) {
    const says = ({ text, isExact }: QueryWord) => {
      const kind = asideOf(text)
      return isExact || kind === undefined || !mayLeaveOut(kind)
    }
    const start = words.findIndex(says)
    if (start >= 0) return words.slice(start, words.findLastIndex(says) + 1)
  }
  return words
}

export interface WayOfSearch {
  readonly name: string
  readonly find: (tools: Tools, text: Text, limit: number) => Found | undefined
}

export function foundTopic(
  { catalog }: Pick<Tools, 'catalog'>,
  way: Way,
  topic: number,
  words: readonly QueryWord[],
  limit: number,
): Found {
  const { start, end } = catalog.membersOf(topic)
  const members = catalog.sections['topic.members']
  return {
    ...foundNobody,
    way,
    topic,
    ordinals: members.subarray(start, Math.min(end, start + limit)),
    ranks: positions,
    parts: [{ words, ...meaningless, topic }],
  }
}

/** The topic's ranking, or what the text means first, with the members behind. */
export function foundMeant(
  tools: Tools,
  words: readonly QueryWord[],
  limit: number,
): Found | undefined {
  const { phrases } = tools
  const { topic, behind } = phrases.topicsOf(words)
  // Of two topics of one name the weaker is behind the other, not behind people.
  if (behind >= 0 && (topic < 0 || topic === behind)) {
    const named = findNamed(tools, words, behind, limit)
    if (named !== undefined) return named
  }
  if (topic >= 0) return foundTopic(tools, 'topic', topic, words, limit)
  if (behind < 0) return undefined
  const other = phrases.relatedTo(words)
  const found =
    other < 0 ? undefined : findInAll(tools, [{ words, ...meaningless, topic: other }], limit)
  return found && { ...found, way: 'related' }
}

/** Some people, by authority. */
export function foundPeople(
  way: Way,
  people: Iterable<number>,
  limit: number,
  words: readonly QueryWord[] = none,
  leftOut: readonly string[] = none,
): Found {
  const all = [...new Set(people)].sort((a, b) => a - b)
  const matched = { names: [tierOf(all)], words: none, order: undefined, isRanked: false }
  const found = foundAmong(way, matched, limit, all)
  if (found === undefined) return foundNobody
  return { ...found, parts: words.length === 0 ? none : [{ words, ...meaningless }], leftOut }
}

export function isOneName(words: readonly QueryWord[]): boolean {
  return isAnyIn(words.filter(({ isStop }) => !isStop).map(({ named }) => named))
}
