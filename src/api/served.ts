/**
 * What a serving thread holds of a snapshot: the catalog, which is views of shared memory, and the
 * search over it, whose resolver and answers are the thread's own.
 */
import { Catalog } from '../catalog/catalog.ts'
import { Dictionary } from '../catalog/search/dictionary.ts'
import { Resolver } from '../catalog/search/likely/resolver.ts'
import { Postings } from '../catalog/search/postings.ts'
import { Search } from '../catalog/search/search.ts'
import { FilterHolders } from '../catalog/selection/filter-holders.ts'
import { FilterNames } from '../catalog/selection/names.ts'
import { Tallies } from '../catalog/selection/tally.ts'
import type { Orders } from '../catalog/suggestion/orders.ts'
import { Suggestions } from '../catalog/suggestion/suggestions.ts'
import { limits } from '../limits.ts'
import type { ChangeFile } from '../snapshot/changes/change-file.ts'
import type { Snapshot } from '../snapshot/file.ts'
import type { Header } from '../snapshot/header.ts'
import { AnswerCache } from './answer-cache.ts'
import type { Past } from './history/past.ts'

/** A snapshot that is ready to answer. */
export interface Served {
  readonly catalog: Catalog
  readonly search: Search
  /** What the values of filters mean, whom they choose, and what is counted. */
  readonly names: FilterNames
  readonly filters: FilterHolders
  readonly tallies: Tallies
  readonly suggestions: Suggestions
  /** Of this snapshot and this thread; it goes when the snapshot goes. */
  readonly cache: AnswerCache
  readonly topics: TopicIndex
  /** The snapshots before it, as far as the changes between them are known. */
  readonly past: Past
}

/** The resolver, and which topic keys it is made of. */
export interface TopicIndex {
  readonly resolver: Resolver
  readonly fingerprint: string
}

/** What a preparation may be given. */
export interface PrepareOptions {
  /** What the thread serves so far: its resolver serves again where the topics are the same. */
  readonly before?: Served | undefined
  /** Called with whether the answer to a search was in the cache. */
  readonly onFind?: ((isHit: boolean) => void) | undefined
  /** The files of changes that lead to the snapshot, the last at the end. */
  readonly changes?: readonly ChangeFile[] | undefined
  /** What suggestions are found by; made when it is first needed where it is not given. */
  readonly orders?: Orders | undefined
}

/**
 * Makes a snapshot ready, one small step each time it is asked for the next value; returns what
 * is then served. A thread that is serving meanwhile stops between steps, others run it through.
 */
export function* prepareServed(
  snapshot: Snapshot,
  { before, onFind, changes = [], orders }: PrepareOptions = {},
): Generator<void, Served, void> {
  const { header, sections } = snapshot
  const catalog = new Catalog(snapshot)
  const fingerprint = topicsFingerprint(header)
  let resolver = before?.topics.fingerprint === fingerprint ? before.topics.resolver : undefined
  if (resolver === undefined) {
    resolver = new Resolver(catalog.topicKeys())
    while (resolver.prepareNext()) yield
  }
  const postings = new Postings(sections, header.counts)
  const search = new Search(catalog, postings, new Dictionary(sections, postings), resolver)
  const cache = new AnswerCache(limits.answerCacheBytesMax, onFind)
  return {
    catalog,
    search,
    names: new FilterNames(catalog, search),
    filters: new FilterHolders(catalog, postings),
    tallies: new Tallies(catalog),
    suggestions: new Suggestions(snapshot, { catalog, postings, words: search.words }, orders),
    cache,
    topics: { resolver, fingerprint },
    past: { files: changes, header },
  }
}

/** Lengths and checksums of all topic keys and of the topics they stand for. */
function topicsFingerprint({ sections }: Header): string {
  return sections
    .filter(({ name }) => name.startsWith('topic-key.'))
    .map(({ length, checksum }) => `${length}:${checksum}`)
    .join()
}

/** Runs a preparation through at once: for a process that serves nothing yet. */
export function prepareAtOnce(snapshot: Snapshot, changes?: readonly ChangeFile[]): Served {
  const steps = prepareServed(snapshot, { changes })
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
