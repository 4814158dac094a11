/**
 * Turns at the network: at most `atOnceMax` requests of a client are on their way, further ones wait in their order.
 * `fetch` opens a connection for each request that finds none free, and services limit connections of an address.
 */
const atOnceMax = 32

/** Gives turns. */
export class Turns {
  #taken = 0
  readonly #waiting = new Set<() => void>()

  /** Waits for a turn. @throws the reason of the signal, if that aborts first. */
  async enter(signal: AbortSignal): Promise<void> {
    if (this.#taken < atOnceMax) {
      this.#taken += 1
      return
    }
    await new Promise<void>((resolve, reject) => {
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
  leave(): void {
    const [next] = this.#waiting
    if (next === undefined) {
      this.#taken -= 1
      return
    }
    this.#waiting.delete(next)
    next()
  }
}
