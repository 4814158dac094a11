/**
 * What clients leave unread. uWebSockets.js takes every answer and keeps what a connection does not
 * take, without bound and without saying how much. So now and then an answer is only offered: what
 * the connection does not take of it waits here, and nothing more is read from the connection until
 * all is taken. A connection that has sent another request behind it is ended by uWebSockets.js.
 *
 * What is offered is chosen at random by bytes, so that no order of requests keeps a connection from
 * being found, and the more often, the more answers wait: what is kept for connections that do not
 * read is, as expected, one distance for the first, half of one for the second, and so on.
 */

/** A response as far as an answer is offered to it; after `onAborted` it must not be used. */
export interface OfferedResponse {
  /** Returns whether all of the chunk was taken, and whether the response is complete. */
  tryEnd(chunk: Uint8Array, totalBytes: number): [isTaken: boolean, isWhole: boolean]
  onWritable(handler: (offset: number) => boolean): unknown
  onAborted(handler: () => void): unknown
  /** Reads no more from the connection. */
  pause(): unknown
  resume(): unknown
  /** Ends the connection at once. */
  close(): unknown
}

/** What a thread's answers are bounded and watched by. */
export interface UnreadContext {
  /** Of the answers that wait; one that would be above is not kept, and its connection is ended. */
  readonly bytesMax: number
  /** From 0 up to but not including 1. */
  readonly random: () => number
  /** Called when more bytes wait, or fewer. */
  readonly onChange?: ((bytes: number) => void) | undefined
  /** Called with each connection that ended before it took its answer. */
  readonly onUntaken?: (() => void) | undefined
}

/** What the lines of a head count as. */
const headBytes = 400
/** Distances that make up the bound. */
const distances = 8

export class UnreadAnswers {
  readonly #context: UnreadContext
  #waiting = 0
  #waitingBytes = 0
  #bytesToLook = 0

  constructor(context: UnreadContext) {
    this.#context = context
    this.#takeDistance()
  }

  /** Counts an answer that is about to be written: whether it should be offered only. */
  isDue(bodyBytes: number): boolean {
    this.#bytesToLook -= bodyBytes + headBytes
    if (this.#bytesToLook >= 0) return false
    this.#takeDistance()
    return true
  }

  /**
   * Ends a response with a body as fast as its connection takes it. The body may change afterwards.
   * @param onOver called once: whether all of it was taken.
   */
  offer(response: OfferedResponse, body: Uint8Array, onOver: (isTaken: boolean) => void): void {
    const [, isWhole] = response.tryEnd(body, body.length)
    if (isWhole) onOver(true)
    else if (this.#waitingBytes + body.length <= this.#context.bytesMax) {
      this.#keep(response, body.slice(), onOver)
    } else {
      this.#context.onUntaken?.()
      response.close()
      onOver(false)
    }
  }

  #keep(response: OfferedResponse, body: Uint8Array, onOver: (isTaken: boolean) => void): void {
    this.#change(1, body.length)
    const leave = (isTaken: boolean) => {
      this.#change(-1, -body.length)
      if (!isTaken) this.#context.onUntaken?.()
      onOver(isTaken)
    }
    response.onAborted(() => leave(false))
    response.onWritable((offset) => {
      // A complete response must not be used, so reading goes on before, or stops again.
      response.resume()
      const [isTaken, isWhole] = response.tryEnd(body.subarray(offset), body.length)
      if (isWhole) leave(true)
      else response.pause()
      return isTaken
    })
    response.pause()
  }

  #change(by: number, bytes: number): void {
    this.#waiting += by
    this.#waitingBytes += bytes
    this.#context.onChange?.(bytes)
    if (by > 0) this.#takeDistance()
  }

  /** Bytes until the next look: evenly distributed around the distance. */
  #takeDistance(): void {
    const { bytesMax, random } = this.#context
    this.#bytesToLook = (2 * random() * bytesMax) / distances / (1 + this.#waiting)
  }
}
