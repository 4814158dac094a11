/**
 * What stands in the place of an MCP thread and does nothing by itself: a test says when it asks, when
 * it answers and when it dies. It speaks as the channel between threads does.
 */
import { EventEmitter } from 'node:events'
import type { Worker } from 'node:worker_threads'

/** What the serving thread sends it. */
interface Message {
  readonly kind: string
  readonly id: number
  readonly name: string
  readonly argument: { readonly number: number }
  readonly value: { readonly status: number }
}

/** The only request of a test. */
const search = { path: '/api/v1/index', query: 'query=rust' }

export class HeldThread extends EventEmitter {
  readonly #received: Message[] = []
  #taken = 0
  #asked = 0

  /** The thread, as its starter sees it. */
  asWorker(): Worker {
    return this as unknown as Worker
  }

  unref(): void {}

  async terminate(): Promise<void> {}

  postMessage(message: Message): void {
    this.#received.push(message)
    this.emit('received')
  }

  /** Waits for the next message to the thread. */
  async next(): Promise<Message> {
    while (this.#received.length === this.#taken) {
      await new Promise((resolve) => this.once('received', resolve))
    }
    this.#taken += 1
    return this.#received[this.#taken - 1]!
  }

  /** Asks a search for a request, and returns the status of the answer. */
  async ask({ argument: { number } }: Message): Promise<number> {
    this.#asked += 1
    const argument = { number, question: search }
    this.emit('message', { kind: 'call', id: this.#asked, name: 'ask', argument })
    let message = await this.next()
    while (message.kind !== 'returned') message = await this.next()
    return message.value.status
  }

  /** Answers a request. */
  answer({ id }: Message, status = 200): void {
    const value = { status, headers: [], body: Buffer.from('answered') }
    this.emit('message', { kind: 'returned', id, value })
  }

  /** Ends the thread. */
  die(): void {
    this.emit('exit', 1)
  }
}
