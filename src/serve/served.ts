/**
 * What a serving thread holds of a snapshot: the catalog, which is views of shared memory, and the
 * search over it, whose resolver is the thread's own.
 */
import { Catalog } from '../catalog/catalog.ts'
import { Resolver } from '../catalog/resolver.ts'
import { Search } from '../catalog/search.ts'
import type { Snapshot } from '../snapshot/file.ts'

/** A snapshot that is ready to answer. */
export interface Served {
  readonly catalog: Catalog
  readonly search: Search
}

/**
 * Makes a snapshot ready, one small step each time it is asked for the next value; returns what
 * is then served. A thread that is serving meanwhile stops between steps, others run it through.
 */
export function* prepareServed(snapshot: Snapshot): Generator<void, Served, void> {
  const catalog = new Catalog(snapshot)
  const resolver = new Resolver(catalog.topicKeys(), (topic) => {
    const { start, end } = catalog.membersOf(topic)
    return end - start
  })
  while (resolver.prepareNext()) yield
  return { catalog, search: new Search(catalog, resolver) }
}

/** Runs a preparation through at once: for a process that serves nothing yet. */
export function prepareAtOnce(snapshot: Snapshot): Served {
  const steps = prepareServed(snapshot)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
