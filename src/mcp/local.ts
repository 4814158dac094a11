/** The source over an API of this thread. */

import type { Api } from '../api/api.ts'
import type { ApiReply } from '../api/exchange.ts'
import type { Catalog } from '../engine/catalog.ts'
import { limits } from '../limits.ts'
import {
  type Answer,
  type AnswerSource,
  largestNamesOf,
  type McpOffer,
  requestOf,
  type Topics,
} from './answer-source.ts'

/** Counted once for each snapshot. */
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
      // Only the id is kept: a reference to the catalog would keep its snapshot in memory.
      const countries = countriesOf(catalog)
      const all = { total: catalog.counts.topics, topics, countries }
      this.#counted = { snapshotId: catalog.id, topics: all }
    }
    return this.#counted.topics
  }
}

function countriesOf(catalog: Catalog): string[] {
  const countries = Array.from({ length: catalog.counts.countries }, (_, country) =>
    catalog.countryOf(country),
  )
  return countries.filter((name) => name !== '').sort()
}

export function parsedAnswer({ status, body }: Pick<ApiReply, 'status' | 'body'>): Answer {
  return { status, json: JSON.parse(Buffer.from(body).toString()) }
}

/** @param api one that needs no key, so that nothing is charged. */
export function localSource(api: Api, topics: TopicList, offer: McpOffer): AnswerSource {
  return {
    ...offer,
    largestTopics: largestNamesOf(topics.get()),
    ask: async (question) => parsedAnswer(api.answer(requestOf(question))),
    topics: async () => topics.get(),
  }
}
