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
import { named } from './text-sections.ts'

export interface AttributeIndex {
  readonly sections: ReturnType<typeof sectionsOf>
  /** The ordinals of the people of each, ascending. */
  readonly people: readonly Uint32Array[]
  /** The attribute of each phrase, and of each code; if several have the same name, the one of more people. */
  readonly phrases: ReadonlyMap<string, number>
  readonly codes: ReadonlyMap<string, number>
}

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

  /** The index of all that were added. O(attributes of everybody). @param arrivals by ordinal. */
  index(arrivals: Uint32Array): AttributeIndex {
    const people = this.#peopleOf(arrivals)
    const labels = Array.from(people, (_, attribute) => this.#labels.textAt(attribute))
    const sizeOf = (attribute: number) => people[attribute]!.length
    return {
      sections: sectionsOf(this.#labels, this.#lists, arrivals),
      people,
      phrases: meant(labels, sizeOf, (value) => [value, ...namesOfValue(value)]),
      codes: meant(labels, sizeOf, codesOfValue),
    }
  }

  #peopleOf(arrivals: Uint32Array): Uint32Array[] {
    const { starts, values } = this.#lists.view()
    const sizes = new Uint32Array(this.#keys.length)
    for (const attribute of values) sizes[attribute]! += 1
    const people = Array.from(sizes, (size) => new Uint32Array(size))
    const ends = new Uint32Array(sizes.length)
    arrivals.forEach((arrival, ordinal) => {
      for (const attribute of values.subarray(starts[arrival], starts[arrival + 1])) {
        people[attribute]![ends[attribute]!++] = ordinal
      }
    })
    return people
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
      const terms = termsOf(name)
      if (terms.every(isStopWord)) continue
      const phrase = phraseKey(terms)
      const other = phrases.get(phrase)
      if (other === undefined || sizeOf(attribute) > sizeOf(other)) phrases.set(phrase, attribute)
    }
  })
  return phrases
}

function sectionsOf(labels: Interner, lists: Lists, arrivals: Uint32Array) {
  const { starts, values } = lists.view()
  const known = new Map<string, number>()
  const sets = new Lists()
  const setOf = arrivals.map((arrival) => {
    const own = values.subarray(starts[arrival], starts[arrival + 1])
    const name = own.join()
    const set = known.get(name) ?? known.size
    if (set === known.size) {
      known.set(name, set)
      for (const attribute of own) sets.values.push(attribute)
      sets.end()
    }
    return set
  })
  return {
    ...named('attribute', labels.table()),
    'authority.attribute-sets': setOf,
    'attribute-set.starts': sets.starts.view(),
    'attribute-set.attributes': sets.values.view(),
  }
}
