/** Values that are made when they are first needed. When there are too many, all are forgotten and made anew. */

export class BoundedCache<K, V> {
  readonly #values = new Map<K, V>()
  readonly #valuesMax: number

  constructor(valuesMax: number) {
    this.#valuesMax = valuesMax
  }

  get(key: K, make: (key: K) => V): V {
    const known = this.#values.get(key)
    if (known !== undefined) return known
    if (this.#values.size === this.#valuesMax) this.#values.clear()
    const made = make(key)
    this.#values.set(key, made)
    return made
  }
}

/** A function that keeps its last values. */
export function remembered<K, V>(valuesMax: number, make: (key: K) => V): (key: K) => V {
  const cache = new BoundedCache<K, V>(valuesMax)
  return (key) => cache.get(key, make)
}
