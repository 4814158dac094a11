/**
 * Locks between threads, each held for a microsecond; each says its thread, so that those of a dead
 * one can be opened.
 */

/** Another thread has a lock for a microsecond, unless it was stopped: then it is waited for. */
const spins = 200
const waitMs = 1

export class SharedLocks {
  readonly #locks: Int32Array
  readonly #owner: number

  constructor(locks: SharedArrayBuffer, place: number) {
    this.#locks = new Int32Array(locks)
    this.#owner = place + 1
  }

  locked<T>(lock: number, work: () => T): T {
    while (!this.#take(lock)) {
      const holder = Atomics.load(this.#locks, lock)
      if (holder !== 0) Atomics.wait(this.#locks, lock, holder, waitMs)
    }
    try {
      return work()
    } finally {
      Atomics.store(this.#locks, lock, 0)
    }
  }

  /** Opens the locks of a thread that died in this place. */
  releaseLeftOver(): void {
    for (let lock = 0; lock < this.#locks.length; lock += 1) {
      Atomics.compareExchange(this.#locks, lock, this.#owner, 0)
    }
  }

  #take(lock: number): boolean {
    for (let tries = 0; tries < spins; tries += 1) {
      if (Atomics.compareExchange(this.#locks, lock, 0, this.#owner) === 0) return true
    }
    return false
  }
}
