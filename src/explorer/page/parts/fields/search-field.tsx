/** The search field: a suggestion leads to its place at once, a typed text is searched for. */
import { placeOfSuggestion, searchFor } from '../../model/address.ts'
import { suggestionsQuery } from '../../model/requests.ts'
import { useSession } from '../../page-session.ts'
import { SuggestionField } from './suggestion-field.tsx'

interface Props {
  readonly typed: string
  readonly isLarge?: boolean
}

export function SearchField({ typed, isLarge = false }: Props) {
  const { go } = useSession()
  return (
    <search class={`search-field ${isLarge ? 'large' : ''}`}>
      <SuggestionField
        label="Search people, topics and handles"
        placeholder="A topic, a name, a handle or a question"
        typed={typed}
        queryOf={suggestionsQuery}
        onAccept={(suggestion) => go(placeOfSuggestion(suggestion))}
        onSubmit={(query) => go(searchFor(query))}
        hasShortcut
      />
    </search>
  )
}
