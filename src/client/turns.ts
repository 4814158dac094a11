/** Turns: at most so many tasks run at the same time, further ones wait in their order. */
export class Turns {
  readonly #atOnceMax: number
  readonly #waiting = new Set<() => void>()
  #taken = 0

  constructor(atOnceMax: number) {
    this.#atOnceMax = atOnceMax
  }

  /** Runs a task when there is a turn. @throws the reason of the signal, if that aborts before the task begins. */
  async run<T>(signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    signal.throwIfAborted()
    if (this.#taken < this.#atOnceMax) this.#taken += 1
    else await this.#wait(signal)
    try {
      return await task()
    } finally {
      this.#leave()
    }
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        this.#waiting.delete(enter)
        reject(signal.reason)
      }
      this.#waiting.add(enter)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  /** Ends a turn: it is the next one's. */
  #leave(): void {
    const [next] = this.#waiting
    if (next === undefined) {
      this.#taken -= 1
      return
    }
    this.#waiting.delete(next)
    next()
  }
}
