/**
 * Requests that the API answers in one step once their bodies are complete. The key is checked, and the request
 * counted, before a body is read; the number of bodies that are read at once is bounded, and shared fairly.
 */
import type { Api } from '../api/api.ts'
import { codingProblem, inflated } from '../api/content-coding.ts'
import type { ApiReply } from '../api/exchange.ts'
import { limits } from '../limits.ts'
import type { FairPlaces } from './fair-places.ts'
import { type BodySource, readBody, type UnfinishedBodies } from './request-body.ts'
import type { PostedHead } from './wire-request.ts'

/** The connection that a body comes from; after `onAborted` nothing may be written to it. */
export interface PostedSource extends BodySource {
  onAborted(handler: () => void): unknown
}

interface PostedContext {
  readonly api: Api
  readonly bodies: UnfinishedBodies
  readonly places: FairPlaces
}

/**
 * The request counts for the limit of its account from the head on, whether its body comes or not.
 * @param write called at most once: not if the connection ends before, which calls `onGone`.
 */
export function answerPosted(
  { api, bodies, places }: PostedContext,
  source: PostedSource,
  { contentEncoding, ...request }: PostedHead,
  write: (reply: ApiReply) => void,
  onGone: () => void,
): void {
  const coding = codingProblem(contentEncoding)
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
  leave = readBody(
    {
      ...{ api, bodies, places, source, bounds: limits.batchBody, address: request.address() },
      admit: (canWait) => {
        const entered = api.admitHead({ ...request, canWait })
        const isDecided = entered.refusal !== undefined && entered.refusal.soon === undefined
        return isDecided || coding === undefined ? entered : { refusal: api.refuse(coding) }
      },
    },
    end,
    ({ takenNs }, body) => {
      const plain = inflated(body, contentEncoding)
      if ('problem' in plain) end(api.refuse(plain.problem))
      else end(api.answer({ ...request, body: plain.body, takenNs }))
    },
  )
}
