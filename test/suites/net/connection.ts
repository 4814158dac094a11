/**
 * A connection that sends the bytes of a request unchanged and reads the answer as it stands on the
 * wire. The connection stays open between requests and is opened again after the server has closed it.
 */
import { connect, type Socket } from 'node:net'

/** An answer as it stood on the wire. */
export interface WireAnswer {
  /** The status line and the header lines, without line ends. Empty where the server only closed. */
  readonly head: readonly string[]
  /** The body, with chunks joined, as Latin-1. */
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
   * Sends requests in one piece, one behind the other, and waits for all answers. A server that closes
   * after an answer has not read the requests behind it: they are sent again on a new connection.
   */
  async askAll(requests: readonly Buffer[]): Promise<WireAnswer[]> {
    const answers: WireAnswer[] = []
    for (let retries = 0; answers.length < requests.length; ) {
      const first = answers.length
      const isFresh = this.#socket === undefined
      await this.#send(requests.slice(first), answers)
      if (answers.length > first) continue
      // The server may have closed an idle connection at the moment of sending.
      if (isFresh || retries > 0) answers.push({ head: [], body: this.#received })
      else retries += 1
    }
    return answers
  }

  /** Closes the connection. */
  close(): void {
    this.#socket?.destroy()
    this.#socket = undefined
  }

  /** Adds the answers that come before the server closes. */
  async #send(requests: readonly Buffer[], answers: WireAnswer[]): Promise<void> {
    this.#received = ''
    const socket = this.#socket ?? this.#open()
    socket.write(Buffer.concat(requests))
    for (const request of requests) {
      const hasBody = request.subarray(0, 5).toString('latin1') !== 'HEAD '
      for (;;) {
        const isClosed = this.#socket !== socket
        const read = readAnswer(this.#received, hasBody, isClosed)
        if (read !== undefined) {
          this.#received = this.#received.slice(read.bytes)
          answers.push(read.answer)
          if (/^connection: close$/im.test(read.answer.head.join('\n'))) return this.close()
          break
        }
        if (isClosed) return
        await new Promise<void>((resolve) => {
          this.#notify = resolve
        })
      }
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

/** An answer, and where it ends in what was received. */
interface ReadAnswer {
  readonly answer: WireAnswer
  readonly bytes: number
}

/** The first answer, once it is whole; of a closed connection what there is of it. */
function readAnswer(received: string, hasBody: boolean, isClosed: boolean): ReadAnswer | undefined {
  const headLength = received.indexOf(headEnd)
  if (headLength < 0) return undefined
  const start = headLength + headEnd.length
  const head = received.slice(0, headLength).split('\r\n')
  const status = Number(head[0]?.slice(9, 12))
  if (status < 200) {
    const next = readAnswer(received.slice(start), hasBody, isClosed)
    return next && { answer: next.answer, bytes: start + next.bytes }
  }
  const whole = (body: string, end: number) => ({ answer: { head, body }, bytes: end })
  if (!hasBody || status === 204 || status === 304) return whole('', start)
  const length = headerValue(head, 'content-length')
  if (length !== undefined && received.length >= start + Number(length)) {
    const end = start + Number(length)
    return whole(received.slice(start, end), end)
  }
  const isChunked = headerValue(head, 'transfer-encoding')?.toLowerCase() === 'chunked'
  const joined = isChunked ? joinChunks(received, start) : undefined
  if (joined !== undefined) return whole(joined.body, joined.end)
  return isClosed ? whole(received.slice(start), received.length) : undefined
}

/** A body in chunks, once the last of them is there. */
function joinChunks(text: string, start: number): { body: string; end: number } | undefined {
  let body = ''
  for (let at = start; ; ) {
    const lineEnd = text.indexOf('\r\n', at)
    if (lineEnd < 0) return undefined
    const size = Number.parseInt(text.slice(at, lineEnd), 16)
    if (!(text.length >= lineEnd + size + 4)) return undefined
    body += text.slice(lineEnd + 2, lineEnd + 2 + size)
    at = lineEnd + size + 4
    if (size === 0) return { body, end: at }
  }
}

/** The value of a header, by its name in small letters. */
export function headerValue(head: readonly string[], name: string): string | undefined {
  const line = head.find((each) => each.toLowerCase().startsWith(`${name}:`))
  return line?.slice(name.length + 1).trim()
}
