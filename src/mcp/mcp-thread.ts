/**
 * MCP on a thread of its own beside a serving thread. To read, check and wrap a message takes a
 * hundred times as long as the answer inside it, and no plain request must wait for that. The
 * thread knows nothing of the index, of keys and of money: it asks the serving thread each question of a tool.
 */
import { Worker } from 'node:worker_threads'
import { type RouteRequest, type RouteResponse, requestHeaderOf } from '../http/async-route.ts'
import { Channel } from '../process/channel.ts'
import { moduleOf } from '../process/thread.ts'
import { type IndexFacts, largestNamesOf, type McpOffer, type Topics } from './answer-source.ts'
import { type McpHandler, refusalOfShape } from './handler.ts'
import type { WrittenAnswer } from './local.ts'
import type { MoreMessages, OpenRequests, RequestQuestion } from './open-requests.ts'
import type { TakenResponse } from './taken-messages.ts'

/** A request with a number from the serving thread, by which it can be cancelled. */
export interface NumberedRequest extends Omit<RouteRequest, 'signal' | 'owner' | 'address'> {
  readonly number: number
  /** Facts of the snapshot that is served when the request comes. */
  readonly facts: IndexFacts
}

/** The head of a response, with its body unless the body comes as events. */
export type ResponseHead = Pick<RouteResponse, 'status' | 'headers'> & {
  readonly body: Uint8Array | undefined
}

/** A response that is whole. */
type WholeResponse = ResponseHead & { readonly body: Uint8Array }

/** Calls from the serving thread to the MCP thread. */
export type McpCalls = {
  answer(request: NumberedRequest): ResponseHead
  /** The body of a response that has none yet. */
  events(number: number): AsyncIterable<Uint8Array>
  /** Cancels a request: its client no longer waits for the response. */
  cancel(number: number): void
}

/** Calls from the MCP thread to the serving thread. */
export type McpQuestions = {
  /** Asks the API; the price is charged with the response to the request, if that is written. */
  ask(question: RequestQuestion): WrittenAnswer | Promise<WrittenAnswer>
  /** Counts messages; a response refuses the request. */
  count(more: MoreMessages): WholeResponse | undefined
  topics(nothing: undefined): Topics | undefined
  /** Reports a bug in a tool; its caller got an error that says so. */
  bug(error: unknown): void
}

/** Dependencies of `McpThread`. */
interface McpThreadContext {
  readonly requests: OpenRequests
  readonly topics: () => Topics | undefined
  readonly offer: McpOffer
  /** Called with bugs. */
  readonly onError: (error: unknown) => void
  /** Starts the thread. */
  readonly newWorker?: () => Worker
}

const untaken: TakenResponse = { body: new Uint8Array(0), bytes: 0 }

/** What was taken of a response; of one that is no answer, nothing is charged. */
function takenOf({ status, body }: RouteResponse, part?: Uint8Array): TakenResponse | undefined {
  if (status !== 200) return untaken
  if (part === undefined) return undefined
  return body instanceof Uint8Array ? { body, bytes: part.length } : untaken
}

/** Starts a thread with the module `mcp-worker`, which stands beside this one. */
function newMcpWorker(): Worker {
  return new Worker(moduleOf('mcp-worker', import.meta.url))
}

/**
 * The thread as its serving thread sees it. The first request starts it and waits a quarter of a second for it, so
 * that a service without MCP clients spends neither processor time nor memory on it. If it has ended, the next
 * request starts it again.
 */
export class McpThread implements McpHandler {
  readonly #context: McpThreadContext
  #channel: Channel<McpQuestions, McpCalls> | undefined

  constructor(context: McpThreadContext) {
    this.#context = context
  }

  readonly answer = async (request: RouteRequest): Promise<RouteResponse> => {
    const refusal = refusalOfShape(request.body)
    if (refusal !== undefined) return refusal
    const { requests } = this.#context
    const { headers } = request
    const number = requests.begin({
      authorization: requestHeaderOf(headers, 'authorization') ?? '',
      idempotencyKey: requestHeaderOf(headers, 'idempotency-key') ?? '',
    })
    try {
      const response = await this.#answer(number, request)
      const settle = (part?: Uint8Array) => requests.end(number, takenOf(response, part))
      return { ...response, settle }
    } catch (error) {
      requests.end(number, untaken)
      throw error
    }
  }

  async #answer(number: number, request: RouteRequest): Promise<RouteResponse> {
    const { signal, method, target, headers, body } = request
    this.#channel ??= this.#start()
    const channel = this.#channel
    const cancelled = new Promise<never>((_, reject) => {
      const cancel = () => {
        channel.notify('cancel', number)
        reject(signal.reason)
      }
      signal.addEventListener('abort', cancel, { once: true })
    })
    // The race below passes the rejection on; this handler keeps one without a race from ending the process.
    cancelled.catch(() => {})
    // A part of a buffer would be sent with all of it.
    const { offer, topics } = this.#context
    const facts = { ...offer, largestTopics: largestNamesOf(topics()) }
    const question = { number, facts, method, target, headers, body: body.slice() }
    const answered = channel.call('answer', question)
    const response = await Promise.race([answered, cancelled])
    const events = () => channel.stream('events', number)
    return { ...response, body: response.body ?? events() }
  }

  #start(): Channel<McpQuestions, McpCalls> {
    const { requests, topics, onError, newWorker = newMcpWorker } = this.#context
    const worker = newWorker()
    // The serving thread is there for requests; when it ends, this one ends with it.
    worker.unref()
    const channel = new Channel<McpQuestions, McpCalls>(worker, {
      ask: (question) => requests.ask(question),
      count: (more) => {
        const refusal = requests.count(more)
        if (refusal === undefined) return undefined
        const { status, headers, body } = refusal
        return { status, headers, body }
      },
      topics: () => topics(),
      bug: onError,
    })
    worker.on('error', onError)
    worker.on('exit', () => {
      this.#channel = undefined
      channel.end(new Error('the MCP thread has ended'))
    })
    return channel
  }
}
