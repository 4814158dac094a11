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

/** Finds the sets of those who pass each filter of a request. */
export type SetsOfFilters = (filters: Filters) => readonly DocSet[]

type SetsOf = { readonly [N in FilterName]: (value: FilterValue<N>) => readonly DocSet[] }

/** In this order: a set that is cheap to look at comes first. */
export function filterSetsOver(catalog: Catalog, postings: Postings): SetsOfFilters {
  const { sections, counts } = catalog
  const setsOf: SetsOf = {
    score_min: (score) => {
      const scores = sections['authority.scores']
      // Ordinals are by descending score.
      return [
        new InRange(
          0,
          firstNot(scores.length, (at) => scores[at]! / 100 >= score),
        ),
      ]
    },

    country: (places) => {
      const { 'place.starts': starts, 'place.countries': all } = sections
      const countries = places.flatMap((each) => [...all.subarray(starts[each], starts[each + 1])])
      const isWanted = marksOf(countries, counts.countries)
      const look = new InTable(sections['authority.countries'], isWanted)
      return [listed(postings, look, places, counts.topics)]
    },

    topic: (topics) => {
      const { 'authority.topic-starts': starts, 'authority.topics': all } = sections
      const look = new InLists(starts, all, marksOf(topics, counts.topics))
      return [listed(postings, look, topics, 0)]
    },

    platform: (platforms) => {
      if (platforms.length === 0) return [nobody]
      const { 'platform-set.starts': starts, 'platform-set.platforms': all } = sections
      const sets = new InLists(starts, all, marksOf(platforms, counts.platforms))
      const isWanted = Uint8Array.from({ length: counts.platformSets }, (_, set) =>
        sets.mayContain(set) ? 1 : 0,
      )
      return [new InTable(sections['authority.platform-sets'], isWanted)]
    },

    attribute: (attributes) => {
      const { 'attribute-set.starts': starts, 'attribute-set.attributes': all } = sections
      const setOf = sections['authority.attribute-sets']
      const byKey = new Map<string, number[]>()
      for (const attribute of attributes) {
        const [key = ''] = catalog.attributeOf(attribute).split(':')
        byKey.set(key, [...(byKey.get(key) ?? []), attribute])
      }
      return [...byKey.values()].map((own) => {
        const sets = new InLists(starts, all, marksOf(own, counts.attributes))
        const look = new Passing((ordinal) => sets.mayContain(setOf[ordinal]!), counts.authorities)
        return listed(postings, look, own, counts.topics + counts.places)
      })
    },

    followers_min: (least) => [new AtLeast(sections['authority.followers'], least)],
  }
  const names = Object.keys(setsOf) as FilterName[]
  return (filters) =>
    names.flatMap((name) => {
      const value = filters[name]
      return value === undefined ? [] : setsOf[name](value as never)
    })
}

/** The people of some meanings, by their numbers behind `first`. Of one its list alone is the quickest to look at. */
function listed(
  postings: Postings,
  look: FilterSet,
  numbers: readonly number[],
  first: number,
): DocSet {
  const lists = numbers.map((number) => postings.meaning(first + number))
  return lists.length < 2 ? (lists[0] ?? nobody) : new Listed(look, unionOf(lists))
}

/** 1 for each number that is wanted, 0 for the others. */
function marksOf(wanted: readonly number[], count: number): Uint8Array {
  const marks = new Uint8Array(count)
  for (const each of wanted) marks[each] = 1
  return marks
}
