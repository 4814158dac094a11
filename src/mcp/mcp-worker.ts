/**
 * MCP on a thread of its own beside a serving thread. To read, check and wrap a message takes a
 * hundred times as long as the answer inside it, and no plain request is to wait for that. The
 * thread knows nothing of the index, of keys and of money: what a tool asks, it asks back.
 */
import { Worker } from 'node:worker_threads'
import type { RouteRequest, RouteResponse } from '../http/async-route.ts'
import { moduleOf } from '../process/thread-module.ts'
import type { Topics } from './answer-source.ts'
import type { McpHandler } from './handler.ts'
import type { Question, WrittenAnswer } from './local.ts'

/** To the thread. Requests and questions are numbered by whoever makes them. */
export type McpOrder =
  | {
      readonly kind: 'request'
      readonly request: number
      readonly asked: Omit<RouteRequest, 'signal'>
    }
  /** Nobody waits for the response any more. */
  | { readonly kind: 'cancel'; readonly request: number }
  | { readonly kind: 'answer'; readonly question: number; readonly answer: WrittenAnswer }
  | { readonly kind: 'topics'; readonly question: number; readonly topics: Topics | undefined }

/** From the thread. */
export type McpReport =
  | { readonly kind: 'ask'; readonly question: number; readonly asked: Question }
  | { readonly kind: 'ask-topics'; readonly question: number }
  | {
      readonly kind: 'response'
      readonly request: number
      /** Without a body events follow. */
      readonly response: Omit<RouteResponse, 'body'> & { readonly body: Uint8Array | undefined }
    }
  | { readonly kind: 'event'; readonly request: number; readonly bytes: Uint8Array }
  | { readonly kind: 'events-end'; readonly request: number }
  | { readonly kind: 'failure'; readonly request: number; readonly error: unknown }
  /** A bug that some tool met; whoever called it was told that it was one. */
  | { readonly kind: 'bug'; readonly error: unknown }

/** What the worker depends on. */
export interface McpWorkerContext {
  readonly ask: (question: Question) => WrittenAnswer
  readonly topics: () => Topics | undefined
  /** Told of bugs. */
  readonly onError: (error: unknown) => void
  /** Starts the thread. */
  readonly newThread?: () => Worker
}

/** The thread of the module that stands beside this one. */
function newMcpThread(): Worker {
  return new Worker(moduleOf('mcp-thread', import.meta.url))
}

/** A request that waits for its response, or for the rest of its events. */
interface Waiting {
  readonly resolve: (response: RouteResponse) => void
  readonly reject: (error: unknown) => void
  events?: ReadableStreamDefaultController<Uint8Array>
}

/** The thread as its serving thread sees it; one that has ended is started anew when it is needed. */
export class McpWorker implements McpHandler {
  readonly #context: McpWorkerContext
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker | undefined
  #requests = 0

  constructor(context: McpWorkerContext) {
    this.#context = context
  }

  readonly prepare = (): void => {
    this.#worker ??= this.#start()
  }

  readonly answer = ({ signal, method, target, headers, body }: RouteRequest) => {
    this.#requests += 1
    const request = this.#requests
    return new Promise<RouteResponse>((resolve, reject) => {
      this.#waiting.set(request, { resolve, reject })
      signal.addEventListener('abort', () => this.#cancel(request, signal.reason), { once: true })
      this.#tell({ kind: 'request', request, asked: { method, target, headers, body } })
    })
  }

  #start(): Worker {
    const { newThread = newMcpThread } = this.#context
    const worker = newThread()
    // The serving thread is there for requests; when it ends, this one ends with it.
    worker.unref()
    worker.on('message', (report: McpReport) => this.#receive(report))
    worker.on('error', this.#context.onError)
    worker.on('exit', () => {
      this.#worker = undefined
      for (const request of this.#waiting.keys()) {
        this.#fail(request, new Error('the MCP thread has ended'))
      }
    })
    return worker
  }

  #tell(order: McpOrder): void {
    this.prepare()
    this.#worker!.postMessage(order)
  }

  #receive(report: McpReport): void {
    const { ask, topics, onError } = this.#context
    if (report.kind === 'ask') {
      const { status, body } = ask(report.asked)
      // A copy of its own, because what is sent is all of the memory that it lies in.
      const answer = { status, body: body.slice() }
      this.#tell({ kind: 'answer', question: report.question, answer })
    } else if (report.kind === 'ask-topics') {
      this.#tell({ kind: 'topics', question: report.question, topics: topics() })
    } else if (report.kind === 'bug') {
      onError(report.error)
    } else if (report.kind === 'failure') {
      this.#fail(report.request, report.error)
    } else {
      this.#respond(report)
    }
  }

  #respond(report: Extract<McpReport, { kind: 'response' | 'event' | 'events-end' }>): void {
    const { request } = report
    const waiting = this.#waiting.get(request)
    if (waiting === undefined) return
    if (report.kind === 'event') {
      waiting.events?.enqueue(report.bytes)
      return
    }
    if (report.kind === 'events-end') waiting.events?.close()
    else waiting.resolve(this.#withEvents(report, waiting))
    if (waiting.events === undefined || report.kind === 'events-end') this.#waiting.delete(request)
  }

  #withEvents(
    { request, response }: Extract<McpReport, { kind: 'response' }>,
    waiting: Waiting,
  ): RouteResponse {
    const { body } = response
    if (body !== undefined) return { ...response, body }
    const events = new ReadableStream<Uint8Array>({
      start: (controller) => {
        waiting.events = controller
      },
      cancel: (reason) => this.#cancel(request, reason),
    })
    return { ...response, body: events }
  }

  #cancel(request: number, reason: unknown): void {
    if (!this.#waiting.has(request)) return
    this.#tell({ kind: 'cancel', request })
    this.#fail(request, reason)
  }

  #fail(request: number, error: unknown): void {
    const waiting = this.#waiting.get(request)
    this.#waiting.delete(request)
    if (waiting?.events === undefined) waiting?.reject(error)
    else waiting.events.error(error)
  }
}
