/** A request for suggestions. */
import type { SuggestionKind } from '../../../request-parameters.ts'
import type { ActiveSnapshot } from '../../active-snapshot.ts'
import type { Parsed } from '../../parameters/pairs.ts'
import { parseParameters } from '../../parameters/parameters.ts'

/** A parsed request for suggestions. */
export interface AutocompleteQuery {
  readonly kind: 'autocomplete'
  readonly count: 1
  /** The text that was typed so far. */
  readonly typed: string
  readonly limit: number
  readonly kinds: readonly SuggestionKind[]
}

/** Parses a query string. */
export function parseAutocomplete(
  query: string,
  served: ActiveSnapshot,
): Parsed<AutocompleteQuery> {
  const { value: values, problem } = parseParameters('autocomplete', query, served)
  if (problem !== undefined) return { problem }
  const { query: typed, limit, kinds } = values
  return { value: { kind: 'autocomplete', count: 1, typed, limit, kinds } }
}
