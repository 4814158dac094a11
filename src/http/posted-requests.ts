/**
 * Requests that the API answers in one step once their bodies are complete. The key is checked, and the request
 * counted, before a body is read; the number of bodies that are read at once is bounded, and shared fairly.
 */
import type { Api, Entered } from '../api/api.ts'
import { codingProblem, inflated } from '../api/content-coding.ts'
import { type ApiReply, type ApiRequest, copiedBytes } from '../api/exchange.ts'
import { limits } from '../limits.ts'
import { FairPlaces, refuseForNow } from './fair-places.ts'
import type { BodySource, UnfinishedBodies } from './request-body.ts'

export type PostedHead = Required<
  Pick<ApiRequest, 'method' | 'path' | 'query' | 'authorization' | 'contentType' | 'ifNoneMatch'>
> & {
  readonly from: string
  readonly contentLength: string
  readonly contentEncoding: string
  readonly idempotencyKey: () => string
}

/** The connection that a body comes from; after `onAborted` nothing may be written to it. */
export interface PostedSource extends BodySource {
  onAborted(handler: () => void): unknown
}

const bounds = {
  bytesMax: limits.batchBodyBytesMax,
  piecesMax: limits.batchBodyPiecesMax,
  secondsMax: limits.batchBodySecondsMax,
}

interface PostedContext {
  readonly api: Api
  readonly bodies: UnfinishedBodies
}

export class PostedRequests {
  readonly #context: PostedContext
  readonly #places = new FairPlaces(limits.batchesInFlightMax)

  constructor(context: PostedContext) {
    this.#context = context
  }

  /**
   * The request counts for the limit of its account from the head on, whether its body comes or not.
   * @param write called at most once: not if the connection ends before, which calls `onGone`.
   */
  answer(
    source: PostedSource,
    { from, contentLength, contentEncoding, ...head }: PostedHead,
    write: (reply: ApiReply) => void,
    onGone: () => void,
  ): void {
    const { api, bodies } = this.#context
    let isOver = false
    let leave = () => {}
    source.onAborted(() => {
      leave()
      if (!isOver) onGone()
      isOver = true
    })
    const end = (reply: ApiReply) => {
      leave()
      isOver = true
      write(reply)
    }
    const request = { ...head, address: () => from }
    const entered = api.admitHead({ ...request, canWait: true })
    const { refusal } = entered
    if (refusal !== undefined && refusal.soon === undefined) {
      end(refusal)
      return
    }
    const codingRefusal = codingProblem(contentEncoding)
    if (codingRefusal !== undefined) {
      end(api.refuse(codingRefusal))
      return
    }
    const account = entered.refusal === undefined ? entered.account : undefined
    const leavePlace = this.#places.take({ account, address: from })
    if (leavePlace === undefined) {
      end(refuseForNow(api, 'bodies are being read'))
      return
    }
    const answerAs = (by: Entered, body: Uint8Array) => {
      if (by.refusal !== undefined) {
        end(by.refusal)
        return
      }
      const plain = inflated(body, contentEncoding)
      if ('problem' in plain) end(api.refuse(plain.problem))
      else end(api.answer({ ...request, body: plain.body, takenNs: by.takenNs }))
    }
    const drop = bodies.gather(
      source,
      { ...bounds, contentLength },
      ({ body, problem, isCostly }) => {
        if (problem !== undefined) {
          // The rest of a refused body is not read.
          end({ ...api.refuse(problem), isLast: isCostly })
          return
        }
        if (refusal?.soon === undefined) {
          answerAs(entered, body)
          return
        }
        const kept = copiedBytes(body)
        void refusal.soon.then(() => {
          if (!isOver) answerAs(api.admitHead(request), kept)
        })
      },
    )
    leave = () => {
      drop()
      leavePlace()
    }
  }
}
