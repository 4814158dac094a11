/**
 * The values of filters as people write them. One that exists is valid even if nobody has it; an
 * unknown one gets the nearest.
 */
import { allTexts, findText, Scratch, type TextTable, textAt } from '../../memory/text-table.ts'
import type { ChoiceName } from '../../request-parameters.ts'
import { textsOf } from '../../snapshot/text-tables.ts'
import { termsOf, topicKey } from '../../text/analyzer.ts'
import { platformKey } from '../../text/handle.ts'
import { lazily } from '../../text/lazily.ts'
import { nearestOf } from '../../text/nearest.ts'
import { phraseKey } from '../../text/number.ts'
import { platformKeys, platformOf } from '../../text/sites.ts'
import type { Catalog } from '../catalog.ts'
import type { Search } from '../interpret/search.ts'

/** Looking for the nearest costs most of a refusal: only for a value that a message names. */
export type Meant =
  | { readonly numbers: readonly number[]; readonly nearest?: undefined }
  | { readonly numbers?: undefined; readonly nearest: () => string | undefined }

export type MeaningOf = (value: string) => Meant

const nobodys: Meant = { numbers: [] }

/** Longer values are near to nothing: bounds the work of one that is wrong. */
const comparedCharactersMax = 64

export class FilterNames implements Readonly<Record<ChoiceName, MeaningOf>> {
  readonly #catalog: Catalog
  readonly #search: Search
  readonly #phrases: TextTable
  readonly #scratch = new Scratch()
  /** Places by the keys of countries of the snapshot, the keys of all other countries, attributes by their keys. */
  readonly #places = lazily(() => {
    const places = new Map<string, number>()
    this.#catalog.sections['phrase.places'].forEach((place, phrase) => {
      if (place > 0) places.set(textAt(this.#phrases, phrase), place - 1)
    })
    return places
  })
  readonly #absent = lazily(() => {
    const keys = Buffer.from(this.#catalog.sections['absent-country.keys'])
    return new Set(keys.toString().split('\n'))
  })
  readonly #attributes = lazily(() => {
    const attributes = allTexts(textsOf(this.#catalog, 'attribute'))
    return new Map(attributes.map((text, attribute) => [attributeKeyOf(text), attribute]))
  })

  constructor(catalog: Catalog, search: Search) {
    this.#catalog = catalog
    this.#search = search
    this.#phrases = catalog.tableOf('phrase')
  }

  /** A country by its name or adjective, or by its code where it is not called so. */
  readonly country: MeaningOf = (value) => {
    const key = phraseKey(termsOf(value))
    const place = this.#meantBy(key, 'places', 'codes')
    if (place >= 0) return { numbers: [place] }
    if (this.#absent().has(key)) return nobodys
    return { nearest: () => this.#nearestCountry(key) }
  }

  readonly platform: MeaningOf = (value) => {
    const key = platformKey(value)
    const number = this.#catalog.platforms.indexOf(key)
    if (number >= 0) return { numbers: [number] }
    if (platformOf(key) !== undefined) return nobodys
    const known = () => [...this.#catalog.platforms, ...platformKeys]
    return { nearest: () => (isCompared(key) ? nearestOf(key, known()) : undefined) }
  }

  /** A topic by its label or an alias, in either number and spacing. */
  readonly topic: MeaningOf = (value) => {
    const written = this.#catalog.findTopic(topicKey(value))
    const topic = written >= 0 ? written : this.#meantBy(phraseKey(termsOf(value)), 'topics')
    if (topic >= 0) return { numbers: [topic] }
    return { nearest: () => this.#nearestTopic(value) }
  }

  /** An attribute as `key:value`, the value in either number and spacing. */
  readonly attribute: MeaningOf = (value) => {
    const number = this.#attributes().get(attributeKeyOf(value))
    if (number !== undefined) return { numbers: [number] }
    return { nearest: () => this.#nearestAttribute(value) }
  }

  #nearestAttribute(value: string): string | undefined {
    const known = this.#attributes()
    const key = attributeKeyOf(value)
    if (!isCompared(key)) return undefined
    // A value alone is meant with its key: `Republican` is near to `party:Republican`.
    const withKey = key.startsWith(':')
      ? [...known.keys()].find((each) => each.endsWith(key))
      : undefined
    const nearest = withKey ?? nearestOf(key, known.keys())
    return nearest && this.#catalog.attributeOf(known.get(nearest)!)
  }

  #nearestCountry(key: string): string | undefined {
    const meant = isCompared(key) ? nearestOf(key, this.#places().keys()) : undefined
    return meant && this.#catalog.countriesOf(this.#places().get(meant)!)[0]
  }

  #nearestTopic(value: string): string | undefined {
    const likely = isCompared(value) ? this.#search.likelyTopic(value) : undefined
    return likely === undefined ? undefined : this.#catalog.labelOf(likely)
  }

  /** The number that a phrase means in the first of some kinds in which it means any, or -1. */
  #meantBy(key: string, ...kinds: readonly ('places' | 'codes' | 'topics')[]): number {
    const phrase = key === '' ? -1 : findText(this.#phrases, key, this.#scratch)
    if (phrase < 0) return -1
    const numbers = kinds.map((kind) => this.#catalog.sections[`phrase.${kind}`][phrase]!)
    return (numbers.find((number) => number > 0) ?? 0) - 1
  }
}

/** The key of an attribute; of a value without its key, what the keys of such attributes end with. */
function attributeKeyOf(value: string): string {
  const colon = value.indexOf(':')
  return `${value.slice(0, Math.max(0, colon)).trim().toLowerCase()}:${phraseKey(termsOf(value.slice(colon + 1)))}`
}

function isCompared(key: string): boolean {
  return key.length <= comparedCharactersMax
}
