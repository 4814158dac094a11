/**
 * What a session is to hand over of keys: those that were found, each once the funds of its account and of its cap are
 * known, and those that changed.
 */
import type { Changes, GoodKey } from '../books/port.ts'

/** Says whether the funds of a key are known. */
type IsKnown = (key: GoodKey) => boolean

export class FoundKeys {
  readonly #waiting = new Map<string, GoodKey>()
  #bad: string[] = []
  #changed: Changes['changedKeys'] = []

  /** Takes over what was found of keys that were sought. */
  add(keys: readonly GoodKey[], bad: readonly string[]): void {
    for (const key of keys) this.#waiting.set(key.hash, key)
    this.#bad.push(...bad)
  }

  /** Takes over changes. @returns the hashes of keys that wait and have changed, which are to be sought again. */
  change(changed: Changes['changedKeys']): readonly string[] {
    if (changed.length === 0) return []
    const isAll = changed === 'all'
    this.#changed = isAll || this.#changed === 'all' ? 'all' : [...this.#changed, ...changed]
    const ids = new Set(isAll ? [] : changed)
    const again = [...this.#waiting.values()].filter(
      ({ id, accountNumber }) => isAll || ids.has(id) || ids.has(accountNumber),
    )
    for (const { hash } of again) this.#waiting.delete(hash)
    return again.map(({ hash }) => hash)
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
