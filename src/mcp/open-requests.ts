/**
 * The MCP requests of a serving thread that have no answer yet, each with its owner and with the
 * reservations of its tools. The money is charged when the response was handed to an open connection, and
 * released otherwise; of a response that was taken in part, message by message and item by item. A tool call for a
 * request that is over gets nothing, so no reservation outlives its request.
 */
import type { Api } from '../api/api.ts'
import { type AnsweredValues, type ApiReply, copiedBytes } from '../api/exchange.ts'
import { answeredBy } from '../api/taken-items.ts'
import { type Asker, type Question, requestOf } from './answer-source.ts'
import type { WrittenAnswer } from './local.ts'
import { itemsOfMessages, type TakenResponse } from './taken-messages.ts'

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

/** A reply to a question of a message. */
interface AskedReply extends Pick<ApiReply, 'charge'>, Pick<Asker, 'message'> {
  readonly values: AnsweredValues | undefined
}

interface OpenRequest extends Sender {
  readonly replies: AskedReply[]
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
    const asked = { ...requestOf({ ...question, idempotencyKey }), authorization, isCounted: true }
    return answered(request, question, this.#api.answer(asked))
  }

  /** Counts messages of an open request; a reply refuses it. */
  count({ number, messages }: MoreMessages): ApiReply | undefined {
    const { authorization = '' } = this.#requests.get(number) ?? {}
    return this.#api.checkCaller(authorization, messages, undefined).refusal
  }

  /** Ends a request; a second time it does nothing. @param taken undefined if all of its response was taken. */
  end(number: number, taken?: TakenResponse): void {
    const { replies = [] } = this.#requests.get(number) ?? {}
    this.#requests.delete(number)
    const itemsOf = taken && itemsOfMessages(taken)
    for (const reply of replies) {
      const items = itemsOf?.get(reply.message) ?? 0
      if (itemsOf === undefined) this.#api.written(reply)
      else this.#api.writtenInPart(reply, () => answeredBy(items, reply.values))
    }
  }
}

function answered(
  request: OpenRequest,
  { message }: Asker,
  { status, body, charge, answeredValues }: ApiReply,
): WrittenAnswer {
  request.replies.push({ message, charge, values: answeredValues?.() })
  // A copy of its own: the body is valid until the next request to the API.
  return { status, body: copiedBytes(body) }
}
