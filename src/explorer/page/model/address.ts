/**
 * Addresses of the explorer: a place (what the page shows) and the address that shows it again. An address
 * never holds a key. It names the snapshot that answered, so that the page can report a newer index to a
 * later visitor.
 */
import type { Suggestion } from './answers.ts'

/** The filters that are lists, each with its title, in the order of the page. Any value of one is enough. */
export const listFilters = {
  topic: 'Topic',
  country: 'Country',
  platform: 'Platform',
  attribute: 'Attribute',
} as const

/** The name of a filter that is a list. */
export type ListFilter = keyof typeof listFilters

/** The filters by a minimum: their names on the page, and the maximum of each. */
export const numberFilters = {
  score_min: { label: 'Score at least', chip: 'score', most: 100 },
  followers_min: { label: 'Followers at least', chip: 'followers', most: 4_294_967_295 },
} as const

/** The name of a filter that is a number. */
export type NumberFilter = keyof typeof numberFilters

/** The filters of a search, by the names of their parameters; a number that is not set is 0. */
export type ListFilters = Readonly<Record<ListFilter, readonly string[]>> &
  Readonly<Record<NumberFilter, number>>

const listNames = Object.keys(listFilters) as ListFilter[]
const numberNames = Object.keys(numberFilters) as NumberFilter[]

/** A view with its parameters. */
export type Place =
  | { readonly view: 'home' }
  | { readonly view: 'search'; readonly query: string; readonly filters: ListFilters }
  | { readonly view: 'person'; readonly sdu: string }
  | { readonly view: 'network'; readonly handle: string }
  | { readonly view: 'topics'; readonly typed: string }
  | { readonly view: 'reference' }

/** A place, and the snapshot that it was seen in; '' if none is named. */
export interface Visit {
  readonly place: Place
  readonly snapshotId: string
}

export const noFilters = filtersFrom(
  () => [],
  () => 0,
)

/** The place of a search without a filter. */
export function searchFor(query: string): Place {
  return { view: 'search', query, filters: noFilters }
}

/** The place that a suggestion leads to. */
export function placeOfSuggestion({ kind, text, sdu, handle, topic }: Suggestion): Place {
  if (kind === 'person' && sdu !== null) return { view: 'person', sdu }
  if (kind === 'handle' && handle !== null) return { view: 'network', handle }
  return searchFor(topic ?? text)
}

const referencePath = '/docs'

/** The place and the snapshot that an address names. */
export function visitAt(pathname: string, search: string): Visit {
  const given = new URLSearchParams(search)
  const snapshotId = given.get('snapshot') ?? ''
  return { place: placeOf(pathname, given), snapshotId }
}

function placeOf(pathname: string, given: URLSearchParams): Place {
  if (pathname === referencePath) return { view: 'reference' }
  const query = given.get('q')
  if (query !== null) return { view: 'search', query, filters: filtersOf(given) }
  const sdu = given.get('person')
  if (sdu !== null) return { view: 'person', sdu }
  const handle = given.get('network')
  if (handle !== null) return { view: 'network', handle }
  const typed = given.get('topics')
  if (typed !== null) return { view: 'topics', typed }
  return { view: 'home' }
}

function filtersOf(given: URLSearchParams): ListFilters {
  return filtersFrom(
    (name) => given.getAll(name),
    (name) => wholeNumber(given.get(name), numberFilters[name].most),
  )
}

function filtersFrom(
  listOf: (name: ListFilter) => readonly string[],
  numberOf: (name: NumberFilter) => number,
): ListFilters {
  const lists = listNames.map((name) => [name, listOf(name)] as const)
  const numbers = numberNames.map((name) => [name, numberOf(name)] as const)
  return Object.fromEntries([...lists, ...numbers]) as unknown as ListFilters
}

/** A typed whole number above 0, limited to `max`; 0 for any other text. */
export function wholeNumber(text: string | null, max: number): number {
  const number = Number(text?.trim())
  return Number.isInteger(number) && number > 0 ? Math.min(number, max) : 0
}

/** The address of a place. */
export function addressOf({ place, snapshotId }: Visit): string {
  const pairs = pairsOf(place)
  if (snapshotId !== '') pairs.push(['snapshot', snapshotId])
  const path = place.view === 'reference' ? referencePath : '/'
  const query = new URLSearchParams(pairs).toString()
  return query === '' ? path : `${path}?${query}`
}

function pairsOf(place: Place): [string, string][] {
  switch (place.view) {
    case 'home':
    case 'reference':
      return []
    case 'search':
      return [['q', place.query], ...filterPairs(place.filters)]
    case 'person':
      return [['person', place.sdu]]
    case 'network':
      return [['network', place.handle]]
    case 'topics':
      return [['topics', place.typed]]
  }
}

/** Filters as parameters, which the API spells as the addresses do. */
export function filterPairs(filters: ListFilters): [string, string][] {
  const lists = listNames.flatMap((name) =>
    filters[name].map((value): [string, string] => [name, value]),
  )
  const numbers = numberNames.map((name): [string, string] => [name, String(filters[name])])
  return [...lists, ...numbers.filter(([, value]) => value !== '0')]
}

/** The filters with a value added if it is missing, or removed if it is there. */
export function withToggledFilter(
  filters: ListFilters,
  name: ListFilter,
  value: string,
): ListFilters {
  const values = filters[name]
  const others = values.filter((each) => each !== value)
  return { ...filters, [name]: others.length < values.length ? others : [...values, value] }
}

/** Whether two visits show the same, in any snapshot. */
export function isSamePlace(one: Place, other: Place): boolean {
  return addressOf({ place: one, snapshotId: '' }) === addressOf({ place: other, snapshotId: '' })
}
