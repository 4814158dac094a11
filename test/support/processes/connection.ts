/**
 * One keep-alive HTTP connection over a plain socket, one request at a time. Every answer that reached this end is
 * handed over, also when the other end was killed.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type Answer, AnswerReader } from './answer-reader.ts'

/** A socket that is connected. A reset is followed by 'close', which says all there is to say. */
export async function openSocket(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').setNoDelay(true)
  await once(socket, 'connect')
  return socket.on('error', () => {})
}

export class Connection {
  readonly #socket: Socket
  #settle: ((answer: Answer | undefined) => void) | undefined

  constructor(socket: Socket) {
    const reader = new AnswerReader((answer) => this.#answer(answer))
    this.#socket = socket
    socket.on('data', (chunk: Buffer) => reader.take(chunk))
    socket.on('close', () => this.#answer(undefined))
  }

  static async open(port: number): Promise<Connection> {
    return new Connection(await openSocket(port))
  }

  /** Sends a request and returns its answer; undefined when the connection ended before it. */
  ask(request: string): Promise<Answer | undefined> {
    if (this.#settle !== undefined) throw new Error('a connection asks one request at a time')
    if (this.#socket.destroyed) return Promise.resolve(undefined)
    return new Promise((resolve) => {
      this.#settle = resolve
      this.#socket.write(request)
    })
  }

  close(): void {
    this.#socket.destroy()
  }

  #answer(answer: Answer | undefined): void {
    const settle = this.#settle
    this.#settle = undefined
    settle?.(answer)
  }
}
