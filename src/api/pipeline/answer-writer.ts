/** The last steps of an admitted query, written into buffers that the next answer of the route uses again. */
import type { RouteName } from '../../operations.ts'
import type { Problem } from '../../problems.ts'
import { UnreadableTexts } from '../../snapshot/texts/stored-blocks.ts'
import type { Written } from '../answer-cache.ts'
import type { ApiReply } from '../exchange.ts'
import type { AdmittedQuery } from './admitted.ts'
import { AnswerFrame, type FrameContext } from './answer-frame.ts'
import type { OperationHandler } from './operation-handler.ts'

export interface WriterContext extends FrameContext {
  /** Milliseconds from any origin, the same for all threads, and never going back. */
  readonly clock: () => number
}

const noHeaders: ApiReply['headers'] = []
const replayHeaders: ApiReply['headers'] = [['Idempotent-Replay', 'true']]

export class AnswerWriter {
  readonly #context: WriterContext
  readonly #handler: OperationHandler
  readonly #frame: AnswerFrame
  #written: Written | undefined
  /** Counts what is answered by what is taken of the answer; it holds nothing of a snapshot. */
  #answered: ApiReply['answeredValues']

  constructor(route: RouteName, handler: OperationHandler, context: WriterContext) {
    this.#context = context
    this.#handler = handler
    this.#frame = new AnswerFrame(route, context)
  }

  /**
   * Makes the items of a query that is not paid yet, for `write`, which is called next, or not at all, and counts their
   * profiles. @returns the problem if their texts cannot be read from the snapshot's file.
   */
  makeItems(query: AdmittedQuery): Problem | undefined {
    try {
      this.#beginAnswer(query)
      query.isMade = true
      // Of detail, the query is the price of a profile.
      if (query.profiles > 0) query.profiles = query.cached?.profiles ?? this.#frame.body.profiles
      return undefined
    } catch (error) {
      if (error instanceof UnreadableTexts) return error.problem
      throw error
    }
  }

  #beginAnswer(query: AdmittedQuery): void {
    this.#frame.begin()
    this.#written = this.#writeItems(query)
  }

  /** Valid until the next. */
  write(admitted: AdmittedQuery, startedMs: number): ApiReply {
    const { served, search, charge } = admitted
    if (!admitted.isMade) this.#beginAnswer(admitted)
    const written = this.#written
    this.#written = undefined
    const { facts } = this.#frame
    facts.query = search
    facts.costMicroUsd = charge?.costMicroUsd ?? 0
    facts.balanceMicroUsd = admitted.balanceMicroUsd
    facts.leftOfCapMicroUsd = admitted.leftOfCapMicroUsd
    facts.takenNs = admitted.takenNs
    facts.way = written?.way ?? ''
    const head = this.#frame.head(served.catalog.id)
    const headers = admitted.isReplay ? replayHeaders : noHeaders
    const seconds = (this.#context.clock() - startedMs) / 1000
    const body = this.#frame.end(seconds, written?.members)
    return { status: 200, head, headers, body, charge, answeredValues: this.#answered, seconds }
  }

  #writeItems({ served, search, query, cached }: AdmittedQuery): Written | undefined {
    const { body } = this.#frame
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
}
