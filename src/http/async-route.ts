/**
 * A path that is answered asynchronously, for operations off the hot path. The body of a request is
 * bounded and read only after its head was admitted; a connection that ends cancels its
 * requests and is not written to again.
 */
import type { Api } from '../api/api.ts'
import type { ApiReply, HeaderPairs } from '../api/exchange.ts'
import { noSniff } from '../api/pipeline/response-headers.ts'
import type { KeyOwner } from '../ledger/live/keyring.ts'
import type { Cors } from './cors.ts'
import { type FairPlaces, refuseForNow } from './fair-places.ts'
import { ownTurn } from './loop-turn.ts'
import { abandonedStatus, type ReplyWriter, type WrittenReply } from './reply-writer.ts'
import type { AdmittedHead, BodyBounds, UnfinishedBodies } from './request-body.ts'
import type { HttpResponse } from './wire-library.ts'

/** A request, as the route gets it. */
export interface RouteRequest extends Pick<WireHead, 'method' | 'target' | 'headers'> {
  /** Valid until `answer` first awaits anything. */
  readonly body: Uint8Array
  readonly signal: AbortSignal
  readonly address?: string
  readonly owner?: KeyOwner | undefined
}

export interface AsyncRoute {
  readonly paths: readonly string[]
  readonly bodyBounds: BodyBounds
  /** Requests that are answered at once, and as many whose bodies are unfinished. */
  readonly inFlightMax: number
  /** The web pages that may ask; undefined where only pages of the service itself may. @param path of the request. */
  readonly cors?: (path: string) => Cors | undefined
  /**
   * Checks the head before the body is read; a preflight was answered before.
   * @param canWait as in `AwaitedBody`.
   */
  readonly admit: (head: WireHead, canWait: boolean) => AdmittedHead
  /** To reject is a bug: it is logged, and the request is answered with 500. */
  readonly answer: (request: RouteRequest) => Promise<WrittenReply>
}

/** The head of a request, taken before its handler returns. */
export interface WireHead {
  readonly method: string
  /** The path with the query string. */
  readonly target: string
  readonly address: string
  readonly headers: HeaderPairs
}

interface ServingContext {
  readonly api: Api
  readonly replies: ReplyWriter
  readonly bodies: UnfinishedBodies
  readonly places: RoutePlaces
  /** Called once with the status of the answer. */
  readonly onEnd: (status: number) => void
}

export interface RoutePlaces {
  /** Places of requests whose bodies are not complete yet. */
  readonly bodies: FairPlaces
  /** Places of requests whose bodies are complete, until their answers are taken. */
  readonly calls: FairPlaces
}

/** Answers one request of a route, from its head to the end of its answer. */
export function beginExchange(
  { api, replies, bodies, places, onEnd }: ServingContext,
  route: AsyncRoute,
  wire: HttpResponse,
  head: WireHead,
): void {
  const { method, address } = head
  const cors = route.cors?.(targetPathOf(head))
  const connection = new AbortController()
  const { signal } = connection
  const isInTurn = ownTurn()
  let account: number | undefined
  let leave = () => {}
  let status = abandonedStatus

  const end = () => {
    leave()
    onEnd(status)
  }

  const write = (reply: WrittenReply) => {
    status = reply.status
    const more = cors?.headers(headerOf(head, 'origin')) ?? []
    const settle = (bytes?: number) => {
      end()
      reply.settle?.(bytes)
    }
    wire.cork(() => replies.write(wire, method, { ...reply, settle }, more))
  }

  const answer = async (request: RouteRequest) => {
    let reply: WrittenReply
    try {
      reply = await route.answer(request)
    } catch (error) {
      // A cancelled request may fail in any way: its client is gone.
      if (signal.aborted) return
      reply = api.failed(error)
    }
    if (signal.aborted) reply.settle?.(0)
    else write(reply)
  }

  bodies.read({
    ...{ places: places.bodies, source: wire, bounds: route.bodyBounds, address },
    admit: (canWait) => {
      const requested = headerOf(head, 'access-control-request-method')
      const preflight = cors?.preflight(method, headerOf(head, 'origin'), requested)
      const admitted = preflight ? { refusal: api.named(preflight) } : route.admit(head, canWait)
      account = admitted.account
      return admitted
    },
    refuse: write,
    take: ({ owner }, body) => {
      const leaveCalls = places.calls.take({ account, address })
      if (leaveCalls === undefined) {
        write(refuseForNow(api, 'requests are being answered'))
        return
      }
      leave = leaveCalls
      void answer({ ...head, body, signal, owner })
    },
    onGone: () => {
      connection.abort()
      if (isInTurn()) api.lostBefore(account)
      end()
    },
  })
}

/** Names the reply of an application, whose headers about the connection the HTTP server itself writes. */
export function namedReply<R extends WrittenReply>(api: Api, given: R): R {
  const id = ['x-request-id', api.nextRequestId()] as const
  const headers = [noSniff, id, ...given.headers].filter(
    ([name]) => name !== 'content-length' && name !== 'connection',
  )
  return { ...given, headers }
}

/** The values of a header, joined with commas as HTTP specifies; undefined without any. */
export function requestHeaderOf(headers: HeaderPairs, name: string): string | undefined {
  const values = headers.filter((header) => header[0] === name).map(([, value]) => value)
  return values.length === 0 ? undefined : values.join(', ')
}

export function headerOf({ headers }: Pick<WireHead, 'headers'>, name: string): string {
  return requestHeaderOf(headers, name) ?? ''
}

export function wrongMethod(api: Api, path: string, methods: readonly string[]): ApiReply {
  const allowed = methods.join(', ')
  const detail = `${path} answers ${allowed} only`
  return api.refuse({ code: 'method-not-allowed', detail }, [['Allow', allowed]])
}

export function targetPathOf({ target }: Pick<WireHead, 'target'>): string {
  const question = target.indexOf('?')
  return question < 0 ? target : target.slice(0, question)
}
