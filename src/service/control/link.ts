/**
 * The way of a serving thread to the control thread: requests whose heads and bodies were admitted go over with their
 * numbers, and each request is ended there once, with what its client took of the response.
 */
import type { MessagePort } from 'node:worker_threads'
import { copiedBytes } from '../../api/exchange.ts'
import type { RefusedRoute, RouteRequest, RouteResponse } from '../../http/async-route.ts'
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
  }: RouteRequest): Promise<RouteResponse | RefusedRoute> => {
    const kept = copiedBytes(body)
    this.#last += 1
    const number = this.#last
    this.#control ??= this.#open()
    const control = await this.#control
    const end = (bytes?: number) => control.notify('end', { number, bytes })
    let leave = () => {}
    const left = new Promise<never>((_, reject) => {
      leave = () => {
        end(0)
        reject(signal.reason)
      }
    })
    left.catch(() => {})
    signal.addEventListener('abort', leave, { once: true })
    if (signal.aborted) leave()
    const request = new Transferred({ ...head, number, body: kept }, [kept.buffer])
    const response = await Promise.race([control.call('answer', request), left])
    if ('refusal' in response) return response
    const settle = (part?: Uint8Array) => end(part?.length)
    if (response.body === undefined) {
      return { ...response, body: eventsOf(control, number), settle }
    }
    // What a client took of a response that is here is known when the response is over.
    signal.removeEventListener('abort', leave)
    return { ...response, body: response.body, settle }
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
