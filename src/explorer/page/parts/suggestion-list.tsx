/** The list of suggestions for the typed text. */
import type { Schemas } from '../../../client/client.ts'
import { countText, isolated } from '../model/wording.ts'
import type { Offer } from './combobox.ts'

interface Props {
  readonly id: string
  readonly isOpen: boolean
  readonly offer: Offer
  /** Index of the chosen suggestion; -1 for none. */
  readonly index: number
  readonly onAccept: (suggestion: Schemas['Suggestion']) => void
}

export function SuggestionList({ id, isOpen, offer, index, onAccept }: Props) {
  return (
    <div
      id={id}
      class="suggestions"
      role="listbox"
      aria-label={`Suggestions for ${offer.typed}`}
      hidden={!isOpen}
    >
      {offer.suggestions.map((suggestion, at) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field
        <div
          key={`${suggestion.kind} ${suggestion.text} ${suggestion.sdu}`}
          id={optionId(id, at)}
          role="option"
          tabIndex={-1}
          aria-selected={at === index}
          class="suggestion"
          // Otherwise the field would lose the focus, and the list would close before the click.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onAccept(suggestion)}
        >
          <span class="muted small">{kindTexts[suggestion.kind]}</span>
          <span class="cut">{isolated(suggestion.text)}</span>
          <span class="muted small cut">{aboutText(suggestion)}</span>
        </div>
      ))}
    </div>
  )
}

export function optionId(listId: string, index: number): string {
  return `${listId}-${index}`
}

const kindTexts = { topic: 'Topic', person: 'Person', handle: 'Handle' } as const

function aboutText({ topic, kind, authorities }: Schemas['Suggestion']): string {
  if (kind !== 'topic') return isolated(topic ?? '')
  return authorities === null ? '' : countText(authorities, 'person', 'people')
}
