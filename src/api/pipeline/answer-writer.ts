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
import type { OperationHandler, ParsedQuery } from './operation-handler.ts'
import type { RequestIds } from './request-ids.ts'
import type { AnswerFacts } from './response-headers.ts'

/** Dependencies of an `AnswerWriter`. */
export interface WriterContext extends RateLimits {
  readonly ids: RequestIds
  /** Milliseconds from any origin, the same for all threads, and never going back. */
  readonly clock: () => number
}

type Filled<T> = { -readonly [N in keyof T]: T[N] }

const nothing = new Uint8Array(0)
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
  /** The query and the result of the answer, for what is taken of it; they hold nothing of a snapshot. */
  #query: ParsedQuery | undefined
  #result: unknown
  /** Filled in anew for every answer: a new object would leave 190 bytes to collect for each. */
  readonly #facts: Filled<AnswerFacts>
  readonly #reply: Filled<ApiReply> = {
    status: 200,
    head: undefined,
    headers: noHeaders,
    body: nothing,
    charge: undefined,
    answeredValues: undefined,
    seconds: 0,
  }

  constructor(route: RouteName, handler: OperationHandler, context: WriterContext) {
    const { paths, requestIdInBody } = operations[route]
    this.#context = context
    this.#route = route
    this.#handler = handler
    this.#path = hashPath(paths[0])
    this.#envelope = new Envelope(requestIdInBody)
    const { ids } = context
    const amounts = { costMicroUsd: 0, balanceMicroUsd: 0, leftOfCapMicroUsd: 0, takenNs: 0 }
    this.#facts = { ids, id: 0, query: '', ...amounts, way: '' }
    if (handler.answeredValues !== undefined) {
      this.#reply.answeredValues = () => handler.answeredValues!(this.#query!, this.#result)
    }
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
    const id = ids.next()
    this.#facts.id = id
    this.#envelope.begin(ids, id)
    this.#written = this.#writeItems(query)
  }

  /** The reply to an admitted query, valid until the next. */
  write(admitted: AdmittedQuery, startedMs: number): ApiReply {
    const { search, charge, balanceMicroUsd, leftOfCapMicroUsd, takenNs } = admitted
    const { ids, clock } = this.#context
    if (!admitted.isMade) this.#beginAnswer(admitted)
    const written = this.#written
    this.#written = undefined
    const costMicroUsd = charge?.costMicroUsd ?? 0
    const facts = this.#facts
    facts.ids = ids
    facts.query = search
    facts.costMicroUsd = costMicroUsd
    facts.balanceMicroUsd = balanceMicroUsd ?? 0
    facts.leftOfCapMicroUsd = leftOfCapMicroUsd ?? 0
    facts.takenNs = takenNs
    facts.way = written?.way ?? ''
    const reply = this.#reply
    reply.head = this.#headFor(admitted).write(facts)
    reply.headers = admitted.isReplay ? replayHeaders : noHeaders
    const seconds = (clock() - startedMs) / 1000
    reply.body = this.#envelope.end(seconds, written?.members)
    reply.charge = charge
    reply.seconds = seconds
    return reply
  }

  /** Copies the items of a cached answer, or finds and renders them. */
  #writeItems({ served, search, query, cached }: AdmittedQuery): Written | undefined {
    const { body } = this.#envelope
    const { cache } = served
    if (cached !== undefined) {
      cache.countHit()
      body.slice(cached.source, cached.start, cached.end)
      return cached
    }
    const handler = this.#handler
    const result = handler.find(served, query!)
    if (handler.answeredValues !== undefined) {
      this.#query = query
      this.#result = result
    }
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
