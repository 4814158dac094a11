/**
 * Requests that the API answers in one step once their bodies are there. Who asks is known before a
 * body is read, and how many are read at once is bounded.
 */
import type { Api } from '../api/api.ts'
import type { ApiReply, ApiRequest } from '../api/exchange.ts'
import { limits } from '../limits.ts'
import { type BodySource, gatherBody } from './request-body.ts'

/** The head of a request, taken before its handler returns. */
export type PostedHead = Required<
  Pick<ApiRequest, 'method' | 'path' | 'query' | 'authorization' | 'contentType'>
> & { readonly from: string }

/** What a body comes from; after `onAborted` nothing may be written to it. */
export interface PostedSource extends BodySource {
  onAborted(handler: () => void): unknown
}

const bounds = {
  bytesMax: limits.batchBodyBytesMax,
  piecesMax: limits.batchBodyPiecesMax,
  secondsMax: limits.batchBodySecondsMax,
}

/** The requests of one server. */
export class PostedRequests {
  readonly #api: Api
  #inFlight = 0

  constructor(api: Api) {
    this.#api = api
  }

  /**
   * Gathers the body of a request and answers it.
   * @param write called at most once: not where the connection ends before.
   * @param onGone called where it ends before.
   */
  answer(
    source: PostedSource,
    { from, ...head }: PostedHead,
    write: (reply: ApiReply) => void,
    onGone: () => void,
  ): void {
    let isOpen = true
    this.#inFlight += 1
    const leave = () => {
      if (isOpen) this.#inFlight -= 1
      isOpen = false
    }
    source.onAborted(() => {
      if (isOpen) onGone()
      leave()
    })
    // Counts nothing: a request is counted when it is answered.
    const stranger = this.#api.refuseMessages(head.authorization, 0, from)
    const refusal = stranger ?? this.#refuseExcess()
    if (refusal !== undefined) {
      leave()
      write(refusal)
      return
    }
    gatherBody(source, bounds, performance.now.bind(performance), (gathered) => {
      leave()
      const { body, problem } = gathered
      // What is left of a costly body is not worth to be read.
      if (problem !== undefined) write({ ...this.#api.refuse(problem), isLast: gathered.isCostly })
      else write(this.#api.answer({ ...head, body, address: () => from }))
    })
  }

  #refuseExcess(): ApiReply | undefined {
    if (this.#inFlight <= limits.batchesInFlightMax) return undefined
    const detail = 'as many bodies are being read as may be at once'
    return this.#api.refuse({ code: 'overloaded', detail }, [['Retry-After', '1']])
  }
}
