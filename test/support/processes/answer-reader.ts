/** Reads HTTP/1.1 answers of known length from what a connection receives, in their order. */

/**
 * An answer; `head` is the status line and the headers, as they were sent. The body lies in
 * the chunk that ended it.
 */
export interface Answer {
  readonly status: number
  readonly head: string
  readonly body: Buffer
}

const headEnd = '\r\n\r\n'
const nothing = Buffer.alloc(0)

export function getRequest(target: string, key: string): string {
  return `GET ${target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}${headEnd}`
}

/** The value of a header, or undefined; quickest where the name is written as the server writes it. */
export function headerOf({ head }: Pick<Answer, 'head'>, name: string): string | undefined {
  const at = head.indexOf(`\r\n${name}: `)
  if (at < 0) return new RegExp(`^${name}: *(.*)$`, 'im').exec(head)?.[1]?.trimEnd()
  const start = at + name.length + 4
  const end = head.indexOf('\r\n', start)
  return end < 0 ? head.slice(start) : head.slice(start, end)
}

export class AnswerReader {
  readonly #onAnswer: (answer: Answer) => void
  #held: Buffer = nothing

  constructor(onAnswer: (answer: Answer) => void) {
    this.#onAnswer = onAnswer
  }

  take(chunk: Buffer): void {
    const bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk])
    let start = 0
    for (;;) {
      const end = bytes.indexOf(headEnd, start, 'latin1')
      if (end < 0) break
      const head = bytes.toString('latin1', start, end)
      const bodyStart = end + headEnd.length
      const bodyEnd = bodyStart + Number(headerOf({ head }, 'Content-Length') ?? 0)
      if (bytes.length < bodyEnd) break
      start = bodyEnd
      const body = bytes.subarray(bodyStart, bodyEnd)
      this.#onAnswer({ status: Number(head.slice(9, 12)), head, body })
    }
    // What a chunk begins and does not end outlives it.
    this.#held = start === bytes.length ? nothing : Buffer.from(bytes.subarray(start))
  }
}
