/**
 * A circuit breaker (Nygard, Release It!, 2007): after some failures in a row nothing is tried for a while, then one
 * try at a time until one succeeds. So a tail that is away costs a request nothing but its 503.
 */

/** Failures in a row after which it opens. */
const failuresMax = 3
/** Duration for which it stays open, ms. */
const openMs = 500

export class Breaker {
  readonly #clock: () => number
  #failures = 0
  #triesAtMs = 0

  /** @param clock milliseconds, never going back. */
  constructor(clock: () => number) {
    this.#clock = clock
  }

  /** Whether a try is refused at the moment. */
  get isOpen(): boolean {
    return this.#failures >= failuresMax && this.#clock() < this.#triesAtMs
  }

  /** To be called before a try: the next one has to wait while this one has not ended. */
  begin(): void {
    if (this.#failures >= failuresMax) this.#triesAtMs = this.#clock() + openMs
  }

  succeeded(): void {
    this.#failures = 0
  }

  failed(): void {
    this.#failures += 1
    this.#triesAtMs = this.#clock() + openMs
  }
}
