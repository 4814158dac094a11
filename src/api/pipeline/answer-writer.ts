/**
 * The last steps of an admitted query, `find` and `render`: writes items, envelope and header lines into
 * buffers that the next answer of the route uses again.
 */
import { operations, type RouteName } from '../../operations.ts'
import type { Problem } from '../../problems.ts'
import { UnreadableTexts } from '../../snapshot/texts/stored-blocks.ts'
import type { Written } from '../answer-cache.ts'
import type { ApiReply } from '../exchange.ts'
import { limitOf, type RateLimits } from '../limits/rate-limit.ts'
import type { AdmittedQuery, QueryInSteps } from './admitted.ts'
import { AnswerHead } from './answer-head.ts'
import { Envelope } from './envelope.ts'
import { hashPath } from './etag.ts'
import type { OperationHandler } from './operation-handler.ts'
import type { RequestIds } from './request-ids.ts'

/** Dependencies of an `AnswerWriter`. */
export interface WriterContext extends RateLimits {
  readonly ids: RequestIds
  /** Milliseconds from any origin, the same for all threads, and never going back. */
  readonly clock: () => number
}

const noHeaders: ApiReply['headers'] = []
const replayHeaders: ApiReply['headers'] = [['Idempotent-Replay', 'true']]

export class AnswerWriter {
  readonly #context: WriterContext
  readonly #route: RouteName
  readonly #handler: OperationHandler
  readonly #path: ReturnType<typeof hashPath>
  readonly #envelope: Envelope
  /** Header lines of the snapshot that answered last, by its id: nothing here keeps a snapshot in memory. */
  #head: AnswerHead | undefined
  /** The same for keys with caps, and for keys without that may not see the account. */
  #cappedHead: AnswerHead | undefined
  #narrowHead: AnswerHead | undefined
  #headOf = ''
  /** What the items of the answer leave for its end. */
  #written: Written | undefined
  /** Counts what is answered by what is taken of the answer; it holds nothing of a snapshot. */
  #answered: ApiReply['answeredValues']
  /** Number of the id of its request. */
  #id = 0

  constructor(route: RouteName, handler: OperationHandler, context: WriterContext) {
    const { paths, requestIdInBody } = operations[route]
    this.#context = context
    this.#route = route
    this.#handler = handler
    this.#path = hashPath(paths[0])
    this.#envelope = new Envelope(requestIdInBody)
  }

  /**
   * Makes the items of a query that is not paid yet, for `write`, which is called next, or not at all. The query says
   * then how many of them are profiles.
   * @returns the problem if their texts cannot be read from the snapshot's file.
   */
  makeItems(query: QueryInSteps): Problem | undefined {
    try {
      this.#beginAnswer(query)
      query.isMade = true
      // Of detail, the query is the price of a profile.
      if (query.profiles > 0)
        query.profiles = query.cached?.profiles ?? this.#envelope.body.profiles
      return undefined
    } catch (error) {
      if (error instanceof UnreadableTexts) return error.problem
      throw error
    }
  }

  #beginAnswer(query: AdmittedQuery): void {
    const { ids } = this.#context
    this.#id = ids.next()
    this.#envelope.begin(ids, this.#id)
    this.#written = this.#writeItems(query)
  }

  /** The reply to an admitted query, valid until the next. */
  write(admitted: AdmittedQuery, startedMs: number): ApiReply {
    const { search, charge, balanceMicroUsd, leftOfCapMicroUsd, takenNs } = admitted
    const { ids, clock } = this.#context
    if (!admitted.isMade) this.#beginAnswer(admitted)
    const written = this.#written
    this.#written = undefined
    const head = this.#headFor(admitted).write({
      ids,
      id: this.#id,
      query: search,
      costMicroUsd: charge?.costMicroUsd ?? 0,
      balanceMicroUsd: balanceMicroUsd ?? 0,
      leftOfCapMicroUsd: leftOfCapMicroUsd ?? 0,
      takenNs,
      way: written?.way ?? '',
    })
    const headers = admitted.isReplay ? replayHeaders : noHeaders
    const seconds = (clock() - startedMs) / 1000
    const body = this.#envelope.end(seconds, written?.members)
    return { status: 200, head, headers, body, charge, answeredValues: this.#answered, seconds }
  }

  /** Copies the items of a cached answer, or finds and renders them. */
  #writeItems({ served, search, query, cached }: AdmittedQuery): Written | undefined {
    const { body } = this.#envelope
    const { cache } = served
    if (cached !== undefined) {
      cache.countHit(cached)
      body.slice(cached.source, cached.start, cached.end)
      return cached
    }
    const handler = this.#handler
    const result = handler.find(served, query!)
    this.#answered = handler.answeredValues && (() => handler.answeredValues?.(query!, result))
    const written = handler.render(served, query!, result, body)
    if (handler.isCached !== true) return written
    if (written !== undefined && 'source' in written) cache.put(search, written)
    else cache.countMiss()
    return written
  }

  #headFor(admitted: AdmittedQuery): AnswerHead {
    const { served, leftOfCapMicroUsd, balanceMicroUsd } = admitted
    const { id } = served.catalog
    if (this.#headOf !== id) {
      this.#headOf = id
      this.#head = undefined
      this.#cappedHead = undefined
      this.#narrowHead = undefined
    }
    if (leftOfCapMicroUsd !== undefined) {
      this.#cappedHead ??= this.#newHead(admitted)
      return this.#cappedHead
    }
    if (balanceMicroUsd === undefined) {
      this.#narrowHead ??= this.#newHead(admitted)
      return this.#narrowHead
    }
    this.#head ??= this.#newHead(admitted)
    return this.#head
  }

  #newHead({ served, charge, leftOfCapMicroUsd, balanceMicroUsd }: AdmittedQuery): AnswerHead {
    const { saysWay } = operations[this.#route]
    return new AnswerHead({
      path: this.#path,
      snapshotId: served.catalog.id,
      isPaid: charge !== undefined,
      isCapped: leftOfCapMicroUsd !== undefined,
      saysBalance: balanceMicroUsd !== undefined,
      saysWay,
      rateLimit: limitOf(this.#route, this.#context),
    })
  }
}
