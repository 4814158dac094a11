/**
 * Requests by `node:http` and `node:https`. A lane is one connection. A lane is used again only within
 * the time that the server's `Keep-Alive` gives, less a margin, by the clock at the moment of use: a busy
 * event loop cannot bring a dead connection back. The last lane to become free is the first to be used.
 */
import type {
  Agent,
  ClientRequest,
  IncomingMessage,
  OutgoingHttpHeaders,
  RequestOptions,
} from 'node:http'
import type { Socket } from 'node:net'
import {
  bodyText,
  type SentRequest,
  type Transport,
  type WireAnswer,
  WireFailure,
} from './transport.ts'

/** The members of `node:http` and of `node:https` that the client needs. */
export interface HttpModule {
  readonly Agent: new (options: { keepAlive: boolean; maxSockets: number }) => Agent
  readonly request: (url: string, options: RequestOptions) => ClientRequest
}

/** Options of connections. */
interface LaneOptions {
  /** Maximum number of connections at the same time; further requests wait for one. */
  readonly connectionsMax: number
  /** Monotonic milliseconds. */
  readonly clock: () => number
}

interface Lane {
  readonly origin: string
  readonly agent: Agent
  /** End of its use, by the clock of the transport. */
  usableUntilMs: number
}

/** Lifetime of an idle connection, ms, if the answer has no `Keep-Alive`. */
const keptMsDefault = 5_000
/** Margin before that end, ms: the server's time runs on while a request is on its way. */
const keptMarginMs = 1_000

/** Sends requests over connections that are known to be alive. */
export class NodeTransport implements Transport {
  readonly #modules: { readonly http: HttpModule; readonly https: HttpModule }
  readonly #options: LaneOptions
  /** Free lanes, the last used at the end. */
  #free: Lane[] = []
  #busy = 0
  readonly #waiting: (() => void)[] = []

  constructor(modules: { http: HttpModule; https: HttpModule }, options: LaneOptions) {
    this.#modules = modules
    this.#options = options
  }

  async send(request: SentRequest): Promise<WireAnswer> {
    await this.#turn(request.signal)
    try {
      return await this.#exchange(request)
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#busy -= 1
      else next()
    }
  }

  close(): void {
    for (const { agent } of this.#free) agent.destroy()
    this.#free = []
  }

  /** Waits for a place among the busy; a request that ends gives its place to the next. */
  async #turn(signal: AbortSignal): Promise<void> {
    if (this.#busy < this.#options.connectionsMax) {
      this.#busy += 1
      return
    }
    await new Promise<void>((resolve, reject) => {
      const enter = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1)
        reject(new WireFailure('no connection was free', { wasReused: false, hasBegun: false }))
      }
      this.#waiting.push(enter)
      if (signal.aborted) leave()
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  #exchange(request: SentRequest): Promise<WireAnswer> {
    const { url, method, headers, body, signal } = request
    const { origin, protocol } = new URL(url)
    const { http, https } = this.#modules
    const module = protocol === 'https:' ? https : http
    const lane = this.#lane(origin, module, request.isFresh)
    return new Promise((resolve, reject) => {
      const length =
        body === undefined ? {} : { 'content-length': new TextEncoder().encode(body).length }
      const all: OutgoingHttpHeaders = { ...headers, ...length }
      const outgoing = module.request(url, { method, headers: all, agent: lane.agent, signal })
      let socket: Socket | undefined
      let bytesBefore = 0
      const fail = (cause: unknown) => {
        lane.agent.destroy()
        const hasBegun = (socket?.bytesRead ?? 0) > bytesBefore
        reject(new WireFailure(cause, { wasReused: outgoing.reusedSocket, hasBegun }))
      }
      outgoing.on('socket', (taken) => {
        socket = taken
        bytesBefore = taken.bytesRead
      })
      outgoing.on('error', fail)
      outgoing.on('response', (incoming) => {
        readWhole(incoming).then((answer) => {
          this.#keep(lane, answer.headers)
          resolve(answer)
        }, fail)
      })
      outgoing.end(body)
    })
  }

  #lane(origin: string, module: HttpModule, isFresh: boolean): Lane {
    const nowMs = this.#options.clock()
    for (const { agent, usableUntilMs } of this.#free) if (usableUntilMs <= nowMs) agent.destroy()
    this.#free = this.#free.filter(({ usableUntilMs }) => usableUntilMs > nowMs)
    const at = isFresh ? -1 : this.#free.findLastIndex((lane) => lane.origin === origin)
    if (at >= 0) return this.#free.splice(at, 1)[0]!
    return { origin, agent: new module.Agent({ keepAlive: true, maxSockets: 1 }), usableUntilMs: 0 }
  }

  /** Frees a lane, or ends it if its server says so. */
  #keep(lane: Lane, headers: WireAnswer['headers']): void {
    const [, seconds] = /timeout=(\d+)/.exec(headers['keep-alive'] ?? '') ?? []
    const keptMs = seconds === undefined ? keptMsDefault : Number(seconds) * 1_000
    lane.usableUntilMs = this.#options.clock() + keptMs - Math.min(keptMarginMs, keptMs / 2)
    if (headers.connection === 'close') lane.agent.destroy()
    else this.#free.push(lane)
  }
}

/** Reads an answer to its end. @throws Error if it ends early. */
async function readWhole(incoming: IncomingMessage): Promise<WireAnswer> {
  const pieces: Uint8Array[] = []
  for await (const piece of incoming) pieces.push(piece as Uint8Array)
  if (!incoming.complete) throw new Error('the answer ended early')
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)])
  const text = bodyText(joined(pieces))
  return { status: incoming.statusCode ?? 0, headers: Object.fromEntries(headers), text }
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces
  if (pieces.length === 1) return only!
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
