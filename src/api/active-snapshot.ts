/**
 * What a serving thread holds of a snapshot: the catalog, which is views of shared memory, and the search
 * over it. The loading thread made what takes time, and all threads share it; only the cache of answers
 * belongs to one thread.
 */
import { Catalog } from '../engine/catalog.ts'
import type { DerivedIndexes } from '../engine/derived-indexes.ts'
import { FacetCounter } from '../engine/facets/facet-counts.ts'
import { FilterNames } from '../engine/filters/filter-names.ts'
import { FilterHolders } from '../engine/filters/filter-sets.ts'
import { Resolver } from '../engine/interpret/resolver.ts'
import { Search } from '../engine/interpret/search.ts'
import type { WayOfSearch } from '../engine/interpret/ways/way.ts'
import { Postings } from '../engine/postings/postings.ts'
import { Suggester } from '../engine/suggest/suggestions.ts'
import { FuzzyTermIndex } from '../engine/terms/fuzzy-term-index.ts'
import { topicTokensOf } from '../engine/terms/topic-tokens.ts'
import { Websites, websiteTableOf } from '../engine/websites.ts'
import { limits } from '../limits.ts'
import type { ChangeFile } from '../snapshot/changes/change-file.ts'
import type { Snapshot } from '../snapshot/file.ts'
import { AnswerCache } from './answer-cache.ts'
import { Cursors } from './parameters/cursor.ts'
import type { Past } from './past.ts'

/** A snapshot that is ready to answer. */
export interface ActiveSnapshot {
  readonly catalog: Catalog
  readonly search: Search
  /** What the values of filters mean, whom they choose, and what is counted. */
  readonly names: FilterNames
  readonly filters: FilterHolders
  readonly tallies: FacetCounter
  readonly suggestions: Suggester
  /** Of this snapshot and this thread; it goes when the snapshot goes. */
  readonly cache: AnswerCache
  /** The snapshots before it, as far as the changes between them are known. */
  readonly past: Past
  /** What reads and writes the cursors of its pages. */
  readonly cursors: Cursors
}

/** What a preparation may be given: what was not made when the snapshot was loaded is made as it is needed. */
export interface PrepareOptions extends Partial<DerivedIndexes> {
  /** The files of changes that lead to the snapshot, the last at the end. */
  readonly changes?: readonly ChangeFile[] | undefined
  /** What cursors are written with; without it anybody can make them. */
  readonly cursorKey?: Uint8Array | undefined
  /** The ways of search behind identity, in their order; all of them unless some are to be left out. */
  readonly ways?: readonly WayOfSearch[] | undefined
}

/** Makes a snapshot ready: in less than a millisecond where all that it may be given is. */
export function activate(
  snapshot: Snapshot,
  { changes = [], cursorKey, ways, ...made }: PrepareOptions = {},
): ActiveSnapshot {
  const { header, sections } = snapshot
  const catalog = new Catalog(snapshot)
  const topics = sections['topic-key.topics']
  const keys = { text: sections['topic-key.text'], ends: sections['topic-key.ends'], topics }
  const resolver = new Resolver(keys, made.tokens ?? topicTokensOf(sections))
  const postings = new Postings(sections, header.counts)
  const table = made.websites ?? websiteTableOf(catalog.profiles)
  const websites = new Websites(catalog.profiles, table)
  const dictionary = new FuzzyTermIndex(sections, postings)
  const search = new Search(
    catalog,
    postings,
    dictionary,
    resolver,
    websites,
    ways,
    made.nameSounds,
  )
  return {
    catalog,
    search,
    names: new FilterNames(catalog, search),
    filters: new FilterHolders(catalog, postings),
    tallies: new FacetCounter(catalog, made.topicCounts),
    suggestions: new Suggester(snapshot, { catalog, postings, words: search.words }, made.orders),
    cache: new AnswerCache(limits.answerCacheBytesMax),
    past: { files: changes, header },
    cursors: new Cursors(cursorKey),
  }
}
