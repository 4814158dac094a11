/** A search: its text, and what the answer is to show of those whom it finds. */
import { limits } from '../../../limits.ts'
import { type FieldName, holdsProfile } from '../../../request-parameters.ts'
import { fastTail, firstEnd } from '../../parameters/fast-parse.ts'
import { type Explain, limitOf, shownOf } from '../../parameters/meanings.ts'
import { decoded, type Parsed } from '../../parameters/pairs.ts'
import { queryParser } from '../../parameters/query-reader.ts'
import { type PageQuery, parsePage } from '../lists/page-query.ts'

/** A parsed search. */
export interface SearchQuery {
  readonly kind: 'search'
  readonly count: 1
  readonly text: string
  readonly limit: number
  readonly explain: Explain
  /** The fields of each item; undefined for summaries. */
  readonly fields: readonly FieldName[] | undefined
  /** Whether another word for a topic finds its members. */
  readonly related: boolean
  /** Undefined if only the first items are wanted, without filters. */
  readonly page: PageQuery | undefined
}

/** Parses a query string. */
export const parseSearch = queryParser('search', (values, { cursors }): Parsed<SearchQuery> => {
  const { query: text, related } = values
  // A cursor goes on in the list that it was made for.
  const list = related ? ['search', text] : ['search', text, 'unrelated']
  const page = parsePage(list, values, cursors)
  if (page.problem !== undefined) return page
  const limit = limitOf(values.limit)
  const shown = shownOf(values)
  return { value: { kind: 'search', count: 1, text, limit, ...shown, related, page: page.value } }
})

/** The most profiles that an answer has. */
export function searchedProfilesMax({ fields, limit }: SearchQuery): number {
  return holdsProfile(fields) ? limit : 0
}

const queryIs = 'query='

/** Parses a text that comes first, and a limit and fields behind it. */
export function fastParseSearch(query: string): SearchQuery | undefined {
  if (!query.startsWith(queryIs)) return undefined
  const end = firstEnd(query)
  const tail = fastTail(query, end)
  const text = decoded(query.slice(queryIs.length, end))?.trim()
  if (tail === undefined || text === undefined || text === '') return undefined
  if (text.length > limits.queryCharactersMax) return undefined
  const { limit, fields } = tail
  const related = true
  const page = undefined
  return { kind: 'search', count: 1, text, limit, explain: 'nothing', fields, related, page }
}
