/**
 * The link between a serving thread and the control thread: requests whose heads and bodies were admitted go over with
 * their numbers, and each request is ended there once, with what its client took of the response.
 */
import type { MessagePort } from 'node:worker_threads'
import { copiedBytes } from '../../api/exchange.ts'
import type { AsyncRoute, RouteReply, RouteRequest } from '../../http/async-route.ts'
import { Channel, type NoCalls, Transferred } from '../../process/channel.ts'

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

type LinkCalls = {
  answer(request: NumberedRequest): SentReply
  /** The next event of the body of a response that came without one; undefined at its end. */
  next(number: number): Uint8Array | undefined
  /** Ends a request, answered or not. A number that is not open has no effect. */
  end(end: RequestEnd): void
  /** See `Api.lostBefore`. */
  lost(accountSlot: number): void
}

type Control = Channel<NoCalls, LinkCalls>

/** The end of a serving thread: a link that connects when it is first needed, and anew after the control thread has died. */
export class ControlLink {
  readonly #connect: () => Promise<MessagePort>
  #control: Promise<Control> | undefined
  #last = 0

  constructor(connect: () => Promise<MessagePort>) {
    this.#connect = connect
  }

  /** Answers a request of a route. @throws Error if the control thread dies meanwhile. */
  readonly answer = async ({
    owner: _,
    signal,
    body,
    ...head
  }: RouteRequest): Promise<RouteReply> => {
    const kept = copiedBytes(body)
    this.#last += 1
    const number = this.#last
    this.#control ??= this.#open()
    const control = await this.#control
    signal.throwIfAborted()
    const end = (bytes?: number) => control.notify('end', { number, bytes })
    signal.addEventListener('abort', () => end(0), { once: true })
    const request = new Transferred({ ...head, number, body: kept }, [kept.buffer])
    const reply = await control.call('answer', request)
    const settle = (part?: Uint8Array) => end(part?.length)
    return { ...reply, body: reply.body ?? eventsOf(control, number), settle }
  }

  readonly lost = (accountSlot: number): void => {
    void this.#control?.then(
      (control) => control.notify('lost', accountSlot),
      () => {},
    )
  }

  async #open(): Promise<Control> {
    try {
      const port = await this.#connect()
      const control: Control = new Channel(port, {})
      port.once('close', () => {
        this.#control = undefined
        control.end(new Error('the control thread has ended'))
      })
      return control
    } catch (error) {
      this.#control = undefined
      throw error
    }
  }
}

async function* eventsOf(
  control: Control,
  number: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let event = await control.call('next', number)
  while (event !== undefined) {
    yield event
    event = await control.call('next', number)
  }
}

const nothing = new Uint8Array(0)

interface OpenRequest {
  readonly connection: AbortController
  reply?: RouteReply
  events?: AsyncIterator<Uint8Array>
}

/**
 * The end of the control thread: answers what comes over a port. When the serving thread dies, nothing was taken of its requests.
 * @param lost see `Api.lostBefore`.
 */
export function serveLink(
  port: MessagePort,
  answer: AsyncRoute['answer'],
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
