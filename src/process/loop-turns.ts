/**
 * Turns of the event loop of a thread, and those with too many requests: all writes in one turn share the buffer of uWebSockets.js, which
 * is empty when the turn is over. To look at the loop's own count takes 0.09 µs, to have a callback run once a
 * turn 1.3 µs.
 */
import { performance } from 'node:perf_hooks'

/** Number of iterations of the loop; older versions of Node do not report it. */
interface LoopTiming {
  readonly uvMetricsInfo?: { readonly loopCount: number }
}

export class LoopTurns {
  readonly #timing: LoopTiming
  #ended = 0
  #awaitsEnd = false

  constructor(timing: LoopTiming = performance.nodeTiming) {
    this.#timing = timing
  }

  /** A number that is another one when all handlers that the loop had to call at the last look have returned. */
  current(): number {
    const metrics = this.#timing.uvMetricsInfo
    if (metrics !== undefined) return metrics.loopCount
    if (!this.#awaitsEnd) {
      this.#awaitsEnd = true
      setImmediate(this.#onEnd)
    }
    return this.#ended
  }

  readonly #onEnd = () => {
    this.#awaitsEnd = false
    this.#ended += 1
  }
}

/** Requests between two looks at the loop. */
const requestsPerLook = 64

/** The share of a turn that is always answered. */
interface TurnShare {
  readonly requests: number
  readonly ms: number
}

/**
 * Finds turns with more requests at hand than one turn should answer. A connection that sends thousands ahead has
 * them handed over in one turn, one directly after the other.
 */
export class FullTurns {
  readonly #share: TurnShare
  readonly #turns: Pick<LoopTurns, 'current'>
  readonly #clock: () => number
  #turn = -1
  #requests = 0
  #unlooked = 0
  #sinceMs = 0

  /** @param clock milliseconds, from any origin. */
  constructor(share: TurnShare, turns: Pick<LoopTurns, 'current'>, clock: () => number) {
    this.#share = share
    this.#turns = turns
    this.#clock = clock
  }

  /**
   * Counts a request; true once for each share of a turn that is used up: as many requests, and as much time. Up to
   * 127 requests more may be part of it.
   */
  isFull(): boolean {
    this.#unlooked += 1
    if (this.#unlooked < requestsPerLook) return false
    this.#unlooked = 0
    const turn = this.#turns.current()
    this.#requests += requestsPerLook
    if (turn !== this.#turn) {
      this.#turn = turn
      this.#begin()
      return false
    }
    const { requests, ms } = this.#share
    if (this.#requests < requests || this.#clock() - this.#sinceMs < ms) return false
    this.#begin()
    return true
  }

  #begin(): void {
    this.#requests = 0
    this.#sinceMs = this.#clock()
  }
}
