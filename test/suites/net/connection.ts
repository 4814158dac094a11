/**
 * A connection that sends the bytes of a request unchanged and reads the answer as it stands on the
 * wire. The connection stays open between requests and is opened again after the server has closed it.
 */
import { connect, type Socket } from 'node:net'

export interface WireAnswer {
  /** The status line and the header lines, without line ends. Empty where the server only closed. */
  readonly head: readonly string[]
  readonly body: string
}

const headEnd = '\r\n\r\n'

export class Connection {
  readonly #port: number
  #socket: Socket | undefined
  #received = ''
  #notify: () => void = () => {}

  constructor(port: number) {
    this.#port = port
  }

  /**
   * Sends a request and waits for its answer. The server may have closed an idle connection at the moment of sending: the
   * request is then sent once more.
   */
  async ask(request: Buffer): Promise<WireAnswer> {
    const isKept = this.#socket !== undefined
    const answer = await this.#askOnce(request)
    return answer.head.length === 0 && isKept ? this.#askOnce(request) : answer
  }

  close(): void {
    this.#socket?.destroy()
    this.#socket = undefined
  }

  async #askOnce(request: Buffer): Promise<WireAnswer> {
    this.#received = ''
    const socket = this.#socket ?? this.#open()
    socket.write(request)
    const hasBody = request.subarray(0, 5).toString('latin1') !== 'HEAD '
    for (;;) {
      const isClosed = this.#socket !== socket
      const answer = readAnswer(this.#received, hasBody, isClosed)
      if (answer !== undefined) {
        if (headerValue(answer.head, 'connection') === 'close') this.close()
        return answer
      }
      if (isClosed) return { head: [], body: this.#received }
      await new Promise<void>((resolve) => {
        this.#notify = resolve
      })
    }
  }

  #open(): Socket {
    const socket = connect(this.#port, '127.0.0.1')
    this.#socket = socket
    socket.setNoDelay(true)
    socket.setEncoding('latin1')
    socket.on('data', (text: string) => {
      if (this.#socket !== socket) return
      this.#received += text
      this.#notify()
    })
    const end = () => {
      socket.destroy()
      if (this.#socket !== socket) return
      this.#socket = undefined
      this.#notify()
    }
    socket.on('error', end).on('end', end).on('close', end)
    return socket
  }
}

/** The answer, once it is whole; of a closed connection what there is of it. */
function readAnswer(received: string, hasBody: boolean, isClosed: boolean): WireAnswer | undefined {
  const headLength = received.indexOf(headEnd)
  if (headLength < 0) return undefined
  const head = received.slice(0, headLength).split('\r\n')
  const rest = received.slice(headLength + headEnd.length)
  const status = Number(head[0]?.slice(9, 12))
  if (status < 200) return readAnswer(rest, hasBody, isClosed)
  if (!hasBody || status === 204 || status === 304) return { head, body: '' }
  const length = Number(headerValue(head, 'content-length') ?? Number.POSITIVE_INFINITY)
  return rest.length >= length || isClosed ? { head, body: rest.slice(0, length) } : undefined
}

/** The value of a header, by its name in small letters. */
export function headerValue(head: readonly string[], name: string): string | undefined {
  const line = head.find((each) => each.toLowerCase().startsWith(`${name}:`))
  return line?.slice(name.length + 1).trim()
}
