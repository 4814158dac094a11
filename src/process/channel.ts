/**
 * A channel between two threads, typed by the calls of each side. The answer to a call is the result
 * or the refusal of its handler; a word has no answer. Messages are handled in the order in which they were sent.
 */
import type { MessagePort, Transferable, Worker } from 'node:worker_threads'
import { Refusal, type RefusalCode } from '../problems.ts'

export type Calls = Readonly<Record<string, (argument: never) => unknown>>

export type NoCalls = Readonly<Record<never, never>>

type ChannelEnd = MessagePort | Worker

/** A value whose memory is to be handed over instead of copied. */
export class Transferred<T> {
  readonly value: T
  readonly memory: readonly Transferable[]

  constructor(value: T, memory: readonly Transferable[]) {
    this.value = value
    this.memory = memory
  }
}

type Argument<C extends Calls, N extends keyof C> = Parameters<C[N]>[0]
type Returned<C extends Calls, N extends keyof C> = Awaited<ReturnType<C[N]>>
type OrTransferred<R> = R | Transferred<Awaited<R>> | Promise<Awaited<R> | Transferred<Awaited<R>>>

export type Handlers<C extends Calls> = {
  readonly [N in keyof C]: (argument: Argument<C, N>) => OrTransferred<ReturnType<C[N]>>
}

/** A call has an id, a word has none. */
interface Asked {
  readonly name: string
  readonly argument: unknown
  readonly id?: number
}

/** A failure has an error, and a code if that was a refusal, whose class no message keeps. */
type Answered =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: unknown; readonly code?: RefusalCode | undefined }

type Message = Asked | Answered

interface Waiting {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

export class Channel<Ours extends Calls, Theirs extends Calls> {
  readonly #end: ChannelEnd
  readonly #handlers: Handlers<Ours>
  readonly #calls = new Map<number, Waiting>()
  #ids = 0
  #ended: { readonly error: unknown } | undefined

  constructor(end: ChannelEnd, handlers: Handlers<Ours>) {
    this.#end = end
    this.#handlers = handlers
    end.on('message', (message: Message) => this.#receive(message))
  }

  /** Says something that is not answered; a handler that throws is a bug of the other side. */
  notify<N extends keyof Theirs & string>(name: N, argument: Argument<Theirs, N>): void {
    this.#end.postMessage({ name, argument })
  }

  /** @throws Refusal as the handler refuses; Error as it fails, or when the channel has ended. */
  call<N extends keyof Theirs & string>(
    name: N,
    argument: Argument<Theirs, N> | Transferred<Argument<Theirs, N>>,
  ): Promise<Returned<Theirs, N>> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== undefined) return reject(this.#ended.error)
      this.#ids += 1
      const id = this.#ids
      this.#calls.set(id, { resolve: resolve as (value: unknown) => void, reject })
      this.#post(argument, (plain) => ({ id, name, argument: plain }))
    })
  }

  /** The other side is gone: all waiting calls fail with the error. The first cause is kept. */
  end(error: unknown): void {
    if (this.#ended !== undefined) return
    this.#ended = { error }
    for (const { reject } of this.#calls.values()) reject(error)
    this.#calls.clear()
  }

  #receive(message: Message): void {
    if (!('name' in message)) this.#settle(message)
    else if (message.id !== undefined) void this.#answer(message.id, message)
    else this.#handlers[message.name]!(message.argument as never)
  }

  #settle(answered: Answered): void {
    const waiting = this.#calls.get(answered.id)
    this.#calls.delete(answered.id)
    if ('value' in answered) {
      waiting?.resolve(answered.value)
      return
    }
    const { error, code } = answered
    waiting?.reject(code === undefined ? error : new Refusal(code, (error as Error).message))
  }

  async #answer(id: number, { name, argument }: Asked): Promise<void> {
    try {
      const value = await this.#handlers[name]!(argument as never)
      this.#post(value, (plain) => ({ id, value: plain }))
    } catch (error) {
      const code = error instanceof Refusal ? error.code : undefined
      this.#end.postMessage({ id, error, code })
    }
  }

  #post(value: unknown, messageOf: (plain: unknown) => Message): void {
    if (value instanceof Transferred) this.#end.postMessage(messageOf(value.value), value.memory)
    else this.#end.postMessage(messageOf(value))
  }
}
