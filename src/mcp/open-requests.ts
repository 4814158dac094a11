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

/** What a tool asks, for a request by its number. */
export interface RequestQuestion {
  readonly number: number
  readonly question: Question
}

/** The messages of a request by its number beside the first, which was counted before. */
export interface MoreMessages {
  readonly number: number
  readonly messages: number
}

/** What requests say besides their messages. */
export interface Sender {
  readonly authorization: string
  /** What their cost is counted under; '' without one. */
  readonly tag: string
}

interface OpenRequest extends Sender {
  readonly replies: Pick<ApiReply, 'charge'>[]
}

/** Nobody waits for it: the status that an abandoned request counts as. */
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
    const { authorization, tag } = request
    const asked = requestOf(question)
    const sent = { authorization, tag: () => tag, isCounted: true }
    const reply = this.#api.answer({ ...asked, ...sent })
    request.replies.push({ charge: reply.charge })
    // A copy of its own: the body is valid until the next request to the API.
    return { status: reply.status, body: copiedBytes(reply.body) }
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
