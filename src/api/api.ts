/**
 * The API without a wire: a request in, a reply out, synchronously. HTTP, the `get` command, MCP and the
 * tests use it. It joins the pipeline with the operations. A request uses the one catalog it began with,
 * and its price is charged when the caller reports that the reply was written.
 */
import type { KeyOwner } from '../ledger/live/keyring.ts'
import type { Answered } from '../ledger/live/reservations.ts'
import { byRoute, type RouteName } from '../operations.ts'
import type { Problem } from '../problems.ts'
import { UnreadableTexts } from '../snapshot/texts/stored-blocks.ts'
import type { Written } from './answer-cache.ts'
import type { ApiReply, ApiRequest, HeaderPairs, OnReply } from './exchange.ts'
import { PlainAnswers } from './fast/plain-answers.ts'
import type { Body } from './items/body.ts'
import { handlers } from './operations/registry.ts'
import {
  type AdmissionContext,
  type Admitted,
  type CallerCheck,
  RequestAdmission,
} from './pipeline/admission.ts'
import { AnswerFrame, type FrameContext } from './pipeline/answer-frame.ts'
import type { AdmittedQuery, OperationHandler } from './pipeline/operation-handler.ts'
import { rememberLost } from './pipeline/question-id.ts'
import { type RefusedRequest, replyOf } from './pipeline/refusals.ts'
import { type PublicFacts, publicReplies } from './public-endpoints.ts'

export interface ApiContext extends AdmissionContext, FrameContext {
  /** Milliseconds from any origin, the same for all threads, and never going back. */
  readonly clock: () => number
  /** Facts that the public endpoints reply with; without them, there are no such endpoints. */
  readonly open?: PublicFacts
  /** Called with an unexpected error; the request is answered with 500. */
  readonly onError: (error: unknown, requestId: string) => void
  readonly onReply?: OnReply | undefined
  /** Called when answers to an account may have been lost: another thread may have given it some, too. */
  readonly onLost?: (accountSlot: number) => void
}

type Entered = { readonly refusal: ApiReply } | Extract<Admitted, { refusal?: undefined }>

const empty = new Uint8Array(0)
const nothing: Answered = { queries: 0, items: 0 }

export class Api {
  readonly #context: ApiContext
  readonly #admission: RequestAdmission
  /** The next answer of a route is written over the last. */
  readonly #frames: Readonly<Record<RouteName, AnswerFrame>>
  readonly #plain: PlainAnswers | undefined

  constructor(context: ApiContext) {
    this.#context = context
    this.#frames = byRoute((route) => new AnswerFrame(route, context))
    const { reservations, answers } = context
    if (reservations !== undefined && answers?.has('match') !== false)
      this.#plain = new PlainAnswers({ ...context, reservations })
    this.#admission = new RequestAdmission(context, handlers, (query) => this.#makeItems(query))
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

  /**
   * To be called when a reply was written: only then is it charged.
   * @param answered of a reply that was written in part: counts the values and the profiles of its whole items, which are
   * charged; called only if there is something to charge.
   */
  written({ charge }: Pick<ApiReply, 'charge'>, answered?: () => Answered): void {
    if (charge === undefined) return
    const isCharged = charge.queries + charge.profiles > 0
    const taken = answered && (isCharged ? answered() : nothing)
    this.#context.reservations?.record(charge, taken)
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

  named<R extends Pick<ApiReply, 'headers'>>(reply: R): R {
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
    if (admission.kind === 'query') return this.#write(admission, startedMs)
    const reply =
      admission.kind === 'public'
        ? publicReplies[admission.operation](this.#context.open!, request)
        : { status: 304, headers: admission.headers, body: empty }
    return { ...this.named(reply), seconds: this.#secondsSince(startedMs) }
  }

  /**
   * Makes the items of a query, for `#write`, which is called next, or not at all, and counts their profiles.
   * @returns the problem if their texts cannot be read from the snapshot's file.
   */
  #makeItems(admitted: AdmittedQuery): Problem | undefined {
    const frame = this.#frames[admitted.route]
    frame.begin()
    try {
      admitted.written = writeItems(admitted, handlers[admitted.route], frame.body)
    } catch (error) {
      if (error instanceof UnreadableTexts) return error.problem
      throw error
    }
    // Of detail, the query is the price of a profile.
    if (admitted.profiles > 0) {
      admitted.profiles = admitted.cached?.profiles ?? frame.body.profiles
    }
    return undefined
  }

  /** Valid until the next. */
  #write(admitted: AdmittedQuery, startedMs: number): ApiReply {
    const { route, served, search, charge, written, asked, answeredValues } = admitted
    const frame = this.#frames[route]
    const { facts } = frame
    facts.query = search
    facts.costMicroUsd = charge?.costMicroUsd ?? 0
    facts.balanceMicroUsd = admitted.balanceMicroUsd
    facts.leftOfCapMicroUsd = admitted.leftOfCapMicroUsd
    facts.takenNs = admitted.takenNs
    facts.way = written?.way ?? ''
    const head = frame.head(served.catalog.id)
    const isReplay = asked !== undefined && asked.paid > 0
    const headers: HeaderPairs = isReplay ? [['Idempotent-Replay', 'true']] : []
    const seconds = this.#secondsSince(startedMs)
    const body = frame.end(seconds, written?.members)
    return { status: 200, head, headers, body, charge, answeredValues, seconds }
  }

  #refuse(refusal: RefusedRequest, startedMs: number): ApiReply {
    return replyOf(refusal, this.#context.ids.nextText(), this.#secondsSince(startedMs))
  }

  #secondsSince(startedMs: number): number {
    return (this.#context.clock() - startedMs) / 1000
  }
}

function writeItems(
  admitted: AdmittedQuery,
  handler: OperationHandler,
  body: Body,
): Written | undefined {
  const { served, search, query, cached } = admitted
  const { cache } = served
  if (cached !== undefined) {
    cache.countHit(cached)
    body.slice(cached.source, cached.start, cached.end)
    return cached
  }
  const result = handler.find(served, query!)
  admitted.answeredValues =
    handler.answeredValues && (() => handler.answeredValues?.(query!, result))
  const written = handler.render(served, query!, result, body)
  if (handler.isCached !== true) return written
  if (written !== undefined && 'source' in written) cache.put(search, written)
  else cache.countMiss()
  return written
}
