/**
 * A channel between two threads, typed by the calls of each side. The answer to a call is the result
 * or the refusal of its handler; a word has no answer; a stream answers with one item after the
 * other, no faster than they are taken. Messages are handled in the order in which they were sent.
 */
import type { MessagePort, Transferable, Worker } from 'node:worker_threads'
import { Refusal, type RefusalCode } from '../problems.ts'

/** The calls that one side answers, by name: each a function from its argument to its answer. */
export type Calls = Readonly<Record<string, (argument: never) => unknown>>

/** The calls of a side that answers none. */
export type NoCalls = Readonly<Record<never, never>>

/** Either end: a port, or a thread as its parent sees it. */
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
type Streamed<C extends Calls, N extends keyof C> =
  ReturnType<C[N]> extends AsyncIterable<infer T> ? T : never

type OrTransferred<R> = [R] extends [AsyncIterable<infer T>]
  ? AsyncIterable<T | Transferred<T>>
  : R | Transferred<Awaited<R>> | Promise<Awaited<R> | Transferred<Awaited<R>>>

/** The handlers of a side, one for each of its calls. */
export type Handlers<C extends Calls> = {
  readonly [N in keyof C]: (argument: Argument<C, N>) => OrTransferred<ReturnType<C[N]>>
}

/** An error in a message: a refusal stays one, any other keeps its message and stack. */
type ThreadFailure =
  | { readonly refusal: RefusalCode; readonly message: string }
  | { readonly error: unknown }

type Message =
  | { readonly kind: 'word'; readonly name: string; readonly argument: unknown }
  | {
      readonly kind: 'call'
      readonly id: number
      readonly name: string
      readonly argument: unknown
    }
  | { readonly kind: 'returned'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly failure: ThreadFailure }
  | {
      readonly kind: 'stream'
      readonly id: number
      readonly name: string
      readonly argument: unknown
      readonly waitingMax: number
    }
  | { readonly kind: 'item'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'taken'; readonly id: number }
  | { readonly kind: 'left'; readonly id: number }

/** The state of a stream that is being sent. */
interface OutgoingStream {
  taken: number
  /** Nobody takes what would come. */
  isLeft: boolean
  wake: () => void
}

/** Settles the promise of a call, or of each item of a stream. */
interface Waiting {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

export class Channel<Ours extends Calls, Theirs extends Calls> {
  readonly #end: ChannelEnd
  readonly #handlers: Handlers<Ours>
  readonly #calls = new Map<number, Waiting>()
  readonly #incoming = new Map<number, IncomingStream>()
  readonly #outgoing = new Map<number, OutgoingStream>()
  #ids = 0
  #ended: { readonly error: unknown } | undefined

  /** @param handlers what this side can be asked. */
  constructor(end: ChannelEnd, handlers: Handlers<Ours>) {
    this.#end = end
    this.#handlers = handlers
    end.on('message', (message: Message) => this.#receive(message))
  }

  /** Says something that is not answered; a handler that throws is a bug of the other side. */
  notify<N extends keyof Theirs & string>(name: N, argument: Argument<Theirs, N>): void {
    this.#post({ kind: 'word', name, argument })
  }

  /**
   * Asks for something.
   * @throws Refusal as the handler refuses; Error as it fails, or when the channel has ended.
   */
  call<N extends keyof Theirs & string>(
    name: N,
    argument: Argument<Theirs, N> | Transferred<Argument<Theirs, N>>,
  ): Promise<Returned<Theirs, N>> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== undefined) return reject(this.#ended.error)
      this.#ids += 1
      const id = this.#ids
      this.#calls.set(id, { resolve: resolve as (value: unknown) => void, reject })
      this.#postValue((plain) => ({ kind: 'call', id, name, argument: plain }), argument)
    })
  }

  /**
   * Asks for a stream, which begins at once; at most `waitingMax` items wait to be taken.
   * @throws as `call`, when the items are taken.
   */
  stream<N extends keyof Theirs & string>(
    name: N,
    argument: Argument<Theirs, N>,
    waitingMax = 64,
  ): AsyncGenerator<Streamed<Theirs, N>, void, undefined> {
    this.#ids += 1
    const id = this.#ids
    const stream = new IncomingStream()
    if (this.#ended !== undefined) stream.fail(this.#ended.error)
    this.#incoming.set(id, stream)
    this.#post({ kind: 'stream', id, name, argument, waitingMax })
    return this.#take(id, stream)
  }

  async *#take<T>(id: number, stream: IncomingStream): AsyncGenerator<T, void, undefined> {
    try {
      for (let item = await stream.next(); item !== undefined; item = await stream.next()) {
        yield item.value as T
        this.#post({ kind: 'taken', id })
      }
    } finally {
      if (!stream.isOver) this.#post({ kind: 'left', id })
      this.#incoming.delete(id)
    }
  }

  /**
   * To be called when the other side is gone: all waiting calls fail with the error. The first
   * cause is kept; a later call does nothing.
   */
  end(error: unknown): void {
    if (this.#ended !== undefined) return
    this.#ended = { error }
    for (const { reject } of this.#calls.values()) reject(error)
    this.#calls.clear()
    for (const stream of this.#incoming.values()) stream.fail(error)
  }

  #receive(message: Message): void {
    if (message.kind === 'word') this.#handlers[message.name]!(message.argument as never)
    else if (message.kind === 'call') void this.#answer(message)
    else if (message.kind === 'stream') void this.#send(message)
    else if (message.kind === 'item') this.#incoming.get(message.id)?.push(message.value)
    else if (message.kind === 'taken' || message.kind === 'left') this.#onCredit(message)
    else this.#settle(message)
  }

  #settle(message: Extract<Message, { kind: 'returned' | 'failed' }>): void {
    const { id } = message
    const waiting = this.#calls.get(id)
    const stream = this.#incoming.get(id)
    this.#calls.delete(id)
    if (message.kind === 'returned') {
      waiting?.resolve(message.value)
      stream?.finish()
    } else {
      const error = errorOf(message.failure)
      waiting?.reject(error)
      stream?.fail(error)
    }
  }

  async #answer({ id, name, argument }: Extract<Message, { kind: 'call' }>): Promise<void> {
    try {
      const value = await this.#handlers[name]!(argument as never)
      this.#postValue((plain) => ({ kind: 'returned', id, value: plain }), value)
    } catch (error) {
      this.#post({ kind: 'failed', id, failure: failureOf(error) })
    }
  }

  async #send({
    id,
    name,
    argument,
    waitingMax,
  }: Extract<Message, { kind: 'stream' }>): Promise<void> {
    const state: OutgoingStream = { taken: 0, isLeft: false, wake: () => {} }
    this.#outgoing.set(id, state)
    let sent = 0
    try {
      const items = this.#handlers[name]!(argument as never) as unknown as AsyncIterable<unknown>
      for await (const item of items) {
        this.#postValue((plain) => ({ kind: 'item', id, value: plain }), item)
        sent += 1
        while (sent - state.taken >= waitingMax && !state.isLeft) {
          await new Promise<void>((resolve) => {
            state.wake = resolve
          })
        }
        if (state.isLeft) return
      }
      this.#post({ kind: 'returned', id, value: undefined })
    } catch (error) {
      this.#post({ kind: 'failed', id, failure: failureOf(error) })
    } finally {
      this.#outgoing.delete(id)
    }
  }

  #onCredit({ kind, id }: Extract<Message, { kind: 'taken' | 'left' }>): void {
    const state = this.#outgoing.get(id)
    if (state === undefined) return
    if (kind === 'left') state.isLeft = true
    else state.taken += 1
    state.wake()
  }

  #postValue(messageOf: (plain: unknown) => Message, value: unknown): void {
    if (value instanceof Transferred) this.#end.postMessage(messageOf(value.value), value.memory)
    else this.#post(messageOf(value))
  }

  #post(message: Message): void {
    this.#end.postMessage(message)
  }
}

/** Items that have arrived and wait to be taken, and the promise of the next one. */
class IncomingStream {
  readonly #items: { readonly value: unknown }[] = []
  #waiting: Waiting | undefined
  #isFinished = false
  #failure: { readonly error: unknown } | undefined

  push(value: unknown): void {
    this.#items.push({ value })
    this.#wake()
  }

  /** Whether nothing more will arrive. */
  get isOver(): boolean {
    return this.#isFinished || this.#failure !== undefined
  }

  finish(): void {
    this.#isFinished = true
    this.#wake()
  }

  /** Does nothing to a stream that is over. */
  fail(error: unknown): void {
    if (!this.isOver) this.#failure = { error }
    this.#wake()
  }

  /** The next item; undefined at the end. @throws the error of the stream, after its items. */
  next(): Promise<{ readonly value: unknown } | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve: resolve as (value: unknown) => void, reject }
      this.#wake()
    })
  }

  #wake(): void {
    const waiting = this.#waiting
    if (waiting === undefined) return
    const item = this.#items.shift()
    if (item === undefined && this.#failure === undefined && !this.#isFinished) return
    this.#waiting = undefined
    if (item !== undefined || this.#failure === undefined) waiting.resolve(item)
    else waiting.reject(this.#failure.error)
  }
}

/** An error as it crosses. */
function failureOf(error: unknown): ThreadFailure {
  return error instanceof Refusal ? { refusal: error.code, message: error.message } : { error }
}

/** The error of a message, to be thrown on this side. */
function errorOf(failure: ThreadFailure): unknown {
  return 'refusal' in failure ? new Refusal(failure.refusal, failure.message) : failure.error
}
