/**
 * A snapshot as an engine: everything that can be asked of it, over one copy of its memory. It knows no
 * HTTP, no money and no threads, and nothing of it changes but what it keeps of earlier looks.
 */
import type { Snapshot } from '../snapshot/file.ts'
import { Catalog } from './catalog.ts'
import { FacetCounter } from './facets/facet-counts.ts'
import { FilterNames } from './filters/filter-names.ts'
import { filterSetsOver, type SetsOfFilters } from './filters/filter-sets.ts'
import { Search } from './interpret/search.ts'
import type { WayOfSearch } from './interpret/ways/way.ts'
import { Postings } from './postings/postings.ts'
import { Suggester } from './suggest/suggestions.ts'

/** The questions that a snapshot answers. */
export interface Engine {
  readonly catalog: Catalog
  readonly search: Search
  readonly names: FilterNames
  readonly filterSets: SetsOfFilters
  readonly tallies: FacetCounter
  readonly suggestions: Suggester
}

export interface EngineOptions {
  /** The ways of search behind identity, in their order; all of them unless given. */
  readonly ways?: readonly WayOfSearch[] | undefined
}

/**
 * Opens a verified snapshot, such as `loadSnapshot` returns. Takes less than a millisecond.
 *
 *     const engine = openEngine(loadSnapshot(path))
 *     const { ordinals } = engine.search.find('rust', 10)
 *     const names = Array.from(ordinals, (ordinal) => engine.catalog.nameOf(ordinal))
 */
export function openEngine(snapshot: Snapshot, { ways }: EngineOptions = {}): Engine {
  const { header, sections } = snapshot
  const catalog = new Catalog(snapshot)
  const postings = new Postings(sections, header.counts)
  const search = new Search(catalog, postings, ways)
  return {
    catalog,
    search,
    names: new FilterNames(catalog, search),
    filterSets: filterSetsOver(catalog, postings),
    tallies: new FacetCounter(catalog),
    suggestions: new Suggester(catalog, postings, search.words),
  }
}
