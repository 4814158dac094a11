/**
 * Answers that connections take later than they are written. uWebSockets.js keeps all data that it is
 * given to write, without bound and without reporting the amount, so an answer that is larger than its
 * buffer is only offered: the part that the connection does not take waits here, within a bound, until
 * the connection takes it. An answer arrives whole or its connection ends: a connection that takes
 * nothing for 10 s is closed here, and uWebSockets.js closes one that sends another request.
 *
 * Small answers go into the buffer without an offer, and pipelined ones pile up behind it. Therefore
 * some of them are offered, too, chosen at random by bytes, so that no order of requests hides a slow
 * connection: the more answers wait, the more often.
 */
import { copiedBytes } from '../api/exchange.ts'
import type { HttpResponse } from './wire-library.ts'

/** The part of a response that waits for its connection; after `onAborted` it must not be used. */
type OfferedResponse = Pick<
  HttpResponse,
  'tryEnd' | 'getWriteOffset' | 'onWritable' | 'onAborted' | 'cork' | 'close'
>

interface UnreadContext {
  /** Maximum bytes of the waiting answers; an answer above it is not kept, and its connection is ended. */
  readonly bytesMax: number
  readonly random: () => number
  /** Milliseconds, from any origin. */
  readonly clock: () => number
  /** Called with the change of the number of waiting bytes. */
  readonly onChange: (bytes: number) => void
  readonly onUntaken: () => void
}

/** Called once: without a part if all of the body was taken, else with the bytes that were, from its beginning. */
type OnOffered = (part?: Uint8Array) => void

/** Bytes that uWebSockets.js gathers before it writes: one that fits is taken without a look at the connection. */
export const corkBytes = 16_384

/** The longest time in which a connection may take nothing, and the interval of the checks. */
const stillMsMax = 10_000
const sweepMs = 1_000

/** Bytes that the lines of a head count as. */
const headBytes = 400
/** Number of mean distances between two offers of small answers in `bytesMax`. */
const distances = 8

interface WaitingAnswer {
  readonly response: OfferedResponse
  /** All of it: what was taken is read if the connection ends. */
  readonly body: Uint8Array
  readonly onOver: OnOffered
  taken: number
  /** Time of the last sweep that found progress. */
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

  /** Counts a small answer that is about to be written; whether it should only be offered. */
  isDue(bodyBytes: number): boolean {
    this.#bytesToLook -= bodyBytes + headBytes
    if (this.#bytesToLook >= 0) return false
    this.#takeDistance()
    return true
  }

  /**
   * Waits for a connection that has been offered a whole body and took a part of it.
   * @param isHeadSafe false closes a connection that has taken nothing of the body: then a part of the head may be lost.
   */
  keepRest(
    response: OfferedResponse,
    body: Uint8Array,
    onOver: OnOffered,
    isHeadSafe: boolean,
  ): void {
    const taken = response.getWriteOffset()
    const mayWait = isHeadSafe || taken > 0
    if (mayWait && this.#waitingBytes + body.length <= this.#context.bytesMax) {
      this.#keep(response, body, taken, onOver)
      return
    }
    // An earlier handler is replaced: `onOver` reports the end.
    response.onAborted(() => {})
    this.#context.onUntaken()
    response.close()
    onOver(body.subarray(0, taken))
  }

  /**
   * Offers the waiting answers again, as uWebSockets.js reports late or never that a connection takes
   * more, and closes the connections that have taken nothing for too long.
   */
  sweep(): void {
    const nowMs = this.#context.clock()
    for (const answer of this.#waiting) {
      // The buffer's content counts as taken, so the buffer gets one byte and never the last one.
      const bytes = answer.body.length - answer.taken
      const chunkBytes = bytes > corkBytes ? bytes : Math.min(1, bytes - 1)
      if (!answer.hasMoved && chunkBytes > 0) {
        answer.response.cork(() => void this.#push(answer, chunkBytes))
      }
      if (answer.hasMoved) answer.movedMs = nowMs
      else if (nowMs - answer.movedMs >= stillMsMax) answer.response.close()
      answer.hasMoved = false
    }
  }

  #keep(response: OfferedResponse, body: Uint8Array, taken: number, onOver: OnOffered): void {
    const answer: WaitingAnswer = {
      response,
      body: copiedBytes(body),
      onOver,
      taken,
      movedMs: this.#context.clock(),
      hasMoved: false,
    }
    this.#waiting.add(answer)
    this.#change(body.length)
    this.#takeDistance()
    this.#sweeping ??= setInterval(() => this.sweep(), sweepMs).unref()
    response.onAborted(() => this.#leave(answer))
    response.onWritable(() => this.#push(answer, body.length))
  }

  /** Offers up to `bytesMax` bytes of the rest. Returns whether the connection took them. */
  #push(answer: WaitingAnswer, bytesMax: number): boolean {
    const { response, body } = answer
    const from = answer.taken
    const [isTaken, isWhole] = response.tryEnd(body.subarray(from, from + bytesMax), body.length)
    const taken = isWhole ? body.length : response.getWriteOffset()
    if (taken > answer.taken) answer.hasMoved = true
    answer.taken = taken
    if (isWhole) this.#leave(answer)
    return isTaken
  }

  #leave(answer: WaitingAnswer): void {
    const { body, taken, onOver } = answer
    this.#waiting.delete(answer)
    this.#change(-body.length)
    if (this.#waiting.size === 0) {
      clearInterval(this.#sweeping)
      this.#sweeping = undefined
    }
    if (taken === body.length) {
      onOver()
      return
    }
    this.#context.onUntaken()
    onOver(body.subarray(0, taken))
  }

  #change(bytes: number): void {
    this.#waitingBytes += bytes
    this.#context.onChange(bytes)
  }

  /** Draws the bytes until the next offer of a small answer: evenly distributed around the mean distance. */
  #takeDistance(): void {
    const { bytesMax, random } = this.#context
    this.#bytesToLook = (2 * random() * bytesMax) / distances / (1 + this.#waiting.size)
  }
}
