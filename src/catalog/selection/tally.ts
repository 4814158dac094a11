/**
 * Counts everybody who matched, once: how many there are, how many stand before a mark, and by
 * country, topic and platform. One pass over them in ascending order, and no object per person.
 */
import type { FacetName } from '../../request-parameters.ts'
import type { Catalog } from '../catalog.ts'
import { largest } from '../largest.ts'
import { walkAll } from '../search/holders.ts'
import type { Listing, Mark } from './listing.ts'

/** A value of a facet, and how many have it. */
export interface FacetKey {
  readonly key: string
  readonly count: number
}

/** What was counted. */
export interface Tally {
  readonly total: number
  /** How many of them stand before the mark, or at it; 0 where none was given. */
  readonly before: number
  readonly facets: Readonly<Partial<Record<FacetName, readonly FacetKey[]>>>
}

/** What is to be counted beside the total. */
export interface TallyOptions {
  readonly mark?: Mark | undefined
  readonly facets?: readonly FacetName[]
  /** Keys of each facet at most. */
  readonly keysMax: number
}

/** Counts by a number that each person has, or by several. */
interface Counter {
  /** Counts the first so many of some people. */
  add(ordinals: Uint32Array, count: number): void
  /** The largest, each by its name. */
  keys(most: number): FacetKey[]
}

/** People who are counted at once: few enough to stay in the nearest cache. */
const chunkLength = 4_096

export class Tallies {
  readonly #catalog: Catalog
  readonly #chunk = new Uint32Array(chunkLength)
  /** Who was counted: a bit for each ordinal. */
  #seen: Uint32Array | undefined

  constructor(catalog: Catalog) {
    this.#catalog = catalog
  }

  /** Counts a listing. O(who is in the smallest list of each part), and O(counted) for the facets. */
  of(listing: Listing, { mark, facets = [], keysMax }: TallyOptions): Tally {
    const counters = facets.map((name) => counterOf[name](this.#catalog))
    const addTo = (ordinals: Uint32Array, count: number) => {
      for (const counter of counters) counter.add(ordinals, count)
    }
    const { only } = listing
    let total = only?.length ?? 0
    let before = 0
    if (only !== undefined && mark === undefined) addTo(only, total)
    else ({ total, before } = this.#walk(listing, mark, addTo))
    const keys = facets.map((name, index) => [name, counters[index]!.keys(keysMax)])
    return { total, before, facets: Object.fromEntries(keys) }
  }

  /** Shows everybody once, a chunk at a time. */
  #walk(
    listing: Listing,
    mark: Mark | undefined,
    show: (ordinals: Uint32Array, count: number) => void,
  ): { readonly total: number; readonly before: number } {
    const seen = this.#cleared()
    const chunk = this.#chunk
    let filled = 0
    let total = 0
    let before = 0
    const take = (ordinal: number): boolean => {
      const bit = 1 << (ordinal & 31)
      if ((seen[ordinal >>> 5]! & bit) !== 0) return true
      seen[ordinal >>> 5]! |= bit
      total += 1
      if (mark !== undefined && listing.isBefore(ordinal, mark)) before += 1
      chunk[filled++] = ordinal
      if (filled < chunkLength) return true
      show(chunk, filled)
      filled = 0
      return true
    }
    for (const part of listing.parts) {
      if (part.every((holders) => holders.size > 0)) walkAll(part, take)
    }
    show(chunk, filled)
    return { total, before }
  }

  #cleared(): Uint32Array {
    const words = (this.#catalog.counts.authorities >>> 5) + 1
    this.#seen ??= new Uint32Array(words)
    return this.#seen.fill(0)
  }
}

const counterOf: Readonly<Record<FacetName, (catalog: Catalog) => Counter>> = {
  country: (catalog) => {
    const column = catalog.sections['authority.countries']
    const counts = new Uint32Array(catalog.counts.countries)
    return {
      add: (ordinals, count) => countColumn(counts, column, ordinals, count),
      // Of nobody knows where there is nothing to filter by.
      keys: (most) =>
        named(counts, most + 1, (country) => catalog.countryOf(country))
          .filter(({ key }) => key !== '')
          .slice(0, most),
    }
  },

  topic: (catalog) => {
    const starts = catalog.sections['authority.topic-starts']
    const topics = catalog.sections['authority.topics']
    const counts = new Uint32Array(catalog.counts.topics)
    return {
      add: (ordinals, count) => countLists(counts, { starts, values: topics }, ordinals, count),
      keys: (most) => named(counts, most, (topic) => catalog.labelOf(topic)),
    }
  },

  platform: (catalog) => {
    const column = catalog.sections['authority.platform-sets']
    const counts = new Uint32Array(catalog.counts.platformSets)
    return {
      add: (ordinals, count) => countColumn(counts, column, ordinals, count),
      keys: (most) => named(ofPlatforms(catalog, counts), most, (each) => catalog.platforms[each]!),
    }
  },
}

function countColumn(
  counts: Uint32Array,
  column: Uint32Array,
  ordinals: Uint32Array,
  count: number,
): void {
  for (let index = 0; index < count; index += 1) counts[column[ordinals[index]!]!]! += 1
}

function countLists(
  counts: Uint32Array,
  { starts, values }: { readonly starts: Uint32Array; readonly values: Uint32Array },
  ordinals: Uint32Array,
  count: number,
): void {
  for (let index = 0; index < count; index += 1) {
    const ordinal = ordinals[index]!
    const end = starts[ordinal + 1]!
    for (let at = starts[ordinal]!; at < end; at += 1) counts[values[at]!]! += 1
  }
}

/** How many are on each platform, of how many have each combination. */
function ofPlatforms({ sections, counts: { platforms } }: Catalog, sets: Uint32Array): Uint32Array {
  const starts = sections['platform-set.starts']
  const counts = new Uint32Array(platforms)
  sets.forEach((count, set) => {
    const own = sections['platform-set.platforms'].subarray(starts[set], starts[set + 1])
    for (const platform of own) counts[platform]! += count
  })
  return counts
}

function named(counts: Uint32Array, most: number, nameOf: (each: number) => string): FacetKey[] {
  const keys = largest(counts.length, (each) => counts[each]!, most)
  return keys.map((each) => ({ key: nameOf(each), count: counts[each]! }))
}
