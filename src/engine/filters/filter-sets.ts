/** Filters as sets of people: who passes all that are given, each by any of its values. */
import { firstNot } from '../../memory/bounds.ts'
import type { FilterName, FilterValue } from '../../request-parameters.ts'
import type { Catalog } from '../catalog.ts'
import { type DocSet, nobody, unionOf } from '../postings/doc-set.ts'
import {
  AtLeast,
  type FilterSet,
  InLists,
  InRange,
  InTable,
  Listed,
  Passing,
} from '../postings/filter-set.ts'
import type { Postings } from '../postings/postings.ts'

/** The filters of a request. One that is absent matches everybody; one with no numbers matches nobody. */
export type Filters = { readonly [N in FilterName]?: FilterValue<N> | undefined }

type SetsOf = { readonly [N in FilterName]: (value: FilterValue<N>) => readonly DocSet[] }

export class FilterHolders {
  readonly #catalog: Catalog
  readonly #postings: Postings

  constructor(catalog: Catalog, postings: Postings) {
    this.#catalog = catalog
    this.#postings = postings
  }

  /** In this order: a set that is cheap to look at comes first. */
  readonly #setsOf: SetsOf = {
    score_min: (score) => [new InRange(0, this.#scoringAtLeast(score))],
    country: (places) => [this.#ofPlaces(places)],
    topic: (topics) => [this.#ofTopics(topics)],
    platform: (platforms) => [this.#onPlatforms(platforms)],
    attribute: (attributes) => this.#withAttributes(attributes),
    followers_min: (least) => [new AtLeast(this.#catalog.sections['authority.followers'], least)],
  }

  of(filters: Filters): readonly DocSet[] {
    return (Object.keys(this.#setsOf) as FilterName[]).flatMap((name) => {
      const value = filters[name]
      return value === undefined ? [] : this.#setsOf[name](value as never)
    })
  }

  /** The number of people with such a score: ordinals are by descending score. O(log authorities). */
  #scoringAtLeast(score: number): number {
    const scores = this.#catalog.sections['authority.scores']
    return firstNot(scores.length, (ordinal) => scores[ordinal]! / 100 >= score)
  }

  #ofPlaces(places: readonly number[]): DocSet {
    const { counts } = this.#catalog
    const { 'place.starts': starts, 'place.countries': all } = this.#catalog.sections
    const countries = places.flatMap((each) => [...all.subarray(starts[each], starts[each + 1])])
    const isWanted = marksOf(countries, counts.countries)
    const look = new InTable(this.#catalog.sections['authority.countries'], isWanted)
    return this.#listed(
      look,
      places.map((place) => counts.topics + place),
    )
  }

  #withAttributes(attributes: readonly number[]): readonly DocSet[] {
    const { counts } = this.#catalog
    const byKey = new Map<string, number[]>()
    for (const attribute of attributes) {
      const [key = ''] = this.#catalog.attributeOf(attribute).split(':')
      byKey.set(key, [...(byKey.get(key) ?? []), attribute])
    }
    const starts = this.#catalog.sections['attribute-set.starts']
    const values = this.#catalog.sections['attribute-set.attributes']
    const setOf = this.#catalog.sections['authority.attribute-sets']
    return [...byKey.values()].map((own) => {
      const sets = new InLists(starts, values, marksOf(own, counts.attributes))
      const look = new Passing((ordinal) => sets.mayContain(setOf[ordinal]!), counts.authorities)
      const first = counts.topics + counts.places
      return this.#listed(
        look,
        own.map((attribute) => first + attribute),
      )
    })
  }

  #ofTopics(topics: readonly number[]): DocSet {
    const isWanted = marksOf(topics, this.#catalog.counts.topics)
    const starts = this.#catalog.sections['authority.topic-starts']
    const look = new InLists(starts, this.#catalog.sections['authority.topics'], isWanted)
    return this.#listed(look, topics)
  }

  #onPlatforms(platforms: readonly number[]): DocSet {
    if (platforms.length === 0) return nobody
    const isWanted = marksOf(platforms, this.#catalog.counts.platforms)
    const starts = this.#catalog.sections['platform-set.starts']
    const sets = new InLists(starts, this.#catalog.sections['platform-set.platforms'], isWanted)
    const isWantedSet = Uint8Array.from({ length: this.#catalog.counts.platformSets }, (_, set) =>
      sets.mayContain(set) ? 1 : 0,
    )
    return new InTable(this.#catalog.sections['authority.platform-sets'], isWantedSet)
  }

  /** Of one meaning its list alone, which is the quickest to look at. */
  #listed(look: FilterSet, meanings: readonly number[]): DocSet {
    const [only, another] = meanings
    if (only === undefined) return nobody
    if (another === undefined) return this.#postings.meaning(only)
    return new Listed(look, unionOf(meanings.map((meaning) => this.#postings.meaning(meaning))))
  }
}

/** 1 for each number that is wanted, 0 for the others. */
function marksOf(wanted: readonly number[], count: number): Uint8Array {
  const marks = new Uint8Array(count)
  for (const each of wanted) marks[each] = 1
  return marks
}
