/**
 * The API without a wire: a request in, a reply out, in one synchronous step. HTTP, the `get`
 * command, MCP and the tests all ask here. A request uses the one catalog it began with.
 *
 *   path → 404 · method → 405 · no snapshot → 503 · parameters → 400 · ETag → 304 · answer → 200
 */
import { type Problem, problems } from '../problems.ts'
import { type Answer, answerDetail, answerMatch, answerPeers, answerSearch } from './answers.ts'
import { Body } from './body.ts'
import { etagMatches, etagOf } from './etag.ts'
import { parsePairs } from './parameters.ts'
import { type Route, type RouteName, routeOf } from './routes.ts'
import type { Served } from './served.ts'

/** A request, as far as the API is concerned. */
export interface ApiRequest {
  readonly method: string
  readonly path: string
  /** The query string without `?`, still encoded. */
  readonly query: string
  readonly ifNoneMatch?: string
}

/** A reply; `body` is valid until the next request to the same API. */
export interface ApiReply {
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Uint8Array
}

/** What the API depends on. */
export interface ApiContext {
  /** What is served at the moment; undefined when there is no snapshot yet. */
  readonly served: () => Served | undefined
  /** Milliseconds, from any origin. */
  readonly clock: () => number
  readonly requestId: () => string
  /** Told of an error that nobody expected; the request was answered with 500. */
  readonly onError: (error: unknown, requestId: string) => void
}

const answers: Readonly<Record<RouteName, Answer>> = {
  search: answerSearch,
  detail: answerDetail,
  peers: answerPeers,
  match: answerMatch,
}

const problemType = 'urn:authority-index:problem:'
const empty = new Uint8Array(0)

export class Api {
  readonly #context: ApiContext
  readonly #body = new Body()

  constructor(context: ApiContext) {
    this.#context = context
  }

  /** Answers every request, never throws: a serving thread must outlive a bug in one answer. */
  answer(request: ApiRequest): ApiReply {
    const started = this.#context.clock()
    const requestId = this.#context.requestId()
    try {
      return this.#answer(request, requestId, started)
    } catch (error) {
      this.#context.onError(error, requestId)
      const detail = 'the error was logged with this request_id'
      return this.#refuse({ code: 'internal-error', detail }, requestId, started)
    }
  }

  #answer(request: ApiRequest, requestId: string, started: number): ApiReply {
    const route = routeOf(request.path)
    if (route === undefined) {
      const detail = `${request.path.slice(0, 100)} is not a path of this service`
      return this.#refuse({ code: 'not-found', detail }, requestId, started)
    }
    if (request.method !== 'GET') {
      const detail = `${route.path} answers GET only`
      return this.#refuse({ code: 'method-not-allowed', detail }, requestId, started)
    }
    const served = this.#context.served()
    if (served === undefined) {
      const detail = 'try again in a moment'
      return this.#refuse({ code: 'no-snapshot', detail }, requestId, started)
    }
    return this.#serve(request, route, served, requestId, started)
  }

  #serve(
    request: ApiRequest,
    route: Route,
    served: Served,
    requestId: string,
    started: number,
  ): ApiReply {
    const pairs = parsePairs(request.query)
    if (pairs.problem !== undefined) return this.#refuse(pairs.problem, requestId, started)
    const body = this.#body
    body.begin()
    body.text('{"duration":')
    const durationAt = body.reserveDuration()
    body.text(route.requestIdInBody ? `,"request_id":"${requestId}","results":[` : ',"results":[')
    const problem = answers[route.name](served, pairs.value, body)
    if (problem !== undefined) return this.#refuse(problem, requestId, started)
    const etag = etagOf(served.catalog.id, route.path, request.query)
    const headers: [string, string][] = [
      ['X-Request-Id', requestId],
      ['X-Snapshot-Id', served.catalog.id],
      ['ETag', etag],
    ]
    if (request.ifNoneMatch !== undefined && etagMatches(request.ifNoneMatch, etag)) {
      return { status: 304, headers, body: empty }
    }
    body.text(']}')
    body.writeDuration(durationAt, (this.#context.clock() - started) / 1000)
    headers.push(['Content-Type', 'application/json'])
    return { status: 200, headers, body: body.view() }
  }

  /** A problem document (RFC 9457) that is an envelope too, so that a client can read it as one. */
  #refuse({ code, detail }: Problem, requestId: string, started: number): ApiReply {
    const { status, title } = problems[code]
    const duration = Math.round((this.#context.clock() - started) * 1000) / 1e6
    const envelope = { duration, request_id: requestId, results: [] }
    const problem = { type: `${problemType}${code}`, title, status, detail }
    const headers: [string, string][] = [
      ['X-Request-Id', requestId],
      ['Content-Type', 'application/problem+json'],
    ]
    if (status === 405) headers.push(['Allow', 'GET'])
    if (status === 503) headers.push(['Retry-After', '1'])
    return { status, headers, body: Buffer.from(JSON.stringify({ ...problem, ...envelope })) }
  }
}
