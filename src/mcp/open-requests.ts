/**
 * The MCP requests of a serving thread that have no answer yet, each with its owner and with the
 * reservations of its tools. The money is charged when the response was handed to an open connection, and
 * released otherwise. A tool call for a request that is over gets nothing, so no reservation outlives its
 * request.
 */
import type { Api } from '../api/api.ts'
import { type ApiReply, type ApiRequest, copiedBytes } from '../api/exchange.ts'
import { Wait } from '../api/waiting/wait.ts'
import { askedAgain, type Waits } from '../http/waiting/waits.ts'
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

/** The sender of a request: facts from its head and its connection. */
interface Sender {
  readonly authorization: string
  /** The address of the client. */
  readonly address: string
}

interface OpenRequest extends Sender {
  readonly replies: Pick<ApiReply, 'charge'>[]
  /** Functions that each end a waiting question. */
  readonly cancels: Set<() => void>
}

/** The answer for a request that is over; 499 is the status that an abandoned request counts as. */
const tooLate: WrittenAnswer = { status: 499, body: Buffer.from('{}') }

export class OpenRequests {
  readonly #api: Api
  readonly #waits: Waits
  readonly #requests = new Map<number, OpenRequest>()
  #last = 0

  constructor(api: Api, waits: Waits) {
    this.#api = api
    this.#waits = waits
  }

  /** Begins a request; returns its number, which no other has had. */
  begin(sender: Sender): number {
    this.#last += 1
    this.#requests.set(this.#last, { ...sender, replies: [], cancels: new Set() })
    return this.#last
  }

  /** Asks the API, which reserves the price until the request ends. */
  ask({ number, question }: RequestQuestion): WrittenAnswer | Promise<WrittenAnswer> {
    const request = this.#requests.get(number)
    if (request === undefined) return tooLate
    const { authorization } = request
    const asked = { ...requestOf(question), authorization, isCounted: true }
    const reply = this.#api.tryAnswer(asked)
    return reply instanceof Wait ? this.#later(request, asked, reply) : answered(request, reply)
  }

  /** Answers an open request when the data it needs is in memory; a request that ends before gets `tooLate`. */
  #later(request: OpenRequest, asked: ApiRequest, wait: Wait): Promise<WrittenAnswer> {
    const { address, cancels } = request
    return new Promise((resolve) => {
      const take = (reply: ApiReply) => {
        cancels.delete(end)
        resolve(answered(request, reply))
      }
      const again = askedAgain(this.#api, asked)
      const end = () => {
        cancel()
        resolve(tooLate)
      }
      cancels.add(end)
      const cancel = this.#waits.answer({ wait, address, again, take })
    })
  }

  /** Counts messages of an open request; a reply refuses it. */
  count({ number, messages }: MoreMessages): ApiReply | undefined {
    const { authorization = '' } = this.#requests.get(number) ?? {}
    return this.#api.checkCaller(authorization, messages, undefined).refusal
  }

  /** Ends a request; a second time it does nothing. @param isWritten whether it was answered. */
  end(number: number, isWritten: boolean): void {
    const { replies = [], cancels = [] } = this.#requests.get(number) ?? {}
    this.#requests.delete(number)
    for (const cancel of cancels) cancel()
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
