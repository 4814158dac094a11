/** Addresses of the explorer: a place (what the page shows) and the address that shows it again. An address holds no key. */
import type { Schemas } from '../../../client/client.ts'

/** The filters that are lists, each with its title, in the order of the page. Any value of one is enough. */
export const listFilters = {
  topic: 'Topic',
  country: 'Country',
  platform: 'Platform',
  attribute: 'Attribute',
} as const

export type ListFilter = keyof typeof listFilters

export const numberFilters = {
  score_min: { label: 'Score at least', chip: 'score', most: 100 },
  followers_min: { label: 'Followers at least', chip: 'followers', most: 4_294_967_295 },
} as const

export type NumberFilter = keyof typeof numberFilters

/** The filters of a search, by the names of their parameters; a number that is not set is 0. */
export type ListFilters = Readonly<Record<ListFilter, readonly string[]>> &
  Readonly<Record<NumberFilter, number>>

export const listNames = Object.keys(listFilters) as ListFilter[]
export const numberNames = Object.keys(numberFilters) as NumberFilter[]

export type Place =
  | { readonly view: 'home' }
  | { readonly view: 'search'; readonly query: string; readonly filters: ListFilters }
  | { readonly view: 'person'; readonly sdu: string }
  | { readonly view: 'network'; readonly handle: string }
  | { readonly view: 'topics'; readonly typed: string }

export const noFilters = filtersOf(new URLSearchParams())

export function searchFor(query: string): Place {
  return { view: 'search', query, filters: noFilters }
}

export function placeOfSuggestion({
  kind,
  text,
  sdu,
  handle,
  topic,
}: Schemas['Suggestion']): Place {
  if (kind === 'person' && sdu !== null) return { view: 'person', sdu }
  if (kind === 'handle' && handle !== null) return { view: 'network', handle }
  return searchFor(topic ?? text)
}

/** The place that an address names. @param url path and query string. */
export function placeAt(url: string): Place {
  const given = new URL(url, 'http://page').searchParams
  const query = given.get('q')
  if (query !== null) return { view: 'search', query, filters: filtersOf(given) }
  const sdu = given.get('person')
  if (sdu !== null) return { view: 'person', sdu }
  const handle = given.get('network')
  if (handle !== null) return { view: 'network', handle }
  const typed = given.get('topics')
  return typed === null ? { view: 'home' } : { view: 'topics', typed }
}

function filtersOf(given: URLSearchParams): ListFilters {
  const lists = listNames.map((name) => [name, given.getAll(name)] as const)
  const numbers = numberNames.map(
    (name) => [name, wholeNumber(given.get(name), numberFilters[name].most)] as const,
  )
  return Object.fromEntries([...lists, ...numbers]) as unknown as ListFilters
}

/** A typed whole number above 0, limited to `max`; 0 for any other text. */
export function wholeNumber(text: string | null, max: number): number {
  const number = Number(text?.trim())
  return Number.isInteger(number) && number > 0 ? Math.min(number, max) : 0
}

export function addressOf(place: Place): string {
  const query = new URLSearchParams(pairsOf(place)).toString()
  return query === '' ? '/' : `/?${query}`
}

function pairsOf(place: Place): [string, string][] {
  switch (place.view) {
    case 'home':
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

function filterPairs(filters: ListFilters): [string, string][] {
  const lists = listNames.flatMap((name) =>
    filters[name].map((value): [string, string] => [name, value]),
  )
  const numbers = numberNames.map((name): [string, string] => [name, String(filters[name])])
  return [...lists, ...numbers.filter(([, value]) => value !== '0')]
}

export function setCount(filters: ListFilters): number {
  return filterPairs(filters).length
}

export function withToggledFilter(
  filters: ListFilters,
  name: ListFilter,
  value: string,
): ListFilters {
  const values = filters[name]
  const others = values.filter((each) => each !== value)
  return { ...filters, [name]: others.length < values.length ? others : [...values, value] }
}
