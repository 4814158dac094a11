/** Counts everybody who matched, in one ascending pass without an object per person. */
import type { FacetName } from '../../request-parameters.ts'
import type { References, Sections } from '../../snapshot/sections.ts'
import type { Catalog } from '../catalog.ts'
import { largest } from '../postings/best.ts'
import { endless, planWalk, type WalkPlan, walkChunks } from '../postings/doc-set.ts'
import type { Listing, ListMark } from './listing.ts'

interface FacetKey {
  readonly key: string
  readonly count: number
}

export interface FacetCounts {
  /** The people among whom they were counted, the first by authority; undefined for everybody. */
  readonly among?: number | undefined
  readonly total: number
  /** The number of them before the mark or at it; 0 without a mark. */
  readonly before: number
  readonly facets: Readonly<Partial<Record<FacetName, readonly FacetKey[]>>>
}

interface TallyOptions {
  readonly mark?: ListMark | undefined
  readonly facets?: readonly FacetName[]
  readonly keysMax: number
}

interface Counter {
  /** Steps to count somebody. */
  readonly steps: number
  readonly add: ShowPeople
  keys(most: number): FacetKey[]
}

export class FacetCounter {
  readonly #catalog: Catalog
  readonly #stepsMax: number
  #seen: Uint32Array | undefined

  /** @param stepsMax steps of one count: a look at one person in one list is one, of up to 15 ns (at a million people). */
  constructor(catalog: Catalog, stepsMax = 1 << 18) {
    this.#catalog = catalog
    this.#stepsMax = stepsMax
  }

  /** Counts what takes more than `stepsMax` among fewer people, the first by authority. */
  of(listing: Listing, { mark, facets = [], keysMax }: TallyOptions): FacetCounts {
    const { only } = listing
    const isOnly = only !== undefined && mark === undefined
    const people = only?.ordinals
    const known = people && knownCountsOf(this.#catalog.sections, people)
    const wanted = (topics?: Uint32Array) => {
      const counters = facets.map((name) => counterOf[name](this.#catalog, topics))
      const steps = counters.reduce((sum, counter) => sum + counter.steps, mark ? stepsOfMark : 0)
      return { counters, plans: this.#plansWithin(listing, steps, isOnly) }
    }
    const all = wanted(known)
    // What is known of a topic is known of everybody.
    const isBounded = known !== undefined && all.plans.among !== undefined
    const { counters, plans } = isBounded ? wanted() : all
    const addTo: ShowPeople = (ordinals, count) => {
      for (const counter of counters) counter.add(ordinals, count)
    }
    const isWhole = isOnly && plans.among === undefined && people !== undefined
    const { total, before } = isWhole
      ? showAll(people, addTo)
      : this.#walk(plans, listing, mark, addTo)
    const keys = facets.map((name, index) => [name, counters[index]!.keys(keysMax)])
    return { among: plans.among, total, before, facets: Object.fromEntries(keys) }
  }

  /** Halves the people among whom is counted until the walks take few enough steps. */
  #plansWithin({ parts }: Listing, steps: number, isOnly: boolean): Plans {
    const everybody = this.#catalog.counts.authorities
    const held = parts.filter((part) => part.every((holders) => holders.size > 0))
    let plans = held.map((part) => planWalk(part))
    let among = everybody
    while (among > 1 && stepsOf(plans, among, { steps, isOnly }) > this.#stepsMax) {
      among >>>= 1
      plans = held.map((part) => planWalk(part.map((holders) => holders.slice(0, among))))
    }
    return { plans, among: among === everybody ? undefined : among }
  }

  #walk(
    { plans, among }: Plans,
    listing: Listing,
    mark: ListMark | undefined,
    show: ShowPeople,
  ): { readonly total: number; readonly before: number } {
    this.#seen ??= new Uint32Array((this.#catalog.counts.authorities >>> 5) + 1)
    const seen = this.#seen.fill(0)
    let total = 0
    let before = 0
    const showNew = (ordinals: Uint32Array, count: number): number => {
      const fresh = keepNew(seen, ordinals, count)
      total += fresh
      if (mark !== undefined) before += countBefore(listing, mark, ordinals, fresh)
      show(ordinals, fresh)
      return among ?? endless
    }
    for (const plan of plans) walkChunks(plan, showNew)
    return { total, before }
  }
}

type ShowPeople = (ordinals: Uint32Array, count: number) => void

interface Plans {
  readonly plans: readonly WalkPlan[]
  readonly among: number | undefined
}

/** Steps to see whether somebody stands before a mark, and to count a list of topics. */
const stepsOfMark = 20
const stepsOfTopics = 6

function stepsOf(
  plans: readonly WalkPlan[],
  among: number,
  { steps, isOnly }: { readonly steps: number; readonly isOnly: boolean },
): number {
  let [looks, people] = [0, 0]
  for (const { walked, others } of plans) {
    const size = walked?.size ?? 0
    if (!isOnly) looks += size * others.reduce((sum, { width }) => sum + width, 1)
    people += size
  }
  return looks + Math.min(people, among) * steps
}

/** In chunks the counters are compiled early; one loop over all would be interpreted (measured). */
const chunkLength = 4_096

function showAll(people: Uint32Array, show: ShowPeople) {
  for (let from = 0; from < people.length; from += chunkLength) {
    const chunk = people.subarray(from, from + chunkLength)
    show(chunk, chunk.length)
  }
  return { total: people.length, before: 0 }
}

function keepNew(seen: Uint32Array, ordinals: Uint32Array, count: number): number {
  let fresh = 0
  for (let index = 0; index < count; index += 1) {
    const ordinal = ordinals[index]!
    const bits = seen[ordinal >>> 5]!
    seen[ordinal >>> 5] = bits | (1 << ordinal)
    ordinals[fresh] = ordinal
    fresh += 1 - ((bits >>> ordinal) & 1)
  }
  return fresh
}

function countBefore(
  listing: Listing,
  mark: ListMark,
  ordinals: Uint32Array,
  count: number,
): number {
  let before = 0
  for (let index = 0; index < count; index += 1) {
    if (listing.isBefore(ordinals[index]!, mark)) before += 1
  }
  return before
}

type NewCounter = (catalog: Catalog, topics?: Uint32Array) => Counter

const counterOf: Readonly<Record<FacetName, NewCounter>> = {
  country: (catalog) => {
    const column = catalog.sections['authority.countries']
    return byColumn(column, catalog.counts.countries, (counts, most) =>
      // The key '' stands for an unknown country; no filter takes it.
      named(counts, most + 1, (country) => catalog.countryOf(country))
        .filter(({ key }) => key !== '')
        .slice(0, most),
    )
  },

  topic: (catalog, known) => {
    const counts = known ?? new Uint32Array(catalog.counts.topics)
    const { 'authority.topic-starts': starts, 'authority.topics': topics } = catalog.sections
    return {
      steps: known === undefined ? stepsOfTopics : 0,
      add: (ordinals, count) => {
        if (known !== undefined) return
        // 10 to 18 ns a person with one to five topics.
        for (let index = 0; index < count; index += 1) {
          const ordinal = ordinals[index]!
          const end = starts[ordinal + 1]!
          for (let at = starts[ordinal]!; at < end; at += 1) counts[topics[at]!]! += 1
        }
      },
      keys: (most) => named(counts, most, (topic) => catalog.labelOf(topic)),
    }
  },

  platform: (catalog) => bySet(catalog, 'platform', (each) => catalog.platforms[each]!),

  attribute: (catalog) => bySet(catalog, 'attribute', (each) => catalog.attributeOf(each)),
}

/** Counts by a number that each person has in a column. */
function byColumn(
  column: References,
  numbers: number,
  keysOf: (counts: Uint32Array, most: number) => FacetKey[],
): Counter {
  const counts = new Uint32Array(numbers)
  return {
    steps: 1,
    add: (ordinals, count) => {
      for (let index = 0; index < count; index += 1) counts[column[ordinals[index]!]!]! += 1
    },
    keys: (most) => keysOf(counts, most),
  }
}

/** Counts how many have each combination of values, and from that how many have each value. */
function bySet(
  { sections, counts }: Catalog,
  kind: 'platform' | 'attribute',
  nameOf: (value: number) => string,
): Counter {
  const starts = sections[`${kind}-set.starts`]
  const { 'platform-set.platforms': platforms, 'attribute-set.attributes': attributes } = sections
  const values = kind === 'platform' ? platforms : attributes
  return byColumn(sections[`authority.${kind}-sets`], counts[`${kind}Sets`], (sets, most) => {
    const people = new Uint32Array(counts[`${kind}s`])
    for (let set = 0; set < sets.length; set += 1) {
      const count = sets[set]!
      if (count === 0) continue
      for (let at = starts[set]!; at < starts[set + 1]!; at += 1) people[values[at]!]! += count
    }
    return named(people, most, nameOf)
  })
}

function named(counts: Uint32Array, most: number, nameOf: (each: number) => string): FacetKey[] {
  const keys = largest({ start: 0, end: counts.length }, (each) => counts[each]!, most)
  return keys.map((each) => ({ key: nameOf(each), count: counts[each]! }))
}

/**
 * By topic, how many of some people have it, where the sync has counted that: it would take milliseconds each time.
 * Undefined unless they are all members of a large topic.
 */
function knownCountsOf(sections: Sections, people: Uint32Array): Uint32Array | undefined {
  const members = sections['meaning.ordinals']
  const starts = sections['topic.member-starts']
  if (people.buffer !== members.buffer) return undefined
  const start = (people.byteOffset - members.byteOffset) / members.BYTES_PER_ELEMENT
  const end = start + people.length
  const row = sections['topic-count.topics'].findIndex(
    (topic) => starts[topic] === start && starts[topic + 1] === end,
  )
  const topics = starts.length - 1
  if (row < 0) return undefined
  return sections['topic-count.counts'].subarray(row * topics, (row + 1) * topics)
}
