/**
 * The link between a serving thread and the control thread: requests whose heads and bodies were admitted go over with
 * their numbers, and each request is ended there once, with what its client took of the response.
 */
import type { MessagePort } from 'node:worker_threads'
import { copiedBytes } from '../../api/exchange.ts'
import type { AsyncRoute, RouteRequest } from '../../http/async-route.ts'
import type { WrittenReply } from '../../http/reply-writer.ts'
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

type SentReply = Pick<WrittenReply, 'status' | 'headers' | 'body'>

type LinkCalls = {
  answer(request: NumberedRequest): SentReply
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
  }: RouteRequest): Promise<WrittenReply> => {
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
    return { ...reply, settle: end }
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

interface OpenRequest {
  readonly connection: AbortController
  settle: WrittenReply['settle']
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

  function end({ number, bytes }: RequestEnd): void {
    const request = open.get(number)
    open.delete(number)
    request?.settle?.(bytes)
    request?.connection.abort()
  }

  async function answerTo({ number, ...given }: NumberedRequest): Promise<SentReply> {
    const request: OpenRequest = { connection: new AbortController(), settle: undefined }
    open.set(number, request)
    const { signal } = request.connection
    try {
      const { status, headers, body, settle } = await answer({ ...given, signal })
      request.settle = settle
      if (signal.aborted) settle?.(0)
      return { status, headers, body: copiedBytes(body) }
    } catch (error) {
      open.delete(number)
      throw error
    }
  }

  new Channel<LinkCalls, NoCalls>(port, { answer: answerTo, end, lost })
  port.once('close', () => {
    for (const number of open.keys()) end({ number, bytes: 0 })
  })
}
