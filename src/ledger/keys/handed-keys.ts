/**
 * The good keys of a session, by their secrets, and what of them is to be handed over: those that came or changed, and
 * the hashes of those that are good no more. A key waits until the funds of its account, and of its cap, are known.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Changes, GoodKey } from '../port.ts'

/** Says whether the funds of a key are known. */
type IsKnown = (key: GoodKey) => boolean

export class HandedKeys {
  readonly #good = new Map<string, GoodKey>()
  #isPart = false
  /** Hashes of good keys that are to be handed over. */
  readonly #waiting = new Set<string>()
  /** Hashes that were good or sought, and are not good. */
  #bad: string[] = []
  /** Counts the times that something was handed over. */
  #number = 0
  /** What was handed over last, until the next question shows that it was taken. */
  #handed: { readonly keys: readonly string[]; readonly bad: readonly string[] } = {
    keys: [],
    bad: [],
  }

  get isEmpty(): boolean {
    return this.#good.size === 0
  }

  /**
   * Takes over all good keys of the accounts that are held.
   * @param isPart whether those of other accounts may be good, too.
   */
  replace(keys: readonly GoodKey[], isPart: boolean): void {
    this.#isPart = isPart
    const gone = new Set(this.#good.keys())
    for (const key of keys) {
      gone.delete(key.hash)
      if (!isDeepStrictEqual(this.#good.get(key.hash), key)) this.#put(key)
    }
    for (const hash of gone) this.#drop(hash)
  }

  /** Takes over what was found of keys that were sought. */
  add(keys: readonly GoodKey[], bad: readonly string[]): void {
    for (const key of keys) this.#put(key)
    for (const hash of bad) this.#drop(hash)
  }

  #put(key: GoodKey): void {
    this.#good.set(key.hash, key)
    this.#waiting.add(key.hash)
  }

  #drop(hash: string): void {
    this.#good.delete(hash)
    this.#waiting.delete(hash)
    this.#bad.push(hash)
  }

  /**
   * Hands over what changed.
   * @param numberTaken of what was taken over last; what was handed over later is handed over again.
   */
  take(
    numberTaken: number,
    isKnown: IsKnown,
  ): { readonly number: number } & Pick<Changes, 'keys' | 'badKeys' | 'isPart'> {
    if (numberTaken !== this.#number) {
      for (const hash of this.#handed.keys) if (this.#good.has(hash)) this.#waiting.add(hash)
      this.#bad.unshift(...this.#handed.bad.filter((hash) => !this.#good.has(hash)))
    }
    const keys = [...this.#waiting].map((hash) => this.#good.get(hash)!).filter(isKnown)
    for (const { hash } of keys) this.#waiting.delete(hash)
    const badKeys = this.#bad
    this.#bad = []
    this.#handed = { keys: keys.map(({ hash }) => hash), bad: badKeys }
    if (keys.length + badKeys.length > 0) this.#number += 1
    return { number: this.#number, keys, badKeys, ...(this.#isPart && { isPart: true }) }
  }
}
