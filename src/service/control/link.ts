/**
 * The way of a serving thread to the control thread: requests whose heads and bodies were admitted go over with their
 * numbers, and each request is ended there once, with what its client took of the response.
 */
import type { MessagePort } from 'node:worker_threads'
import { copiedBytes } from '../../api/exchange.ts'
import type { RouteReply, RouteRequest } from '../../http/async-route.ts'
import { Channel, type NoCalls, Transferred } from '../../process/channel.ts'
import type { LinkCalls } from './connection.ts'

type Control = Channel<NoCalls, LinkCalls>

/** A link that connects when it is first needed, and anew after the control thread has died. */
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
