/**
 * The requests of the explorer, as values: each is known before it is sent, so the page can show it as
 * code.
 */
import { filterPairs, type ListFilters, listFilters } from './address.ts'
import type { Suggestion } from './answers.ts'

/** A request to the API, without the key. */
export interface ApiQuery {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** Parameters in their order; a name may occur several times. */
  readonly parameters: readonly (readonly [name: string, value: string])[]
  /** Body of a POST: JSON. */
  readonly body?: string
}

const get = (path: string, parameters: ApiQuery['parameters']): ApiQuery => ({
  method: 'GET',
  path,
  parameters,
})

const post = (path: string, body: object): ApiQuery => ({
  method: 'POST',
  path,
  parameters: [],
  body: JSON.stringify(body),
})

/** Fields of a person in lists and networks: all that cost no more than the query, as those of profiles do. */
const briefFields = 'sdu,name,rank,country_name,topic,authority_score'

/** Number of items on a page of a list, and maximum number of peers in a network. */
const pageSize = 20
const peersMax = 50
const suggestionsMax = 9

/** The path and query string of a request. */
export function requestTargetOf({ path, parameters }: ApiQuery): string {
  if (parameters.length === 0) return path
  const query = parameters.map(([name, value]) => `${name}=${encodeValue(value)}`).join('&')
  return `${path}?${query}`
}

/** The identity of a request: its target, and its body if it has one. */
export function requestNameOf(query: ApiQuery): string {
  return query.body === undefined
    ? requestTargetOf(query)
    : `${requestTargetOf(query)} ${query.body}`
}

/** Commas and stars are no trouble in a query string, and read better as they are. */
function encodeValue(value: string): string {
  return encodeURIComponent(value).replaceAll('%2C', ',').replaceAll('%20', '+')
}

/** A page of a search with its facets and explanations. */
export function searchQuery(
  query: string,
  filters: ListFilters,
  cursor = '*',
  size = pageSize,
): ApiQuery {
  return get('/api/v1/index', [
    ['query', query],
    ['limit', String(size)],
    ...filterPairs(filters),
    ['fields', briefFields],
    ['facets', Object.keys(listFilters).join(',')],
    ['explain', 'true'],
    ['cursor', cursor],
  ])
}

export function profileQuery(sdu: string): ApiQuery {
  return get('/api/v1/detail', [
    ['sdus', sdu],
    ['explain', 'true'],
  ])
}

/** @param topic '' for the core topic of the time. */
export function historyQuery(sdu: string, topic = ''): ApiQuery {
  const about: [string, string][] = topic === '' ? [] : [['topic', topic]]
  return get('/api/v1/history', [['sdus', sdu], ...about])
}

export function peersQuery(handle: string): ApiQuery {
  return get('/api/v1/peers', [
    ['handles', handle],
    ['limit', String(peersMax)],
    ['fields', briefFields],
    ['explain', 'true'],
  ])
}

/** The rank in a topic of the owner of a handle. */
export function rankQuery(handle: string, topic: string): ApiQuery {
  const fields = ['sdu', 'rank']
  return post('/api/v1/rank', { topic, sources: [handle], fields, explain: true })
}

export function matchQuery(handle: string): ApiQuery {
  return get('/api/v1/match', [
    ['handles', handle],
    ['fields', briefFields],
  ])
}

export function suggestionsQuery(typed: string): ApiQuery {
  return get('/api/v1/autocomplete', [
    ['query', typed],
    ['limit', String(suggestionsMax)],
  ])
}

/** Suggestions of one kind. */
export function kindQuery(typed: string, kind: Suggestion['kind']): ApiQuery {
  return get('/api/v1/autocomplete', [
    ['query', typed],
    ['kinds', kind],
    ['limit', String(suggestionsMax)],
  ])
}

export function topicsQuery(typed: string, cursor: string): ApiQuery {
  const about: [string, string][] = typed === '' ? [] : [['query', typed]]
  const place: [string, string][] = cursor === '' ? [] : [['cursor', cursor]]
  return get('/api/v1/topics', [['limit', '50'], ...about, ...place])
}

export function snapshotQuery(id: string): ApiQuery {
  return get(`/api/v1/snapshots/${encodeURIComponent(id)}`, [])
}

export function snapshotsQuery(): ApiQuery {
  return get('/api/v1/snapshots', [])
}
