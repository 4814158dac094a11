/** The control thread's end of the link to a serving thread, and the messages of the link. */
import type { MessagePort } from 'node:worker_threads'
import { copiedBytes } from '../../api/exchange.ts'
import type { AsyncRoute, RouteReply, RouteRequest } from '../../http/async-route.ts'
import { Channel, type NoCalls } from '../../process/channel.ts'

/** A request with a number of the serving thread, which no other request of it has. */
interface NumberedRequest extends Omit<RouteRequest, 'signal' | 'owner'> {
  readonly number: number
}

interface RequestEnd {
  readonly number: number
  /** Number of the bytes of its body that were taken, from the beginning; undefined if the response was taken whole. */
  readonly bytes?: number | undefined
}

/** The head of a response, with its body unless the body comes as events. */
interface SentReply extends Pick<RouteReply, 'status' | 'headers' | 'isLast'> {
  readonly body: Uint8Array | undefined
}

export type LinkCalls = {
  answer(request: NumberedRequest): SentReply
  /** The next event of the body of a response that came without one; undefined at its end. */
  next(number: number): Uint8Array | undefined
  /** Ends a request, answered or not. A number that is not open has no effect. */
  end(end: RequestEnd): void
  /** See `Api.lostBefore`. */
  lost(accountSlot: number): void
}

export type Answer = AsyncRoute['answer']

const nothing = new Uint8Array(0)

interface OpenRequest {
  readonly connection: AbortController
  reply?: RouteReply
  events?: AsyncIterator<Uint8Array>
}

/**
 * Answers what comes over a port. When the serving thread dies, nothing was taken of its requests.
 * @param lost see `Api.lostBefore`.
 */
export function serveLink(
  port: MessagePort,
  answer: Answer,
  lost: (accountSlot: number) => void,
): void {
  const open = new Map<number, OpenRequest>()

  function end(number: number, bytes?: number): void {
    const request = open.get(number)
    if (request === undefined) return
    open.delete(number)
    const { connection, reply, events } = request
    const { body, settle } = reply ?? {}
    if (bytes === undefined) settle?.()
    else settle?.(body instanceof Uint8Array ? body.subarray(0, bytes) : nothing)
    connection.abort()
    events?.return?.().catch(() => {})
  }

  async function answerTo({ number, ...given }: NumberedRequest): Promise<SentReply> {
    const request: OpenRequest = { connection: new AbortController() }
    open.set(number, request)
    const { signal } = request.connection
    try {
      const reply = await answer({ ...given, signal })
      request.reply = reply
      if (signal.aborted) reply.settle?.(nothing)
      const { status, headers, body, isLast = false } = reply
      const whole = body instanceof Uint8Array ? copiedBytes(body) : undefined
      return { status, headers, isLast, body: whole }
    } catch (error) {
      open.delete(number)
      throw error
    }
  }

  async function next(number: number): Promise<Uint8Array | undefined> {
    const request = open.get(number)
    const body = request?.reply?.body
    if (request === undefined || body === undefined || body instanceof Uint8Array) return undefined
    request.events ??= body[Symbol.asyncIterator]()
    const { done, value } = await request.events.next()
    return done === true ? undefined : value
  }

  new Channel<LinkCalls, NoCalls>(port, {
    ...{ answer: answerTo, next, lost },
    end: ({ number, bytes }) => end(number, bytes),
  })
  port.once('close', () => {
    for (const number of open.keys()) end(number, 0)
  })
}
