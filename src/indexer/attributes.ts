/**
 * Attributes: facts of people beside their topics, from records (`party:Independent`) and from
 * biographies, which are not read for a key that the record has. Each fact is stored once in all
 * its spellings, and so is each combination of facts.
 */
import { limits } from '../limits.ts'
import { Lists } from '../memory/columns.ts'
import { Interner } from '../memory/interner.ts'
import type { Attribute } from '../source/schema.ts'
import { termsOf } from '../text/analyzer.ts'
import { phraseKey } from '../text/number.ts'
import { codesOfValue, namesOfValue } from '../text/related/value-names.ts'
import { isRoleKey } from '../text/speech/roles.ts'
import { isStopWord } from '../text/stop-words.ts'
import { peopleOf, setsOf } from './people-lists.ts'
import { named } from './text-sections.ts'

export type AttributeIndex = ReturnType<Attributes['index']>

export class Attributes {
  /** `key:` and the value as phrases are spelled. */
  readonly #keys = new Interner()
  /** `key:value` as it was spelled first. */
  readonly #labels = new Interner()
  /** Those of each authority, ascending. */
  readonly #lists = new Lists()
  #told = 0

  /** Adds those of the next authority. @param told by the biography. */
  add(said: readonly Attribute[], told: readonly Attribute[]): void {
    const own = new Set(said.map((attribute) => this.#intern(attribute)))
    for (const fact of told) {
      if (said.some(({ key }) => key === fact.key)) continue
      const isNew = this.#keys.find(keyOf(fact)) < 0
      if (isNew && this.#told === limits.biographyFactsMax) continue
      if (isNew) this.#told += 1
      own.add(this.#intern(fact))
    }
    for (const attribute of [...own].sort((a, b) => a - b)) this.#lists.values.push(attribute)
    this.#lists.end()
  }

  /**
   * The people of each by ordinal, and the attribute that each phrase or code means: of several with
   * one name that of more people. O(attributes of everybody). @param arrivals by ordinal.
   */
  index(arrivals: Uint32Array) {
    const { starts, values } = this.#lists.view()
    const listOf = (ordinal: number) => {
      const arrival = arrivals[ordinal]!
      return values.subarray(starts[arrival], starts[arrival + 1])
    }
    const people = peopleOf(this.#keys.length, arrivals.length, listOf)
    const sets = setsOf(arrivals.length, listOf)
    const labels = Array.from(people, (_, attribute) => this.#labels.textAt(attribute))
    const sizeOf = (attribute: number) => people[attribute]!.length
    return {
      sections: {
        ...named('attribute', this.#labels.textsFrom(0)),
        'authority.attribute-sets': sets.setOf,
        'attribute-set.starts': sets.starts,
        'attribute-set.attributes': sets.values,
      },
      people,
      phrases: meant(labels, sizeOf, (value) => [value, ...namesOfValue(value)].filter(says)),
      codes: meant(labels, sizeOf, codesOfValue),
    }
  }

  #intern(attribute: Attribute): number {
    const number = this.#keys.intern(keyOf(attribute))
    if (number === this.#labels.length) this.#labels.intern(`${attribute.key}:${attribute.value}`)
    return number
  }
}

function keyOf({ key, value }: Attribute): string {
  return `${key}:${phraseKey(termsOf(value))}`
}

function says(name: string): boolean {
  return !termsOf(name).every(isStopWord)
}

/** The attribute that each phrase means: phrases name values, except bodies of roles, which are found as roles. */
function meant(
  labels: readonly string[],
  sizeOf: (attribute: number) => number,
  namesOf: (value: string) => readonly string[],
): Map<string, number> {
  const phrases = new Map<string, number>()
  labels.forEach((label, attribute) => {
    const [, key = '', value = ''] = /^([^:]*):(.*)$/su.exec(label) ?? []
    if (isRoleKey(key)) return
    for (const name of namesOf(value)) {
      const phrase = phraseKey(termsOf(name))
      const other = phrases.get(phrase)
      if (other === undefined || sizeOf(attribute) > sizeOf(other)) phrases.set(phrase, attribute)
    }
  })
  return phrases
}
