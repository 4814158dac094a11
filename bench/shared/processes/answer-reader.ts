/** Reads HTTP/1.1 answers of known length from what a connection receives, in their order. */

/** An answer; `head` is the status line and the headers, as they were sent. */
export interface Answer {
  readonly status: number
  readonly head: string
  readonly body: Buffer
}

const headEnd = '\r\n\r\n'

/** The text of a GET request with a key. */
export function getRequest(target: string, key: string): string {
  return `GET ${target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}${headEnd}`
}

/** The value of a header, or undefined. */
export function headerOf({ head }: Answer, name: string): string | undefined {
  return new RegExp(`^${name}: *(.*)$`, 'im').exec(head)?.[1]?.trimEnd()
}

/** Puts answers together from chunks. */
export class AnswerReader {
  readonly #onAnswer: (answer: Answer) => void
  #held: Buffer = Buffer.alloc(0)

  constructor(onAnswer: (answer: Answer) => void) {
    this.#onAnswer = onAnswer
  }

  /** Takes a chunk, and calls back with every answer that is complete with it. */
  take(chunk: Buffer): void {
    let bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk])
    for (;;) {
      const end = bytes.indexOf(headEnd)
      if (end < 0) break
      const head = bytes.toString('latin1', 0, end)
      const bodyStart = end + headEnd.length
      const bodyEnd = bodyStart + Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0)
      if (bytes.length < bodyEnd) break
      const body = bytes.subarray(bodyStart, bodyEnd)
      bytes = bytes.subarray(bodyEnd)
      this.#onAnswer({ status: Number(head.slice(9, 12)), head, body })
    }
    this.#held = bytes
  }
}
