/**
 * Values that were made last, each by the object that it belongs to. One that was made long ago is forgotten and made
 * anew; nothing grows, and nothing is made besides the values.
 */

export class LastMade<K extends object, V extends object> {
  readonly #keys: (K | undefined)[]
  readonly #values: (V | undefined)[]
  #next = 0

  /** @param count how many are kept; each is looked for among all. */
  constructor(count: number) {
    this.#keys = new Array(count).fill(undefined)
    this.#values = new Array(count).fill(undefined)
  }

  /** The value of a key, which is that very object; `make` is called with it where it is not known. */
  get(key: K, make: (key: K) => V): V {
    const at = this.#keys.indexOf(key)
    if (at >= 0) return this.#values[at]!
    const made = make(key)
    this.#keys[this.#next] = key
    this.#values[this.#next] = made
    this.#next = (this.#next + 1) % this.#keys.length
    return made
  }
}
