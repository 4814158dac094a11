/**
 * Suggestions while a person types: the last word is a beginning, the words before it are whole.
 */

import { lowerBound } from '../../memory/bounds.ts'
import { LeastInRange } from '../../memory/least-in-range.ts'
import {
  beginningWith,
  type PlaceRange,
  rangesOf,
  restsOf,
  type TextRanges,
} from '../../memory/text-order.ts'
import { Scratch, type TextTable, textAt } from '../../memory/text-table.ts'
import type { Sections } from '../../snapshot/sections.ts'
import { termsOf } from '../../text/analyzer.ts'
import { handleKey, platformKey } from '../../text/handle.ts'
import type { Catalog } from '../catalog.ts'
import { firstOfMany } from '../postings/best.ts'
import { type DocSet, fewest, planWalk } from '../postings/doc-set.ts'
import { InRange, PrefixMatches } from '../postings/filter-set.ts'
import type { Postings } from '../postings/postings.ts'
import type { Words } from '../terms/query-word.ts'

const lookedAtMax = 1_000

/** The number of postings that are read in the time of looking up the terms of one person (measured). */
const lookPostings = 20

/** People that a search for the first members of some lists visits one by one (measured). */
const soonLooks = 1_000

/** A character that no handle has. */
const space = /\s/

export class Suggester {
  readonly #catalog: Catalog
  readonly #postings: Postings
  readonly #words: Words
  readonly #sections: Sections
  readonly #handleRanges: TextRanges
  readonly #topicRanges: TextRanges
  readonly #topicKeys: TextTable
  readonly #scratch = new Scratch()
  readonly #leastOwners: LeastInRange
  readonly #leastPlaces: LeastInRange
  readonly #leastNamed: LeastInRange

  constructor(catalog: Catalog, postings: Postings, words: Words) {
    this.#catalog = catalog
    this.#postings = postings
    this.#words = words
    const { sections } = catalog
    const leastOf = (numbers: Uint32Array, of: 'handle' | 'topic' | 'name') =>
      new LeastInRange(numbers, sections[`suggest.${of}-levels`])
    this.#sections = sections
    this.#leastOwners = leastOf(sections['suggest.handle-owners'], 'handle')
    this.#leastPlaces = leastOf(sections['suggest.topic-places'], 'topic')
    this.#leastNamed = leastOf(sections['name.ordinals'], 'name')
    this.#handleRanges = rangesOf(catalog.tableOf('handle'))
    this.#topicKeys = catalog.tableOf('topic-key')
    this.#topicRanges = restsOf(this.#topicKeys)
  }

  get topicsBySize(): Uint32Array {
    return this.#sections['suggest.topics']
  }

  topics(typed: string, limit: number): readonly number[] {
    const terms = termsOf(typed)
    const last = terms.at(-1)
    if (last === undefined) return []
    const words = this.#sections['suggest.topic-words']
    const places = this.#sections['suggest.topic-places']
    const topics = this.topicsBySize
    // A person with all words has the one that the fewest names begin with.
    const ranges = terms.map((term) => this.#range(this.#topicRanges, words, term))
    const { start, end } = ranges.reduce((least, each) =>
      each.end - each.start < least.end - least.start ? each : least,
    )
    const whole = terms.slice(0, -1)
    const found = new Set<number>()
    this.#leastPlaces.ascending(start, end, (at) => {
      const key = lowerBound(this.#topicKeys.starts, words[at]! + 1) - 1
      if (whole.length === 0 || this.#holds(key, whole, last)) {
        found.add(topics[places[at]!]!)
      }
      return found.size < limit
    })
    return [...found]
  }

  /** The people of whom a name holds the words of a text, by authority. */
  people(typed: string, limit: number): readonly number[] {
    const words = [...this.#words.read(typed)]
    const last = words.pop()
    if (last === undefined) return []
    const range = this.#postings.startingWith(last.text)
    const begun = new PrefixMatches(this.#postings.listsOf('name'), range, this.#sections)
    if (words.length === 0) return this.#begun(range, begun, limit)
    return this.#named(
      words.map(({ named }) => named),
      begun,
      limit,
    )
  }

  /** The first who have begun a word: soon met among all where many have, else the least of their lists. */
  #begun({ start, end }: PlaceRange, begun: PrefixMatches, limit: number): readonly number[] {
    const { authorities } = this.#catalog.counts
    if (limit * authorities < begun.size * soonLooks) {
      return firstOfMany({ walked: new InRange(0, authorities), others: [begun] }, limit)
    }
    const { starts, ordinals } = this.#postings.listsOf('name')
    const found: number[] = []
    this.#leastNamed.ascending(starts[start]!, starts[end]!, (place) => {
      const ordinal = ordinals[place]!
      // A person with several such words comes once a word, one behind the other.
      if (found.at(-1) !== ordinal) found.push(ordinal)
      return found.length < limit
    })
    return found
  }

  /**
   * A match comes soon where many have begun the word; else reading their lists, which lie side by
   * side, takes less than looking for the terms of people who lie anywhere.
   */
  #named(whole: readonly DocSet[], begun: PrefixMatches, limit: number): readonly number[] {
    if (fewest([...whole, begun]) === 0) return []
    const met = Math.min(fewest(whole), (limit * this.#catalog.counts.authorities) / begun.size)
    if (begun.size < met * lookPostings) return firstOfMany({ walked: begun, others: whole }, limit)
    const { walked, others } = planWalk(whole)
    return firstOfMany({ walked, others: [...others, begun] }, limit)
  }

  isHandle(typed: string): boolean {
    const text = typed.trim()
    return text.startsWith('@') || this.#splitHandle(text).platform !== undefined
  }

  /** Handles that begin with a text, without an `@` and behind a platform where it names one; each as `platform:name`. */
  handles(typed: string, limit: number): readonly string[] {
    const text = typed.trim()
    if (space.test(text)) return []
    const { platform, begun } = this.#splitHandle(text)
    const key = handleKey(begun)
    if (key === '') return []
    const found: string[] = []
    const handles = this.#sections['suggest.handles']
    const { start, end } = this.#range(this.#handleRanges, handles, key)
    let left = lookedAtMax
    this.#leastOwners.ascending(start, end, (place) => {
      const handle = this.#handleOf(handles[place]!, platform)
      if (handle !== undefined) found.push(handle)
      left -= 1
      return found.length < limit && left > 0
    })
    return found
  }

  #range(pieces: TextRanges, order: Uint32Array, begun: string): PlaceRange {
    const length = this.#scratch.write(begun)
    const { bytes } = this.#scratch
    return beginningWith(pieces, order.length, bytes, length, (place) => order[place]!)
  }

  #holds(key: number, whole: readonly string[], begun: string): boolean {
    const held = textAt(this.#topicKeys, key).split(' ')
    return whole.every((term) => held.includes(term)) && held.some((term) => term.startsWith(begun))
  }

  #splitHandle(text: string): { readonly platform?: number; readonly begun: string } {
    const colon = text.indexOf(':')
    if (colon < 0) return { begun: text }
    const platform = this.#catalog.platforms.indexOf(platformKey(text.slice(0, colon)))
    return platform < 0 ? { begun: text } : { platform, begun: text.slice(colon + 1) }
  }

  /** A handle on a platform, or on the first that its top owner has it on; undefined where it is on none. */
  #handleOf(handle: number, platform: number | undefined): string | undefined {
    const { sections, counts, platforms } = this.#catalog
    const starts = sections['handle.node-starts']
    for (let at = starts[handle]!; at < starts[handle + 1]!; at += 1) {
      const ordinal = sections['handle.nodes'][at]!
      const own = sections['handle.platforms'][at]!
      if (ordinal >= counts.authorities) return undefined
      if (platform !== undefined && own !== platform) continue
      return `${platforms[own]!}:${textAt(this.#catalog.tableOf('handle'), handle)}`
    }
    return undefined
  }
}
