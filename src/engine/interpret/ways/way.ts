/** A way from a text to people; it prefers no result to a stranger, and its work is bounded. */

import type { HashBuckets } from '../../../memory/hash-buckets.ts'
import type { Catalog } from '../../catalog.ts'
import type { Matcher } from '../../match/matcher.ts'
import type { MatchedText } from '../../match/text.ts'
import { listOf } from '../../postings/list.ts'
import type { Postings } from '../../postings/postings.ts'
import { firstOf } from '../../postings/smallest-k.ts'
import type { FuzzyTermIndex } from '../../terms/fuzzy-term-index.ts'
import type { QueryWord } from '../../terms/query-word.ts'
import type { Resolver } from '../../terms/resolver.ts'
import type { Corrector } from '../corrector.ts'
import {
  type Correction,
  type Found,
  foundNobody,
  type Matched,
  positions,
  type Tier,
  type Way,
} from '../found.ts'
import type { People } from '../people.ts'
import { meaningless, type PhraseReader } from '../phrases.ts'
import type { Words } from '../words.ts'
import type { Meanings } from './meanings.ts'
import type { Reading } from './readings.ts'

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

/** A typed text, read once for all ways. */
export interface Text {
  readonly query: string
  readonly words: readonly QueryWord[]
  /** The words without those around what is meant; all of them where nothing else is left. */
  readonly core: readonly QueryWord[]
  /** Whether more was left out around the core than what every way leaves out. */
  readonly isCut: boolean
  readonly isTitled: boolean
  /** The text for the matcher; undefined where it has no token, or a word in quotation marks. */
  readonly forMatcher: (tools: Tools) => MatchedText<Meanings> | undefined
  /** What it says of people without a name, the cheapest first; nothing where it is too long for that. */
  readonly readings: (tools: Tools) => readonly Reading[]
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

export function foundPeople(
  way: Way,
  people: Iterable<number>,
  limit: number,
  {
    words = [],
    leftOut = [],
    corrected = [],
  }: {
    readonly words?: readonly QueryWord[]
    readonly leftOut?: readonly string[]
    readonly corrected?: readonly Correction[]
  } = {},
): Found {
  const all = [...new Set(people)].sort((a, b) => a - b)
  return {
    ...foundNobody,
    way: all.length === 0 ? 'nobody' : way,
    ordinals: all.slice(0, limit),
    ranks: positions,
    parts: words.length === 0 ? [] : [{ words, ...meaningless }],
    leftOut,
    corrected,
    matched: new PeopleMatched(all),
  }
}

class PeopleMatched implements Matched {
  readonly words = none
  readonly order = undefined
  readonly isRanked = false
  readonly #people: readonly number[]

  constructor(people: readonly number[]) {
    this.#people = people
  }

  get names(): readonly Tier[] {
    const people = Uint32Array.from(this.#people)
    return people.length === 0 ? none : [[listOf(people, 0, people.length)]]
  }
}

export function isOneName(
  { words: held }: Pick<Tools, 'words'>,
  words: readonly QueryWord[],
): boolean {
  const names = words.filter(({ isStop }) => !isStop).map((word) => held.named(word))
  return names.length > 0 && names.every(({ size }) => size > 0) && firstOf(names, 1).length > 0
}

export function textsWithout(all: readonly QueryWord[], used: readonly QueryWord[]): string[] {
  return all.filter((word) => !used.includes(word)).map(({ text }) => text)
}
