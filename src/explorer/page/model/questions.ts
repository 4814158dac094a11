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

/** A person in a list. */
export type Person = Schemas['Summary'] & Pick<Schemas['Profile'], 'authority_score'>

/** A page of people, with what was understood and counted. */
export type PeoplePage = Page<Person> & Schemas['SearchPage']

const pageSize = 20
const peersMax = 50
const topicsMax = 50
const suggestionsMax = 9

/** Options of a call for a page: its cursor unless it is the first. */
export type PageOptions = CallOptions & { readonly cursor?: string | undefined }

/** A page of a search with its facets and explanations. */
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

/** The peers of a handle, with the explanations that name who endorses whom. */
export function askPeers(
  client: AuthorityIndex,
  handle: string,
  options: CallOptions,
): PagePromise<Person> {
  const params = { limit: peersMax, fields: [...fields], explain: true, ...options }
  return client.peers(handle, params) as unknown as PagePromise<Person>
}

/** A page of topics: all, or those that begin with a text. */
export function askTopics(
  client: AuthorityIndex,
  typed: string,
  options: PageOptions,
): PagePromise<Schemas['Topic']> {
  return client.topics({ limit: topicsMax, query: typed === '' ? undefined : typed, ...options })
}

/** Suggestions for a text that is being typed. */
export function askSuggestions(client: AuthorityIndex, typed: string, options: CallOptions) {
  return client.autocomplete(typed, { limit: suggestionsMax, ...options })
}
