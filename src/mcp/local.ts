/**
 * The source over the API of this process: the one that HTTP asks too, with its keys, its prices
 * and its ledger.
 */

import type { Api } from '../api/api.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { limits } from '../limits.ts'
import type { Answer, Source, Topics } from './answer-source.ts'

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

/** What a caller asks of one of the four routes. */
export interface Question {
  readonly path: string
  readonly query: string
  /** The caller's `Authorization` header; '' where no key is needed. */
  readonly authorization: string
}

/** An answer that is not parsed yet. */
export interface WrittenAnswer {
  readonly status: number
  readonly body: Uint8Array
}

/** Asks the API, which charges as if the answer had been written to a client. */
export function askApi(api: Api, question: Question): WrittenAnswer {
  const reply = api.answer({ method: 'GET', ...question })
  api.written(reply)
  return reply
}

/** An answer as the tools take it. */
export function parsedAnswer({ status, body }: WrittenAnswer): Answer {
  return { status, json: JSON.parse(Buffer.from(body).toString()) }
}

/** @param authorization as in a question. */
export function localSource(api: Api, topics: TopicList, authorization: string): Source {
  return {
    ask: async (path, query) => parsedAnswer(askApi(api, { path, query, authorization })),
    topics: async () => topics.get(),
  }
}
