/** The keys that a session has been asked for, by the hashes of their secrets, until it has looked for them. */

/** The most keys of one look-up, and the most that wait: a key beyond that is looked up when it is sent again. */
const soughtAtOnceMax = 250
const soughtMax = 5_000

export class SoughtHashes {
  readonly #hashes = new Set<string>()

  seek(hash: string): void {
    if (this.#hashes.size < soughtMax) this.#hashes.add(hash)
  }

  get isEmpty(): boolean {
    return this.#hashes.size === 0
  }

  /** Those of the next look-up. */
  next(): readonly string[] {
    return [...this.#hashes].slice(0, soughtAtOnceMax)
  }

  /** Takes note that keys were looked for. */
  over(hashes: readonly string[]): void {
    for (const hash of hashes) this.#hashes.delete(hash)
  }
}
