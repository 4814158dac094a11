/**
 * The API without a wire: a request in, a reply out, synchronously. HTTP, the `get` command, MCP and the
 * tests use it. It joins the pipeline with the operations. A request uses the one catalog it began with,
 * and its price is charged when the caller reports that the reply was written.
 */
import type { KeyOwner } from '../ledger/live/keyring.ts'
import type { Answered } from '../ledger/live/reservations.ts'
import { byRoute, type RouteName } from '../operations.ts'
import type { Problem } from '../problems.ts'
import type { ApiReply, ApiRequest, HeaderPairs, OnReply } from './exchange.ts'
import { PlainAnswers } from './fast/plain-answers.ts'
import { handlers } from './operations/registry.ts'
import {
  type AdmissionContext,
  type Admitted,
  type CallerCheck,
  RequestAdmission,
} from './pipeline/admission.ts'
import { AnswerWriter, type WriterContext } from './pipeline/answer-writer.ts'
import { rememberLost } from './pipeline/question-id.ts'
import { type RefusedRequest, replyOf } from './pipeline/refusals.ts'
import { type PublicFacts, publicReplies } from './public-endpoints.ts'

export interface ApiContext extends AdmissionContext, WriterContext {
  /** Facts that the public endpoints reply with; without them, there are no such endpoints. */
  readonly open?: PublicFacts
  /** Called with an unexpected error; the request is answered with 500. */
  readonly onError: (error: unknown, requestId: string) => void
  readonly onReply?: OnReply | undefined
  /** Called when answers to an account may have been lost: another thread may have given it some, too. */
  readonly onLost?: (accountSlot: number) => void
}

type Entered = { readonly refusal: ApiReply } | Extract<Admitted, { refusal?: undefined }>

type AnswerWriters = Readonly<Record<RouteName, AnswerWriter>>

const empty = new Uint8Array(0)
const nothing: Answered = { queries: 0, items: 0 }

export class Api {
  readonly #context: ApiContext
  readonly #admission: RequestAdmission
  readonly #writers: AnswerWriters
  readonly #plain: PlainAnswers | undefined

  constructor(context: ApiContext) {
    this.#context = context
    const writers = byRoute((route) => new AnswerWriter(route, handlers[route], context))
    this.#writers = writers
    const { reservations, answers } = context
    if (reservations !== undefined && answers?.has('match') !== false)
      this.#plain = new PlainAnswers({ ...context, reservations })
    this.#admission = new RequestAdmission(context, handlers, (entered) =>
      writers[entered.route].makeItems(entered),
    )
  }

  /**
   * Answers every request, never throws: a serving thread must outlive a bug in one answer. Where texts stay in the
   * snapshot's file, the thread waits for its reads.
   */
  answer(request: ApiRequest): ApiReply {
    const startedMs = this.#context.clock()
    let reply: ApiReply
    try {
      reply = this.#answer(request, startedMs)
    } catch (error) {
      reply = this.failed(error, startedMs)
    }
    if (reply.soon === undefined) this.#context.onReply?.(request, reply)
    return reply
  }

  /** To be called when a reply was written: only then is it charged. */
  written({ charge }: Pick<ApiReply, 'charge'>): void {
    if (charge !== undefined) this.#context.reservations?.record(charge)
  }

  /**
   * To be called instead if only a part of a reply was written: charges the values and the profiles of its whole items.
   * @param answered counts both; called only if there is something to charge.
   */
  writtenInPart({ charge }: Pick<ApiReply, 'charge'>, answered: () => Answered): void {
    if (charge === undefined) return
    const isCharged = charge.queries + charge.profiles > 0
    this.#context.reservations?.record(charge, isCharged ? answered() : nothing)
  }

  /** To be called instead if a reply will never be written: its reservation is released. */
  unwritten({ charge }: Pick<ApiReply, 'charge'>): void {
    if (charge !== undefined) this.#context.reservations?.release(charge)
  }

  /**
   * To be called when the connection of a request of an account ended in the turn in which the request came, by a
   * request behind it: answers before it may be lost, which are free when they are asked for again.
   */
  lostBefore(accountSlot: number | undefined): void {
    const { reservations, clock, onLost } = this.#context
    if (accountSlot === undefined || reservations === undefined) return
    rememberLost(reservations, accountSlot, clock())
    onLost?.(accountSlot)
  }

  /** Has a key looked up that this thread was not handed: done when its owner is known, or that it has none. */
  async keySought(authorization: string): Promise<void> {
    const { reservations } = this.#context
    if (reservations?.keyring.ownerOf(authorization) !== undefined) return
    await reservations?.keyring.seek(authorization)
  }

  nextRequestId(): string {
    return this.#context.ids.nextText()
  }

  named(reply: ApiReply): ApiReply {
    return { ...reply, headers: [['X-Request-Id', this.nextRequestId()], ...reply.headers] }
  }

  refuse(problem: Problem, headers: HeaderPairs = []): ApiReply {
    return this.#refuse({ problem, headers }, this.#context.clock())
  }

  checkCaller(
    authorization: string,
    messages: number,
    address: string | undefined,
    check: CallerCheck = {},
  ): Entered {
    const startedMs = this.#context.clock()
    const entry = this.#admission.checkCaller(authorization, messages, address, startedMs, check)
    return this.#entered(entry, startedMs)
  }

  refusalOfAddress(address: string): ApiReply | undefined {
    const refusal = this.#admission.refusalOfAddress(address)
    return refusal && this.#refuse(refusal, this.#context.clock())
  }

  /** What may be shown to a key: the balance of its account, undefined if not, and what its cap has left, if any. */
  moneyOf(owner: KeyOwner) {
    const { reservations } = this.#context
    const seesAccount = this.#admission.seesAccount(owner)
    return {
      balanceMicroUsd: seesAccount ? reservations?.balanceMicroUsd(owner) : undefined,
      leftOfCapMicroUsd: reservations?.leftOfCapMicroUsd(owner),
    }
  }

  admitHead(head: ApiRequest): Entered {
    const startedMs = this.#context.clock()
    return this.#entered(this.#admission.admitHead(head, startedMs), startedMs)
  }

  #entered(entry: Admitted, startedMs: number): Entered {
    return entry.refusal === undefined ? entry : { refusal: this.#refuse(entry.refusal, startedMs) }
  }

  failed(error: unknown, startedMs = this.#context.clock()): ApiReply {
    const requestId = this.#context.ids.nextText()
    this.#context.onError(error, requestId)
    const detail = 'the error was logged with this request_id'
    const problem = { code: 'internal-error', detail } as const
    return replyOf({ problem }, requestId, this.#secondsSince(startedMs))
  }

  #answer(request: ApiRequest, startedMs: number): ApiReply {
    const plain = this.#plain?.answer(request, startedMs)
    if (plain !== undefined) return plain
    const admission = this.#admission.admit(request, startedMs)
    if ('problem' in admission) return this.#refuse(admission, startedMs)
    if (admission.kind === 'query') {
      return this.#writers[admission.route].write(admission, startedMs)
    }
    if (admission.kind === 'public') {
      const { headers, ...reply } = publicReplies[admission.operation](this.#context.open!, request)
      const id = ['X-Request-Id', this.#context.ids.nextText()] as const
      return { ...reply, headers: [id, ...headers], seconds: this.#secondsSince(startedMs) }
    }
    const headers = [['X-Request-Id', this.#context.ids.nextText()], ...admission.headers] as const
    return { status: 304, headers, body: empty, seconds: this.#secondsSince(startedMs) }
  }

  #refuse(refusal: RefusedRequest, startedMs: number): ApiReply {
    return replyOf(refusal, this.#context.ids.nextText(), this.#secondsSince(startedMs))
  }

  #secondsSince(startedMs: number): number {
    return (this.#context.clock() - startedMs) / 1000
  }
}
