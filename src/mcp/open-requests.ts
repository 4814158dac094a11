/**
 * The MCP requests of a serving thread that have no answer yet, each with its owner and with the
 * reservations of its tools. The money is charged when the response was handed to an open connection, and
 * released otherwise. A tool call for a request that is over gets nothing, so no reservation outlives its
 * request.
 */
import type { Api } from '../api/api.ts'
import { type ApiReply, copiedBytes } from '../api/exchange.ts'
import { type Question, requestOf } from './answer-source.ts'
import type { WrittenAnswer } from './local.ts'

/** A question of a tool, for a request by its number. */
export interface RequestQuestion {
  readonly number: number
  readonly question: Question
}

/** The messages of a request by its number beside the first, which was counted before. */
export interface MoreMessages {
  readonly number: number
  readonly messages: number
}

/** Headers of a request. */
interface Sender {
  readonly authorization: string
  /** The key of the question of a message that has none of its own; '' without one. */
  readonly idempotencyKey: string
}

interface OpenRequest extends Sender {
  readonly replies: Pick<ApiReply, 'charge'>[]
}

/** The answer for a request that is over; 499 is the status that an abandoned request counts as. */
const tooLate: WrittenAnswer = { status: 499, body: Buffer.from('{}') }

export class OpenRequests {
  readonly #api: Api
  readonly #requests = new Map<number, OpenRequest>()
  #last = 0

  constructor(api: Api) {
    this.#api = api
  }

  /** Begins a request; returns its number, which no other has had. */
  begin(sender: Sender): number {
    this.#last += 1
    this.#requests.set(this.#last, { ...sender, replies: [] })
    return this.#last
  }

  /** Asks the API, which reserves the price until the request ends. */
  ask({ number, question }: RequestQuestion): WrittenAnswer {
    const request = this.#requests.get(number)
    if (request === undefined) return tooLate
    const { authorization } = request
    const { idempotencyKey = request.idempotencyKey } = question
    const asked = requestOf({ ...question, idempotencyKey })
    return answered(request, this.#api.answer({ ...asked, authorization, isCounted: true }))
  }

  /** Counts messages of an open request; a reply refuses it. */
  count({ number, messages }: MoreMessages): ApiReply | undefined {
    const { authorization = '' } = this.#requests.get(number) ?? {}
    return this.#api.checkCaller(authorization, messages, undefined).refusal
  }

  /** Ends a request; a second time it does nothing. @param isWritten whether it was answered. */
  end(number: number, isWritten: boolean): void {
    const { replies = [] } = this.#requests.get(number) ?? {}
    this.#requests.delete(number)
    for (const reply of replies) {
      if (isWritten) this.#api.written(reply)
      else this.#api.unwritten(reply)
    }
  }
}

function answered(request: OpenRequest, { status, body, charge }: ApiReply): WrittenAnswer {
  request.replies.push({ charge })
  // A copy of its own: the body is valid until the next request to the API.
  return { status, body: copiedBytes(body) }
}
