/**
 * Counts everybody who matched, once: how many there are, how many stand before a place, and by
 * country, topic and platform. One pass over them in ascending order, and no object per person.
 */
import type { FacetName } from '../../request-parameters.ts'
import type { Catalog } from '../catalog.ts'
import { largest } from '../largest.ts'
import { walkAll } from '../search/holders.ts'
import type { Listing, Place } from './listing.ts'

/** A value of a facet, and how many have it. */
export interface FacetKey {
  readonly key: string
  readonly count: number
}

/** What was counted. */
export interface Tally {
  readonly total: number
  /** How many of them stand before the place, or at it; 0 where none was given. */
  readonly before: number
  readonly facets: Readonly<Partial<Record<FacetName, readonly FacetKey[]>>>
}

/** What is to be counted beside the total. */
export interface TallyOptions {
  readonly place?: Place | undefined
  readonly facets?: readonly FacetName[]
  /** Keys of each facet at most. */
  readonly keysMax: number
}

/** Counts by a number that each person has, or by several. */
interface Counter {
  add(ordinal: number): void
  /** The largest, each by its name. */
  keys(most: number): FacetKey[]
}

export class Tallies {
  readonly #catalog: Catalog
  /** Who was counted: a bit for each ordinal. */
  #seen: Uint32Array | undefined

  constructor(catalog: Catalog) {
    this.#catalog = catalog
  }

  /** Counts a listing. O(who is in the smallest list of each part), and O(counted) for the facets. */
  of(listing: Listing, { place, facets = [], keysMax }: TallyOptions): Tally {
    const { size } = listing
    if (size !== undefined && place === undefined && facets.length === 0) {
      return { total: size, before: 0, facets: {} }
    }
    const counters = facets.map((name) => [name, counterOf[name](this.#catalog)] as const)
    const seen = this.#cleared()
    let total = 0
    let before = 0
    const take = (ordinal: number): boolean => {
      const bit = 1 << (ordinal & 31)
      if ((seen[ordinal >>> 5]! & bit) !== 0) return true
      seen[ordinal >>> 5]! |= bit
      total += 1
      if (place !== undefined && listing.isBefore(ordinal, place)) before += 1
      for (let index = 0; index < counters.length; index += 1) counters[index]![1].add(ordinal)
      return true
    }
    for (const part of listing.parts) {
      if (part.every((holders) => holders.size > 0)) walkAll(part, take)
    }
    const keys = counters.map(([name, counter]) => [name, counter.keys(keysMax)])
    return { total, before, facets: Object.fromEntries(keys) }
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
      add: (ordinal) => {
        counts[column[ordinal]!]! += 1
      },
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
      add: (ordinal) => {
        const end = starts[ordinal + 1]!
        for (let index = starts[ordinal]!; index < end; index += 1) counts[topics[index]!]! += 1
      },
      keys: (most) => named(counts, most, (topic) => catalog.labelOf(topic)),
    }
  },

  platform: (catalog) => {
    const column = catalog.sections['authority.platform-sets']
    const counts = new Uint32Array(catalog.counts.platformSets)
    return {
      add: (ordinal) => {
        counts[column[ordinal]!]! += 1
      },
      keys: (most) => named(ofPlatforms(catalog, counts), most, (each) => catalog.platforms[each]!),
    }
  },
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
