/**
 * Requests that wait until the data they need is in memory. The thread answers others meanwhile. The number of
 * waits is bounded and shared fairly, and each has a deadline. For a request whose client went away nothing is
 * reserved, and nothing more is brought.
 */
import type { Api } from '../../api/api.ts'
import type { ApiReply, ApiRequest } from '../../api/exchange.ts'
import { Wait } from '../../api/waiting/wait.ts'
import { limits } from '../../limits.ts'
import { CannotBeBrought, Hold } from '../../memory/elsewhere/not-at-hand.ts'
import type { Problem } from '../../problems.ts'
import { FairPlaces, refuseForNow } from './fair-places.ts'

/** Sends a request again, after a wait. */
export type AskAgain = (before: Wait) => ApiReply | Wait

/** A request that has to wait. */
export interface WaitingRequest {
  readonly wait: Wait
  /** The address of the client. */
  readonly address: string
  readonly again: AskAgain
  /**
   * Called once with the reply, which is valid until the next request to the API; never if the wait is
   * cancelled before.
   */
  readonly take: (reply: ApiReply) => void
}

/** Returns the function that sends a request to the API again. @param request one that does not change. */
export function askedAgain(api: Api, request: ApiRequest): AskAgain {
  return ({ takenNs, startedMs }) => api.tryAnswer({ ...request, takenNs }, startedMs)
}

/** The waits of one thread. */
export class Waits {
  readonly #api: Api
  readonly #waitMsMax: number
  readonly #places = new FairPlaces(limits.waitsMax)
  #count = 0

  /** @param waitMsMax maximum wait of a request. */
  constructor(api: Api, waitMsMax: number = limits.waitMsMax) {
    this.#api = api
    this.#waitMsMax = waitMsMax
  }

  /** Number of waiting requests. */
  get count(): number {
    return this.#count
  }

  /**
   * Answers a request when the data it needs is in memory.
   * @returns a function that cancels the wait; a second time, or after the answer, it does nothing.
   */
  answer(request: WaitingRequest): () => void {
    const { wait, address, take } = request
    const leave = this.#places.take({ account: wait.account, address })
    if (leave === undefined) {
      take(refuseForNow(this.#api, 'requests are waiting'))
      return () => {}
    }
    const hold = new Hold()
    this.#count += 1
    const end = () => {
      if (hold.isOver) return
      this.#count -= 1
      clearTimeout(timer)
      leave()
      hold.release()
    }
    const over = (reply: ApiReply) => {
      if (hold.isOver) return
      end()
      take(reply)
    }
    const timer = setTimeout(() => over(this.#refusal(wait)), this.#waitMsMax)
    void this.#bringAndAnswer(request, hold, over)
    return end
  }

  async #bringAndAnswer(
    { wait: first, again }: WaitingRequest,
    hold: Hold,
    over: (reply: ApiReply) => void,
  ): Promise<void> {
    let wait = first
    while (!hold.isOver) {
      try {
        await wait.missing.bring(hold)
      } catch (error) {
        const isExpected = error instanceof CannotBeBrought
        over(isExpected ? this.#refusal(wait, error.problem) : this.#api.failed(error))
        return
      }
      // It was cancelled, or its time was over.
      if (hold.isOver) return
      const reply = again(wait)
      // Taken within this turn, in which its body is valid.
      if (!(reply instanceof Wait)) return over(reply)
      wait = reply
    }
  }

  #refusal(wait: Wait, because?: Problem): ApiReply {
    const { problem, headers } = wait.refusal(because)
    return this.#api.refuse(problem, headers)
  }
}
