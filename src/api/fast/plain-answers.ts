/**
 * The straight line: a plain request for `match`, `detail`, `peers` or `search` is answered by one function each, which
 * knows no other feature. A request is plain if, before any effect, all of this holds: it is a GET in one of the usual
 * spellings, without `If-None-Match` and `Idempotency-Key`; its key was looked up and has no terms; all texts are in
 * memory, and no item is sold as a profile; the price is to be had. Every other request, and one that fails here, is
 * answered by the general pipeline, with the same bytes (`test/unit/api/plain-answers.test.ts`). Nothing else may be
 * added here: a feature belongs to the pipeline.
 */
import type { KeyOwner } from '../../ledger/live/keyring.ts'
import type { Asking, Reservations } from '../../ledger/live/reservations.ts'
import type { RouteName } from '../../operations.ts'
import { holdsProfile } from '../../request-parameters.ts'
import type { ActiveSnapshot } from '../active-snapshot.ts'
import type { KeptAnswer, Written } from '../answer-cache.ts'
import type { ApiReply, ApiRequest } from '../exchange.ts'
import type { Body } from '../items/body.ts'
import { limitOf, type RateLimit } from '../limits/rate-limit.ts'
import { fastParseDetail, findDetail, renderDetail } from '../operations/detail.ts'
import { fastParseMatch, findMatch, renderMatch } from '../operations/match.ts'
import { fastParsePeers, findPeers, renderPeers } from '../operations/peers.ts'
import { fastParseSearch, findSearch, renderSearch } from '../operations/search.ts'
import { AnswerFrame, type FrameContext } from '../pipeline/answer-frame.ts'

interface PlainContext extends FrameContext {
  readonly clock: () => number
  readonly served: () => ActiveSnapshot | undefined
  readonly reservations: Reservations
}

interface PlainRequest extends Asking {
  readonly served: ActiveSnapshot
  readonly owner: KeyOwner
}

type Filled<T> = { -readonly [N in keyof T]: T[N] }

const nothing = new Uint8Array(0)
const noHeaders: ApiReply['headers'] = []

/** The reply is filled in anew for each answer. */
class PlainRoute {
  readonly frame: AnswerFrame
  readonly body: Body
  readonly priceMicroUsd: number
  readonly limit: RateLimit | undefined
  readonly reply: Filled<ApiReply> = {
    status: 200,
    head: undefined,
    headers: noHeaders,
    body: nothing,
    charge: undefined,
    answeredValues: undefined,
    seconds: 0,
  }

  constructor(route: RouteName, context: PlainContext) {
    this.frame = new AnswerFrame(route, context)
    this.body = this.frame.body
    this.priceMicroUsd = context.reservations.priceMicroUsd(route)
    this.limit = limitOf(route, context)
  }
}

export class PlainAnswers {
  readonly #context: PlainContext
  readonly #match: PlainRoute
  readonly #detail: PlainRoute
  readonly #peers: PlainRoute
  readonly #search: PlainRoute

  constructor(context: PlainContext) {
    this.#context = context
    this.#match = new PlainRoute('match', context)
    this.#detail = new PlainRoute('detail', context)
    this.#peers = new PlainRoute('peers', context)
    this.#search = new PlainRoute('search', context)
  }

  /** The reply to a plain request, valid until the next; undefined, without any effect, for others. */
  answer(request: ApiRequest, nowMs: number): ApiReply | undefined {
    const { route, authorization, ifNoneMatch } = request
    if (route === undefined || authorization === undefined || ifNoneMatch !== '') return undefined
    const owner = this.#context.reservations.keyring.ownerOf(authorization)
    if (owner === undefined || owner.terms !== undefined) return undefined
    const served = this.#context.served()
    if (served === undefined || served.texts !== undefined) return undefined
    if (request.idempotencyKey?.() !== '') return undefined
    const { query: search } = request
    const plain = { served, owner, route, search, isPosted: false, askedMs: nowMs }
    if (route === 'match') return this.#answerMatch(plain)
    if (route === 'detail') return this.#answerDetail(plain)
    if (route === 'peers') return this.#answerPeers(plain)
    return route === 'search' ? this.#answerSearch(plain) : undefined
  }

  #answerMatch(request: PlainRequest): ApiReply | undefined {
    const { served, search } = request
    const query = fastParseMatch(search)
    if (query === undefined || holdsProfile(query.fields)) return
    const takenNs = this.#begin(this.#match, request)
    if (takenNs < 0) return
    renderMatch(served, query, findMatch(served, query), this.#match.body)
    return this.#sell(this.#match, request, takenNs)
  }

  #answerDetail(request: PlainRequest): ApiReply | undefined {
    const { served, search } = request
    const query = fastParseDetail(search)
    if (query === undefined) return
    const takenNs = this.#begin(this.#detail, request)
    if (takenNs < 0) return
    renderDetail(served, query, findDetail(served, query), this.#detail.body)
    return this.#sell(this.#detail, request, takenNs)
  }

  #answerPeers(request: PlainRequest): ApiReply | undefined {
    const { served, search } = request
    const query = fastParsePeers(search)
    if (query === undefined || holdsProfile(query.fields)) return
    const takenNs = this.#begin(this.#peers, request)
    if (takenNs < 0) return
    renderPeers(served, query, findPeers(served, query), this.#peers.body)
    return this.#sell(this.#peers, request, takenNs)
  }

  #answerSearch(request: PlainRequest): ApiReply | undefined {
    const cached = request.served.cache.get(request.search)
    return cached === undefined ? this.#find(request) : this.#repeat(request, cached)
  }

  #repeat(request: PlainRequest, cached: KeptAnswer): ApiReply | undefined {
    if (cached.profilesMax > 0) return
    const takenNs = this.#begin(this.#search, request)
    if (takenNs < 0) return
    this.#search.body.slice(cached.source, cached.start, cached.end)
    request.served.cache.countHit(cached)
    return this.#sell(this.#search, request, takenNs, cached)
  }

  #find(request: PlainRequest): ApiReply | undefined {
    const { served, search } = request
    const query = fastParseSearch(search)
    if (query === undefined || holdsProfile(query.fields)) return
    const takenNs = this.#begin(this.#search, request)
    if (takenNs < 0) return
    const written = renderSearch(served, query, findSearch(served, query), this.#search.body)
    if ('source' in written) served.cache.put(search, written)
    else served.cache.countMiss()
    return this.#sell(this.#search, request, takenNs, written)
  }

  /** Below 0, and nothing counted, where the price cannot be had or the account asks too often. */
  #begin(plain: PlainRoute, { owner, askedMs }: PlainRequest): number {
    const { reservations } = this.#context
    const { priceMicroUsd, limit, frame } = plain
    if (!reservations.canPayPlainly(owner, priceMicroUsd)) return -1
    const takenNs = limit?.take(owner.accountSlot, askedMs) ?? 0
    if (takenNs < 0) return -1
    frame.begin()
    return takenNs
  }

  /**
   * Takes the price and writes around the items. Undefined where another thread has taken the last of the balance
   * meanwhile: then the pipeline counts the request once more.
   */
  #sell(
    plain: PlainRoute,
    request: PlainRequest,
    takenNs: number,
    written?: Written,
  ): ApiReply | undefined {
    const { reservations, clock } = this.#context
    const { served, owner, search, askedMs } = request
    const { frame, reply } = plain
    const { facts } = frame
    const reserved = reservations.reserve(owner, request, 1)
    if (reserved.charge === undefined) return undefined
    facts.query = search
    facts.costMicroUsd = plain.priceMicroUsd
    facts.balanceMicroUsd = reserved.leftMicroUsd
    facts.takenNs = takenNs
    facts.way = written?.way ?? ''
    reply.head = frame.head(served.catalog.id)
    const seconds = (clock() - askedMs) / 1000
    reply.body = frame.end(seconds, written?.members)
    reply.charge = reserved.charge
    reply.seconds = seconds
    return reply
  }
}
