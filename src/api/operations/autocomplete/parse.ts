/** A request for suggestions. */
import { type SuggestionKind, suggestionKinds } from '../../../request-parameters.ts'
import { inOrder, limitOf } from '../../parameters/meanings.ts'
import type { Parsed } from '../../parameters/pairs.ts'
import { queryParser } from '../../parameters/query-reader.ts'

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
export const parseAutocomplete = queryParser(
  'autocomplete',
  (values): Parsed<AutocompleteQuery> => {
    const limit = limitOf(values.limit)
    const kinds = inOrder(suggestionKinds, values.kinds ?? suggestionKinds)
    return { value: { kind: 'autocomplete', count: 1, typed: values.query, limit, kinds } }
  },
)
