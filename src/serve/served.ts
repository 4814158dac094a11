/**
 * What a serving thread holds of a snapshot: the catalog, which is views of shared memory, and the
 * search over it, whose resolver and answers are the thread's own.
 */
import { Catalog } from '../catalog/catalog.ts'
import { Postings } from '../catalog/postings.ts'
import { Resolver } from '../catalog/resolver.ts'
import { Search } from '../catalog/search.ts'
import { limits } from '../settings.ts'
import type { Snapshot } from '../snapshot/file.ts'
import { AnswerCache } from './answer-cache.ts'

/** A snapshot that is ready to answer. */
export interface Served {
  readonly catalog: Catalog
  readonly search: Search
  /** Of this snapshot and this thread; it goes when the snapshot goes. */
  readonly cache: AnswerCache
}

/**
 * Makes a snapshot ready, one small step each time it is asked for the next value; returns what
 * is then served. A thread that is serving meanwhile stops between steps, others run it through.
 * @param onFind told whether the answer to a search was in the cache.
 */
export function* prepareServed(
  snapshot: Snapshot,
  onFind?: (isHit: boolean) => void,
): Generator<void, Served, void> {
  const catalog = new Catalog(snapshot)
  const resolver = new Resolver(catalog.topicKeys(), (topic) => {
    const { start, end } = catalog.membersOf(topic)
    return end - start
  })
  while (resolver.prepareNext()) yield
  const search = new Search(
    catalog,
    new Postings(snapshot.sections, snapshot.header.counts),
    resolver,
  )
  return { catalog, search, cache: new AnswerCache(limits.answerCacheBytesMax, onFind) }
}

/** Runs a preparation through at once: for a process that serves nothing yet. */
export function prepareAtOnce(snapshot: Snapshot): Served {
  const steps = prepareServed(snapshot)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
