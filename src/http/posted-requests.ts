/**
 * Requests that the API answers in one step once their bodies are complete. The key is checked, and the request
 * counted, before a body is read; the number of bodies that are read at once is bounded, and shared fairly.
 */
import type { Api } from '../api/api.ts'
import { codingProblem, inflated } from '../api/content-coding.ts'
import type { ApiReply } from '../api/exchange.ts'
import { limits } from '../limits.ts'
import type { FairPlaces } from './fair-places.ts'
import type { BodySource, UnfinishedBodies } from './request-body.ts'
import type { PostedHead } from './wire-request.ts'

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
  source: BodySource,
  { contentEncoding, ...request }: PostedHead,
  write: (reply: ApiReply) => void,
  onGone: () => void,
): void {
  const coding = codingProblem(contentEncoding)
  bodies.read({
    ...{ places, source, bounds: limits.batchBody, address: request.address(), onGone },
    admit: (canWait) => {
      const entered = api.admitHead({ ...request, canWait })
      const isDecided = entered.refusal !== undefined && entered.refusal.soon === undefined
      return isDecided || coding === undefined ? entered : { refusal: api.refuse(coding) }
    },
    refuse: write,
    take: ({ takenNs }, body) => {
      const plain = inflated(body, contentEncoding)
      if ('problem' in plain) write(api.refuse(plain.problem))
      else write(api.answer({ ...request, body: plain.body, takenNs }))
    },
  })
}
