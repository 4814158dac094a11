/** The last steps of an admitted query, written into buffers that the next answer of the route uses again. */
import type { RouteName } from '../../operations.ts'
import type { Problem } from '../../problems.ts'
import { UnreadableTexts } from '../../snapshot/texts/stored-blocks.ts'
import type { Written } from '../answer-cache.ts'
import type { ApiReply } from '../exchange.ts'
import { AnswerFrame, type FrameContext } from './answer-frame.ts'
import type { AdmittedQuery, OperationHandler } from './operation-handler.ts'

export interface WriterContext extends FrameContext {
  /** Milliseconds from any origin, the same for all threads, and never going back. */
  readonly clock: () => number
}

export class AnswerWriter {
  readonly #context: WriterContext
  readonly #handler: OperationHandler
  readonly #frame: AnswerFrame

  constructor(route: RouteName, handler: OperationHandler, context: WriterContext) {
    this.#context = context
    this.#handler = handler
    this.#frame = new AnswerFrame(route, context)
  }

  /**
   * Makes the items of a query, for `write`, which is called next, or not at all, and counts their profiles.
   * @returns the problem if their texts cannot be read from the snapshot's file.
   */
  makeItems(admitted: AdmittedQuery): Problem | undefined {
    this.#frame.begin()
    try {
      admitted.written = this.#writeItems(admitted)
    } catch (error) {
      if (error instanceof UnreadableTexts) return error.problem
      throw error
    }
    // Of detail, the query is the price of a profile.
    if (admitted.profiles > 0) {
      admitted.profiles = admitted.cached?.profiles ?? this.#frame.body.profiles
    }
    return undefined
  }

  #writeItems(admitted: AdmittedQuery): Written | undefined {
    const { served, search, query, cached } = admitted
    const { body } = this.#frame
    const { cache } = served
    if (cached !== undefined) {
      cache.countHit(cached)
      body.slice(cached.source, cached.start, cached.end)
      return cached
    }
    const handler = this.#handler
    const result = handler.find(served, query!)
    admitted.answeredValues =
      handler.answeredValues && (() => handler.answeredValues?.(query!, result))
    const written = handler.render(served, query!, result, body)
    if (handler.isCached !== true) return written
    if (written !== undefined && 'source' in written) cache.put(search, written)
    else cache.countMiss()
    return written
  }

  /** Valid until the next. */
  write(admitted: AdmittedQuery, startedMs: number): ApiReply {
    const { served, search, charge, written, asked, answeredValues } = admitted
    const { facts } = this.#frame
    facts.query = search
    facts.costMicroUsd = charge?.costMicroUsd ?? 0
    facts.balanceMicroUsd = admitted.balanceMicroUsd
    facts.leftOfCapMicroUsd = admitted.leftOfCapMicroUsd
    facts.takenNs = admitted.takenNs
    facts.way = written?.way ?? ''
    const head = this.#frame.head(served.catalog.id)
    const isReplay = asked !== undefined && asked.paid > 0
    const headers: ApiReply['headers'] = isReplay ? [['Idempotent-Replay', 'true']] : []
    const seconds = (this.#context.clock() - startedMs) / 1000
    const body = this.#frame.end(seconds, written?.members)
    return { status: 200, head, headers, body, charge, answeredValues, seconds }
  }
}
