/**
 * The present turn of the event loop of a thread: bytes written in it, and requests answered. All writes of a turn
 * share the buffer of uWebSockets.js, which is empty when the turn is over. The end of a turn is awaited only once the
 * turn has enough of them: to have a callback run takes 1.3 µs, to look at the loop's own count 0.2 µs a request.
 */

import { limits } from '../limits.ts'
import { corkBytes } from './unread.ts'

/** Bytes above which the end of the turn is awaited: fewer may be of several turns. */
const bytesUntilEnd = corkBytes / 2
const { turnRequestsMax, turnMsMax } = limits

export class LoopTurn {
  readonly #clock: () => number
  #bytes = 0
  #requests = 0
  #sinceMs = 0
  #awaitsEnd = false

  /** @param clock milliseconds, from any origin. */
  constructor(clock: () => number) {
    this.#clock = clock
  }

  /** Counts bytes that are about to be written. Returns an upper bound of all bytes of this turn, with these. */
  add(bytes: number): number {
    this.#bytes += bytes
    if (this.#bytes > bytesUntilEnd && !this.#awaitsEnd) {
      this.#awaitsEnd = true
      this.#beginShare()
      setImmediate(this.#onEnd)
    }
    return this.#bytes
  }

  /**
   * Counts a request. True once each time that a share of this turn, requests and time, is used up. A connection that sends thousands of
   * requests ahead has them handed over in one turn, one directly after the other.
   */
  isFull(): boolean {
    this.#requests += 1
    const isWithin = this.#requests <= turnRequestsMax || this.#clock() - this.#sinceMs < turnMsMax
    if (isWithin) return false
    this.#beginShare()
    return true
  }

  #beginShare(): void {
    this.#requests = 0
    this.#sinceMs = this.#clock()
  }

  readonly #onEnd = () => {
    this.#awaitsEnd = false
    this.#bytes = 0
    this.#requests = 0
  }
}

/** Returns whether the present turn of the loop is not over yet. */
export function ownTurn(): () => boolean {
  let isOver = false
  setImmediate(() => {
    isOver = true
  })
  return () => !isOver
}
