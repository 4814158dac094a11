/**
 * One keep-alive HTTP connection over a plain socket: it sends one request at a time and reads its
 * answer. Every answer that reached this end is handed over, also when the other end was killed.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** An answer; `head` is the status line and the headers, as they were sent. */
export interface Answer {
  readonly status: number
  readonly head: string
  readonly body: string
}

/** The text of a GET request with a key. */
export function getRequest(target: string, key: string): string {
  return `GET ${target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`
}

/** The value of a header, or undefined. */
export function headerOf({ head }: Answer, name: string): string | undefined {
  return new RegExp(`^${name}: *(.*)$`, 'im').exec(head)?.[1]
}

export class Connection {
  readonly #socket: Socket
  /** One character a byte. */
  #received = ''
  #settle: ((answer: Answer | undefined) => void) | undefined

  constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true).setEncoding('latin1')
    socket.on('data', (text: string) => this.#receive(text))
    socket.on('close', () => this.#answer(undefined))
    // A reset is followed by 'close', which says all there is to say.
    socket.on('error', () => {})
  }

  /** Connects to a port of this machine. @throws Error of the system when it cannot. */
  static async open(port: number): Promise<Connection> {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    return new Connection(socket)
  }

  /** Sends a request and answers its answer; undefined when the connection ended before it. */
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

  #receive(text: string): void {
    this.#received += text
    const headEnd = this.#received.indexOf('\r\n\r\n')
    if (headEnd < 0) return
    const head = this.#received.slice(0, headEnd).replaceAll('\r', '')
    const bodyStart = headEnd + 4
    const bodyEnd = bodyStart + Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0)
    if (this.#received.length < bodyEnd) return
    const body = Buffer.from(this.#received.slice(bodyStart, bodyEnd), 'latin1').toString()
    this.#received = this.#received.slice(bodyEnd)
    this.#answer({ status: Number(head.slice(9, 12)), head, body })
  }

  #answer(answer: Answer | undefined): void {
    const settle = this.#settle
    this.#settle = undefined
    settle?.(answer)
  }
}
