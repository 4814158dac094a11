/** A way from a text to people; it prefers no result to a stranger, and its work is bounded. */

import type { HashBuckets } from '../../../memory/hash-buckets.ts'
import { type Aside, asideOf } from '../../../text/speech/aside-words.ts'
import type { Catalog } from '../../catalog.ts'
import type { Matcher } from '../../match/matcher.ts'
import type { MatchedText } from '../../match/text.ts'
import type { Postings } from '../../postings/postings.ts'
import { firstOf } from '../../postings/smallest-k.ts'
import type { FuzzyTermIndex } from '../../terms/fuzzy-term-index.ts'
import type { QueryWord } from '../../terms/query-word.ts'
import type { Resolver } from '../../terms/resolver.ts'
import type { Corrector } from '../corrector.ts'
import { type Found, foundNobody, positions, tierOf, type Way } from '../found.ts'
import type { People } from '../people.ts'
import { meaningless, type PhraseReader } from '../phrases.ts'
import type { Words } from '../words.ts'
import { type Meanings, readFor } from './meanings.ts'
import { type Reading, readingsOf } from './readings.ts'

const none: readonly never[] = []

export interface Tools {
  readonly catalog: Catalog
  readonly postings: Postings
  readonly words: Words
  readonly phrases: PhraseReader
  readonly people: People
  readonly dictionary: FuzzyTermIndex
  readonly corrector: Corrector
  readonly resolver: Resolver
  readonly matcher: Matcher
  /** The terms of names by their sounds. */
  readonly sounds: HashBuckets
}

/** Words of the longest text that is read without a name. */
const wordsMax = 16

/** A typed text, read once for all ways: what later ways alone need is made when they ask. */
export class Text {
  readonly query: string
  readonly words: readonly QueryWord[]
  #matchable: MatchedText<Meanings> | undefined
  #readings: readonly Reading[] | undefined

  constructor(query: string, words: Words) {
    this.query = query
    this.words = words.read(query)
  }

  /** The text for the matcher; undefined where it has no token, or a word in quotation marks. */
  forMatcher(tools: Tools): MatchedText<Meanings> | undefined {
    this.#matchable ??= readFor(tools, this)
    return this.#matchable
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
  const { phrases, people } = tools
  const { topic, behind } = phrases.topicsOf(words)
  // Of two topics of one name the weaker is behind the other, not behind people.
  if (behind >= 0 && (topic < 0 || topic === behind)) {
    const named = people.named(words, behind, limit)
    if (named !== undefined) return named
  }
  if (topic >= 0) return foundTopic(tools, 'topic', topic, words, limit)
  if (behind < 0) return undefined
  const other = phrases.relatedTo(words.map(({ key }) => key).join(''))
  const found =
    other < 0 ? undefined : people.inAll([{ words, ...meaningless, topic: other }], limit)
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
  return {
    ...foundNobody,
    way: all.length === 0 ? 'nobody' : way,
    ordinals: all.slice(0, limit),
    ranks: positions,
    parts: words.length === 0 ? none : [{ words, ...meaningless }],
    leftOut,
    matched: {
      get names() {
        return all.length === 0 ? none : [tierOf(all)]
      },
      words: none,
      order: undefined,
      isRanked: false,
    },
  }
}

export function isOneName(
  { words: held }: Pick<Tools, 'words'>,
  words: readonly QueryWord[],
): boolean {
  const names = words.filter(({ isStop }) => !isStop).map((word) => held.named(word))
  return names.length > 0 && names.every(({ size }) => size > 0) && firstOf(names, 1).length > 0
}
