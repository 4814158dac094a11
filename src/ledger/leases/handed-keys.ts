/**
 * The good keys of a session, and which of them were handed over: all of them when any changed, and then those that
 * come. A key waits until the funds of its account, and of its cap, are known.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Changes, GoodKey } from '../port.ts'

/** Says whether the funds of a key are known. */
type IsKnown = (key: GoodKey) => boolean

export class HandedKeys {
  #keys: readonly GoodKey[] = []
  #version = 0
  #isPart = false
  #waiting: readonly GoodKey[] = []
  /** Hashes of keys that were sought and are not good. */
  #bad: string[] = []

  /** Counts up when keys are to be handed over anew. */
  get version(): number {
    return this.#version
  }

  get isEmpty(): boolean {
    return this.#keys.length === 0
  }

  /**
   * Takes over all good keys of the accounts that are held; nothing is handed over where none of them changed.
   * @param isPart whether those of other accounts may be good, too.
   */
  replace(keys: readonly GoodKey[], isPart: boolean): void {
    if (this.#version > 0 && this.#isPart === isPart && isSame(this.#keys, keys)) return
    this.#keys = keys
    this.#isPart = isPart
    this.#version += 1
  }

  /** Takes over what was found of keys that were sought. */
  add(keys: readonly GoodKey[], bad: readonly string[]): void {
    this.#keys = withKeys(this.#keys, keys)
    this.#waiting = withKeys(this.#waiting, keys)
    this.#bad.push(...bad)
  }

  /** Hands over the changes since a version, each once. */
  take(
    versionSeen: number,
    isKnown: IsKnown,
  ): Pick<Changes, 'keys' | 'isPart' | 'moreKeys' | 'badKeys'> {
    const isAnew = this.#version !== versionSeen
    const keys = isAnew ? this.#keys : this.#waiting
    const known = keys.filter(isKnown)
    if (isAnew || known.length > 0) this.#waiting = keys.filter((key) => !isKnown(key))
    const badKeys = this.#bad
    this.#bad = []
    return {
      keys: isAnew ? known : undefined,
      ...(this.#isPart && { isPart: true }),
      ...(!isAnew && known.length > 0 && { moreKeys: known }),
      ...(badKeys.length > 0 && { badKeys }),
    }
  }
}

/** Some keys, and others in the place of those with the same secrets. */
function withKeys(keys: readonly GoodKey[], others: readonly GoodKey[]): readonly GoodKey[] {
  const hashes = new Set(others.map(({ hash }) => hash))
  return [...keys.filter(({ hash }) => !hashes.has(hash)), ...others]
}

function isSame(one: readonly GoodKey[], other: readonly GoodKey[]): boolean {
  if (one.length !== other.length) return false
  const byHash = new Map(one.map((key) => [key.hash, key]))
  return other.every((key) => isDeepStrictEqual(byHash.get(key.hash), key))
}
