/**
 * Repeated work at moments that are the same for all of it: the whole multiples of its interval, by the clock that
 * all threads share. A thread with several such tasks wakes once for all that are due, where timers that began at
 * different moments would wake it for each. A thread that is late leaves out the moments that it has missed.
 */

/** Milliseconds by the clock that Node's timers follow, with fractions. */
function timersMs(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1_000 + nanoseconds / 1e6
}

export class Regularly {
  readonly #intervalMs: number
  readonly #work: (lateMs: number) => void
  #timer: NodeJS.Timeout | undefined
  #isWaitedFor = true

  /**
   * Begins at once.
   * @param intervalMs above 0; a multiple of the others of a thread shares their wakes.
   * @param work is called with how late it is, in milliseconds: rarely more than 1, unless something held the thread up.
   */
  constructor(intervalMs: number, work: (lateMs: number) => void) {
    this.#intervalMs = intervalMs
    this.#work = work
    this.#wait()
  }

  /** Ends; a call ends it also from within the work. */
  stop(): void {
    clearTimeout(this.#timer)
  }

  /** A process with nothing else to do does not wait for it. */
  unref(): this {
    this.#isWaitedFor = false
    this.#timer?.unref()
    return this
  }

  #wait(): void {
    const nowMs = Math.floor(timersMs())
    const dueMs = nowMs - (nowMs % this.#intervalMs) + this.#intervalMs
    this.#timer = setTimeout(
      () => {
        // Before the work, which may stop it, and whose failure ends nothing but itself.
        this.#wait()
        this.#work(Math.max(0, timersMs() - dueMs))
      },
      Math.ceil(dueMs - nowMs),
    )
    if (!this.#isWaitedFor) this.#timer.unref()
  }
}
