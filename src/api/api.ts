/**
 * The API without a wire: a request in, a reply out, in one synchronous step. HTTP, the `get`
 * command, MCP and the tests all ask here. A request is admitted, then its answer is written, then
 * its price is charged; it uses the one catalog it began with.
 */
import { byRoute, type RouteName } from '../operations.ts'
import type { Problem } from '../problems.ts'
import {
  type AdmissionContext,
  type AdmittedQuery,
  type Entry,
  RequestAdmission,
} from './admission.ts'
import type { ApiReply, ApiRequest, HeaderPairs, OnReply } from './exchange.ts'
import { openReply } from './open-replies.ts'
import { type Refusal, replyOf } from './refusals.ts'
import { AnswerWriter, type WriterContext } from './write/answer-writer.ts'

/** What the API depends on. */
export interface ApiContext extends AdmissionContext, WriterContext {
  /** Called with an error that nobody expected; the request was answered with 500. */
  readonly onError: (error: unknown, requestId: string) => void
  /** Called with every reply; undefined when nobody is to hear of them. */
  readonly onReply?: OnReply | undefined
}

/** What became of messages at the door: the reply that refuses them, or whose they are. */
export type Entered = { readonly refusal: ApiReply } | Extract<Entry, { refusal?: undefined }>

type AnswerWriters = Readonly<Record<RouteName, AnswerWriter>>

const empty = new Uint8Array(0)

export class Api {
  readonly #context: ApiContext
  readonly #admission: RequestAdmission
  readonly #writers: AnswerWriters
  /** Of answers to bodies. */
  readonly #postWriters: AnswerWriters

  constructor(context: ApiContext) {
    this.#context = context
    this.#admission = new RequestAdmission(context)
    this.#writers = byRoute((route) => new AnswerWriter(route, context))
    this.#postWriters = byRoute((route) => new AnswerWriter(route, context, true))
  }

  /** Answers every request, never throws: a serving thread must outlive a bug in one answer. */
  answer(request: ApiRequest): ApiReply {
    const startedMs = this.#context.clock()
    const reply = this.#answerSafely(request, startedMs)
    this.#context.onReply?.(request, reply)
    return reply
  }

  /**
   * To be called when a reply was written: only then is it charged.
   * @param share of the body that was written; a part is charged for the queries that it answers.
   */
  written({ charge }: Pick<ApiReply, 'charge'>, share = 1): void {
    if (charge !== undefined) this.#context.reservations?.record(charge, share)
  }

  /** To be called instead when it was not, and will not be: what was reserved for it is given back. */
  unwritten({ charge }: Pick<ApiReply, 'charge'>): void {
    if (charge !== undefined) this.#context.reservations?.release(charge)
  }

  /** Names a request whose reply is made elsewhere. */
  nextRequestId(): string {
    return this.#context.ids.nextText()
  }

  /** A reply that was made elsewhere, with the name of its request. */
  named(reply: ApiReply): ApiReply {
    return { ...reply, headers: [['X-Request-Id', this.nextRequestId()], ...reply.headers] }
  }

  /** The reply to a request that was refused on its way here. */
  refuse(problem: Problem, headers: HeaderPairs = []): ApiReply {
    return this.#refuse({ problem, headers }, this.#context.clock())
  }

  /**
   * Counts messages whose bodies are still to be read, each as a request: the 401 or 429 to them, or whose
   * they are.
   * @param address where they come from; undefined where a missing key was counted before.
   */
  enter(authorization: string, messages: number, address: string | undefined): Entered {
    const startedMs = this.#context.clock()
    const entry = this.#admission.enter(authorization, messages, address, startedMs)
    return entry.refusal === undefined ? entry : { refusal: this.#refuse(entry.refusal, startedMs) }
  }

  #answerSafely(request: ApiRequest, startedMs: number): ApiReply {
    try {
      return this.#answer(request, startedMs)
    } catch (error) {
      const requestId = this.#context.ids.nextText()
      this.#context.onError(error, requestId)
      const detail = 'the error was logged with this request_id'
      const problem = { code: 'internal-error', detail } as const
      return replyOf({ problem }, requestId, this.#secondsSince(startedMs))
    }
  }

  #answer(request: ApiRequest, startedMs: number): ApiReply {
    const admission = this.#admission.admit(request, startedMs)
    if (admission.kind === 'query') return this.#write(admission, startedMs)
    if (admission.kind === 'refused') return this.#refuse(admission.refusal, startedMs)
    if (admission.kind === 'open') {
      const { headers, ...reply } = openReply(admission.operation, admission.facts, request)
      const id = ['X-Request-Id', this.#context.ids.nextText()] as const
      return { ...reply, headers: [id, ...headers], seconds: this.#secondsSince(startedMs) }
    }
    const headers = [['X-Request-Id', this.#context.ids.nextText()], ...admission.headers] as const
    return { status: 304, headers, body: empty, seconds: this.#secondsSince(startedMs) }
  }

  #write(admitted: AdmittedQuery, startedMs: number): ApiReply {
    try {
      const writers = admitted.isPosted ? this.#postWriters : this.#writers
      return writers[admitted.route].write(admitted, startedMs)
    } catch (error) {
      this.unwritten(admitted)
      throw error
    }
  }

  #refuse(refusal: Refusal, startedMs: number): ApiReply {
    return replyOf(refusal, this.#context.ids.nextText(), this.#secondsSince(startedMs))
  }

  #secondsSince(startedMs: number): number {
    return (this.#context.clock() - startedMs) / 1000
  }
}
