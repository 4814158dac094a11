/**
 * What a session is to hand over of keys: those that were found, each once the funds of its account and of its cap are
 * known, and those that changed.
 */
import type { Changes, GoodKey } from '../books/port.ts'

/** The part of news that is of keys. */
export interface KeyNews extends Pick<Changes, 'changedKeys' | 'keys'> {
  readonly bad: readonly string[]
}

/** Says whether the funds of a key are known. */
type IsKnown = (key: GoodKey) => boolean

export class FoundKeys {
  readonly #waiting = new Map<string, GoodKey>()
  #bad: string[] = []
  #changed: Changes['changedKeys'] = []

  /** Takes over changes, and then what was found. @returns the hashes of keys that wait and have changed, which are to be sought again. */
  add({ changedKeys, keys, bad }: KeyNews): readonly string[] {
    const isAll = changedKeys === 'all'
    this.#changed = isAll || this.#changed === 'all' ? 'all' : [...this.#changed, ...changedKeys]
    const ids = new Set(isAll ? [] : changedKeys)
    const again = [...this.#waiting.values()].filter(({ id }) => isAll || ids.has(id))
    for (const { hash } of again) this.#waiting.delete(hash)
    for (const key of keys) this.#waiting.set(key.hash, key)
    this.#bad.push(...bad)
    return again.map(({ hash }) => hash).filter((hash) => !this.#waiting.has(hash))
  }

  /** Hands over what there is, once. */
  take(isKnown: IsKnown): Pick<Changes, 'keys' | 'badKeys' | 'changedKeys'> {
    const keys = [...this.#waiting.values()].filter(isKnown)
    for (const { hash } of keys) this.#waiting.delete(hash)
    const taken = { changedKeys: this.#changed, keys, badKeys: this.#bad }
    this.#changed = []
    this.#bad = []
    return taken
  }
}
