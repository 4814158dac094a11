/**
 * Search: a text → ranked authorities. A topic's label or alias is answered from the topic's
 * ranking; anything else is resolved to the topic that was most likely meant.
 */
import { termsOf } from '../snapshot/analyzer.ts'
import type { Catalog } from './catalog.ts'
import type { Resolver } from './resolver.ts'

/** What a query found: a topic's ranking (rank is the rank in that topic), or nobody. */
export type Found = { readonly topic: number } | { readonly topic: undefined }

export class Search {
  readonly #catalog: Catalog
  readonly #resolver: Resolver

  constructor(catalog: Catalog, resolver: Resolver) {
    this.#catalog = catalog
    this.#resolver = resolver
  }

  /** Finds what a query means. A query without letters or digits finds nobody. */
  find(query: string): Found {
    const terms = termsOf(query)
    if (terms.length === 0) return { topic: undefined }
    const topic = this.#catalog.findTopic(terms.join(' '))
    return { topic: topic >= 0 ? topic : this.#resolver.resolve(terms) }
  }
}
