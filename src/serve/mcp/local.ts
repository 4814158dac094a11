/**
 * The source over the API of this process: the one that HTTP asks too, with its keys, its prices
 * and its ledger.
 */
import type { Catalog } from '../../catalog/catalog.ts'
import { limits } from '../../settings.ts'
import type { Api } from '../api.ts'
import type { Source, Topics } from './source.ts'

/** The largest topics of what is served at the moment, counted once for each snapshot. */
export class TopicList {
  readonly #catalog: () => Catalog | undefined
  #counted: { readonly snapshotId: string; readonly topics: Topics } | undefined

  constructor(catalog: () => Catalog | undefined) {
    this.#catalog = catalog
  }

  /** Undefined while nothing is served. O(topics) the first time, then constant. */
  get(): Topics | undefined {
    const catalog = this.#catalog()
    if (catalog === undefined) return undefined
    if (this.#counted?.snapshotId !== catalog.id) {
      const topics = catalog.largestTopics(limits.topicsListedMax)
      // The id alone, because a catalog that is held is a snapshot that is not freed.
      this.#counted = { snapshotId: catalog.id, topics: { total: catalog.counts.topics, topics } }
    }
    return this.#counted.topics
  }
}

/** @param authorization the caller's `Authorization` header; '' where no key is needed. */
export function localSource(api: Api, topics: TopicList, authorization: string): Source {
  return {
    ask: async (path, query) => {
      const reply = api.answer({ method: 'GET', path, query, authorization })
      const json = JSON.parse(Buffer.from(reply.body).toString())
      // Charged once the answer could be handed over, as HTTP charges once it is written.
      api.written(reply)
      return { status: reply.status, json }
    },
    topics: async () => topics.get(),
  }
}
