/**
 * The questions that the tools ask for one MCP request, and their reservations. The money is charged when the response
 * was handed to an open connection, and released otherwise; of a response that was taken in part, message by message
 * and item by item. No reservation outlives its request.
 */
import type { Api } from '../api/api.ts'
import { type AnsweredValues, type ApiReply, copiedBytes } from '../api/exchange.ts'
import { answeredBy, itemsIn } from '../api/json-bytes.ts'
import { headerOf, namedReply, type RouteRequest } from '../http/async-route.ts'
import type { WrittenReply } from '../http/reply-writer.ts'
import { type Answer, type Asker, parsedAnswer, type Question, requestOf } from './answer-source.ts'

interface AskedReply extends Pick<ApiReply, 'charge'>, Pick<Asker, 'message'> {
  readonly values: AnsweredValues | undefined
}

/** 499 is the status that an abandoned request counts as. */
const tooLate: Answer = { status: 499, json: {} }

export function chargedAnswer(
  api: Api,
  handle: (request: RouteRequest, charges: RequestCharges) => Promise<WrittenReply>,
): (request: RouteRequest) => Promise<WrittenReply> {
  return async (request) => {
    const charges = new RequestCharges(api, request)
    const leave = () => charges.end()
    request.signal.addEventListener('abort', leave, { once: true })
    try {
      const response = await handle(request, charges)
      const settle = (bytes?: number) => charges.end(response, bytes)
      return namedReply(api, { ...response, settle })
    } catch (error) {
      leave()
      throw error
    } finally {
      // What was taken of the response is known when that is over.
      request.signal.removeEventListener('abort', leave)
    }
  }
}

export class RequestCharges {
  readonly #api: Api
  readonly #authorization: string
  /** The key of the question of a message that has none of its own; '' without one. */
  readonly #idempotencyKey: string
  /** Done when the owner of the key is known on this thread. */
  readonly #keySought: Promise<void>
  #replies: AskedReply[] | undefined = []

  constructor(api: Api, request: Pick<RouteRequest, 'headers'>) {
    this.#api = api
    this.#authorization = headerOf(request, 'authorization')
    this.#idempotencyKey = headerOf(request, 'idempotency-key')
    this.#keySought = api.keySought(this.#authorization)
  }

  /** The API reserves the price until the request ends. */
  async ask(question: Question): Promise<Answer> {
    await this.#keySought
    if (this.#replies === undefined) return tooLate
    const { message, idempotencyKey = this.#idempotencyKey } = question
    const asked = requestOf({ ...question, idempotencyKey })
    const sent = { ...asked, authorization: this.#authorization, isCounted: true }
    const reply = this.#api.answer(sent)
    this.#replies.push({ message, charge: reply.charge, values: reply.answeredValues?.() })
    return parsedAnswer(reply)
  }

  /** Counts messages beside the first, which was counted with the head. A response is a refusal. */
  async count(messages: number): Promise<WrittenReply | undefined> {
    await this.#keySought
    const { refusal } = this.#api.checkCaller(this.#authorization, messages, undefined)
    return refusal && { ...refusal, body: copiedBytes(refusal.body) }
  }

  /**
   * Ends the request; a second time it does nothing.
   * @param response absent if there is none; @param bytes number of those that were taken of its body, undefined for all.
   */
  end(response?: WrittenReply, bytes?: number): void {
    const replies = this.#replies ?? []
    this.#replies = undefined
    const itemsOf = takenItems(response, bytes)
    for (const reply of replies) {
      const items = itemsOf?.get(reply.message) ?? 0
      this.#api.written(reply, itemsOf && (() => answeredBy(items, reply.values)))
    }
  }
}

/** Undefined for all items. Of what is no answer, nothing is charged. */
function takenItems(
  response: WrittenReply | undefined,
  bytes: number | undefined,
): Map<unknown, number> | undefined {
  if (response?.status !== 200) return new Map()
  return bytes === undefined ? undefined : itemsOfMessages(response.body, bytes)
}

/**
 * A response is one message in JSON, or one behind the other as events or in a list; no message holds an end of line. A
 * message says its items in words first, and then once more as data.
 */
const eventsApart = '\n\n'

/** Number of whole items that were taken of each message by its id, infinite for all of them. */
function itemsOfMessages(body: Uint8Array, bytes: number): Map<unknown, number> {
  const items = new Map<unknown, number>()
  const all = Buffer.from(body.buffer, body.byteOffset, body.length)
  for (let start = 0; start < bytes; ) {
    const gap = all.indexOf(eventsApart, start)
    const end = gap < 0 ? all.length : gap
    const { id, count } = readMessage(all.subarray(start, end), bytes - start)
    // Of messages with one id the first was taken most.
    if (!items.has(id)) items.set(id, count)
    start = end + eventsApart.length
  }
  return items
}

interface Message {
  readonly id?: unknown
  readonly result?: {
    readonly structuredContent?: { readonly results?: readonly { readonly sdu?: unknown }[] }
  }
}

function readMessage(message: Buffer, bytes: number): { id: unknown; count: number } {
  const begins = message.indexOf('{')
  if (begins < 0) return { id: undefined, count: 0 }
  // Behind a message of a list stands what parts it from the next.
  const ends = message.lastIndexOf('}') + 1
  const { id, result }: Message = JSON.parse(message.toString('utf8', begins, ends))
  const part = message.subarray(0, bytes)
  const blocks = itemsIn(part, '"content":[') ?? itemsIn(part, '"contents":[') ?? 0
  // With its first block a message has said all.
  if (bytes >= message.length || blocks > 0) return { id, count: Number.POSITIVE_INFINITY }
  const sdus = result?.structuredContent?.results?.map(({ sdu }) => String(sdu)) ?? []
  return { id, count: itemsInWords(message.toString('latin1').toLowerCase(), bytes, sdus) }
}

/** Each item has its SDU in a line, a profile in detail in the first line of a paragraph. */
function itemsInWords(message: string, bytes: number, sdus: readonly string[]): number {
  const apart = message.includes('\\ntopics: ') ? '\\n\\n' : '\\n'
  let end = 0
  const cut = sdus.findIndex((sdu) => {
    const begins = message.indexOf(`sdu ${sdu}`, end)
    const ends = begins < 0 ? -1 : message.indexOf(apart, begins)
    end = ends + apart.length
    return ends < 0 || end > bytes
  })
  return cut < 0 ? sdus.length : cut
}
