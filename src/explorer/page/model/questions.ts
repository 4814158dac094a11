/** What the views ask the client for. */
import type {
  AuthorityIndex,
  CallOptions,
  Page,
  PagePromise,
  Schemas,
} from '../../../client/client.ts'
import { type ListFilters, listNames } from './address.ts'

/** Fields of a person in a list: all that cost no more than the query. */
const fields = ['sdu', 'name', 'rank', 'country_name', 'topic', 'authority_score'] as const

export type Person = Schemas['Summary'] & Pick<Schemas['Profile'], 'authority_score'>

export type PeoplePage = Page<Person> & Schemas['SearchPage']

const pageSize = 20
const peersMax = 50
const topicsMax = 50
const suggestionsMax = 9

export type PageOptions = CallOptions & { readonly cursor?: string | undefined }

export function askSearch(
  client: AuthorityIndex,
  query: string,
  { score_min: score, followers_min: followers, ...lists }: ListFilters,
  options: PageOptions,
): PagePromise<Person, PeoplePage> {
  const chosen = listNames.map((name) => [name, [...lists[name]]] as const)
  return client.search(query, {
    limit: pageSize,
    ...Object.fromEntries(chosen),
    score_min: score || undefined,
    followers_min: followers || undefined,
    fields: [...fields],
    facets: listNames,
    explain: true,
    ...options,
  }) as unknown as PagePromise<Person, PeoplePage>
}

export function askPeers(
  client: AuthorityIndex,
  handle: string,
  options: CallOptions,
): PagePromise<Person> {
  const params = { limit: peersMax, fields: [...fields], explain: true, ...options }
  return client.peers(handle, params) as unknown as PagePromise<Person>
}

export function askTopics(
  client: AuthorityIndex,
  typed: string,
  options: PageOptions,
): PagePromise<Schemas['Topic']> {
  return client.topics({ limit: topicsMax, query: typed === '' ? undefined : typed, ...options })
}

export function askSuggestions(client: AuthorityIndex, typed: string, options: CallOptions) {
  return client.autocomplete(typed, { limit: suggestionsMax, ...options })
}
