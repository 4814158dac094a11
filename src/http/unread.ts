/**
 * Answers that connections take later than they are written. uWebSockets.js keeps whatever it is
 * given to write, without bound and without saying how much, so an answer that is larger than its
 * buffer is only offered: what the connection does not take of it waits here, within a bound, until
 * the connection takes it. An answer arrives whole or its connection ends: a connection that takes
 * nothing for 10 s is closed here, and uWebSockets.js closes one that sends another request.
 *
 * Small answers go into the buffer unasked, and pipelined ones pile up behind it. Therefore some of
 * them are offered, too, chosen at random by bytes, so that no order of requests keeps a connection
 * from being found: the more answers wait, the more often.
 */
import { copiedBytes } from '../api/exchange.ts'
import type { ThreadMetrics } from '../telemetry/metrics.ts'

/** A response as far as an answer is offered to it; after `onAborted` it must not be used. */
export interface OfferedResponse {
  /** Returns whether all of the chunk was taken, and whether the response is complete. */
  tryEnd(chunk: Uint8Array, totalBytes: number): [isTaken: boolean, isWhole: boolean]
  /** Bytes of the body that were taken. */
  getWriteOffset(): number
  onWritable(handler: (offset: number) => boolean): unknown
  onAborted(handler: () => void): unknown
  cork(write: () => void): unknown
  /** Ends the connection at once, and calls the handler of `onAborted`. */
  close(): unknown
}

/** What a thread's answers are bounded and watched by. */
interface UnreadContext {
  /** Of the answers that wait; one that would be above is not kept, and its connection is ended. */
  readonly bytesMax: number
  /** From 0 up to but not including 1. */
  readonly random: () => number
  /** Milliseconds, from any origin. */
  readonly clock: () => number
  /** Called when more bytes wait, or fewer. */
  readonly onChange?: ((bytes: number) => void) | undefined
  /** Called with each connection that ended before it took its answer. */
  readonly onUntaken?: (() => void) | undefined
}

/** Called once: with the share of the body that was taken, which is 1 only for all of it. */
type OnOffered = (share: number) => void

/** Bytes that uWebSockets.js gathers before it writes: what fits is taken unseen. */
export const corkBytes = 16_384

/** The longest time in which a connection takes nothing, and how often that is looked at. */
const stillMsMax = 10_000
const sweepMs = 1_000

/** What the lines of a head count as. */
const headBytes = 400
/** Distances that make up the bound. */
const distances = 8

/** An answer of which a connection has not taken all. */
interface WaitingAnswer {
  readonly response: OfferedResponse
  /** The body from `start` on. */
  readonly rest: Uint8Array
  readonly start: number
  readonly totalBytes: number
  readonly onOver: OnOffered
  taken: number
  /** When a sweep saw for the last time that more was taken. */
  movedMs: number
  hasMoved: boolean
}

export class UnreadAnswers {
  readonly #context: UnreadContext
  readonly #waiting = new Set<WaitingAnswer>()
  #sweeping: NodeJS.Timeout | undefined
  #waitingBytes = 0
  #bytesToLook = 0

  constructor(context: UnreadContext) {
    this.#context = context
    this.#takeDistance()
  }

  /** Counts a small answer that is about to be written: whether it should be offered only. */
  isDue(bodyBytes: number): boolean {
    this.#bytesToLook -= bodyBytes + headBytes
    if (this.#bytesToLook >= 0) return false
    this.#takeDistance()
    return true
  }

  /**
   * Ends a response with a body as fast as its connection takes it. The body may change afterwards.
   * @param isHeadSafe false closes the connection where it takes nothing of the body at once: then a part of
   * the head may be lost.
   */
  offer(response: OfferedResponse, body: Uint8Array, onOver: OnOffered, isHeadSafe = true): void {
    if (response.tryEnd(body, body.length)[1]) onOver(1)
    else this.keepRest(response, body, onOver, isHeadSafe)
  }

  /** Waits for a connection that has been offered a whole body and took a part of it; else as `offer`. */
  keepRest(
    response: OfferedResponse,
    body: Uint8Array,
    onOver: OnOffered,
    isHeadSafe = true,
  ): void {
    const taken = response.getWriteOffset()
    const restBytes = body.length - taken
    const mayWait = isHeadSafe || taken > 0
    if (mayWait && this.#waitingBytes + restBytes <= this.#context.bytesMax) {
      this.#keep(response, body, taken, onOver)
      return
    }
    // An earlier handler is replaced: `onOver` reports the end.
    response.onAborted(() => {})
    this.#context.onUntaken?.()
    response.close()
    onOver(taken / body.length)
  }

  /**
   * Offers again what waits, as uWebSockets.js says late or never that a connection takes more, and
   * closes the connections that have taken nothing for too long. Called every second while
   * anything waits.
   */
  sweep(): void {
    const nowMs = this.#context.clock()
    for (const answer of this.#waiting) {
      // The buffer's content counts as taken, so the buffer gets one byte and never the last one.
      const bytes = answer.start + answer.rest.length - answer.taken
      const chunkBytes = bytes > corkBytes ? bytes : Math.min(1, bytes - 1)
      if (!answer.hasMoved && chunkBytes > 0) {
        answer.response.cork(() => void this.#push(answer, chunkBytes))
      }
      if (answer.hasMoved) answer.movedMs = nowMs
      else if (nowMs - answer.movedMs >= stillMsMax) answer.response.close()
      answer.hasMoved = false
    }
  }

  #keep(response: OfferedResponse, body: Uint8Array, start: number, onOver: OnOffered): void {
    const answer: WaitingAnswer = {
      response,
      rest: copiedBytes(body.subarray(start)),
      start,
      totalBytes: body.length,
      onOver,
      taken: start,
      movedMs: this.#context.clock(),
      hasMoved: false,
    }
    this.#waiting.add(answer)
    this.#change(answer.rest.length)
    this.#takeDistance()
    this.#sweeping ??= setInterval(() => this.sweep(), sweepMs).unref()
    response.onAborted(() => this.#leave(answer))
    response.onWritable(() => this.#push(answer, answer.totalBytes))
  }

  /** Offers up to so many bytes of what is left. Returns whether the connection took them. */
  #push(answer: WaitingAnswer, bytesMax: number): boolean {
    const { response, rest, start, totalBytes } = answer
    const from = answer.taken - start
    const [isTaken, isWhole] = response.tryEnd(rest.subarray(from, from + bytesMax), totalBytes)
    const taken = isWhole ? totalBytes : response.getWriteOffset()
    if (taken > answer.taken) answer.hasMoved = true
    answer.taken = taken
    if (isWhole) this.#leave(answer)
    return isTaken
  }

  #leave(answer: WaitingAnswer): void {
    const { rest, taken, totalBytes, onOver } = answer
    this.#waiting.delete(answer)
    this.#change(-rest.length)
    if (this.#waiting.size === 0) {
      clearInterval(this.#sweeping)
      this.#sweeping = undefined
    }
    if (taken < totalBytes) this.#context.onUntaken?.()
    onOver(taken / totalBytes)
  }

  #change(bytes: number): void {
    this.#waitingBytes += bytes
    this.#context.onChange?.(bytes)
  }

  /** Bytes until the next look: evenly distributed around the distance. */
  #takeDistance(): void {
    const { bytesMax, random } = this.#context
    this.#bytesToLook = (2 * random() * bytesMax) / distances / (1 + this.#waiting.size)
  }
}

/** Those of a server, counted by its metrics. */
export function watchedUnread({
  metrics,
  unreadBytesMax = Number.MAX_SAFE_INTEGER,
}: {
  readonly metrics?: ThreadMetrics
  readonly unreadBytesMax?: number
}): UnreadAnswers {
  return new UnreadAnswers({
    bytesMax: unreadBytesMax,
    random: Math.random,
    clock: performance.now.bind(performance),
    onChange: (bytes) => metrics?.change('unreadBytes', bytes),
    onUntaken: () => metrics?.count('untaken'),
  })
}
