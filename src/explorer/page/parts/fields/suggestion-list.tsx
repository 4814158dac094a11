/** The list of suggestions for the typed text. */
import type { Suggestion } from '../../model/answers.ts'
import type { Offer } from '../../model/suggesting.ts'
import { countText, isolated, scoreText } from '../../model/wording.ts'

interface Props {
  readonly id: string
  readonly isOpen: boolean
  readonly offer: Offer
  /** Index of the chosen suggestion; -1 for none. */
  readonly index: number
  readonly onAccept: (suggestion: Suggestion) => void
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
          class={`suggestion kind-${suggestion.kind}`}
          // Otherwise the field would lose the focus, and the list would close before the click.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onAccept(suggestion)}
        >
          <span class="kind">{kindTexts[suggestion.kind]}</span>
          <span class="what">{isolated(mainText(suggestion))}</span>
          <span class="about muted">{aboutText(suggestion)}</span>
        </div>
      ))}
    </div>
  )
}

/** The id of an option of a list. */
export function optionId(listId: string, index: number): string {
  return `${listId}-${index}`
}

const kindTexts = { topic: 'Topic', person: 'Person', handle: 'Handle' } as const

/** People read names: a handle with an owner is shown by it. */
function mainText({ kind, text, name }: Suggestion): string {
  return kind === 'handle' ? (name ?? text) : text
}

function aboutText(suggestion: Suggestion): string {
  const { kind, text, topic, authorities, authority_score: score } = suggestion
  if (kind === 'topic')
    return authorities === null ? '' : countText(authorities, 'person', 'people')
  const about = kind === 'handle' ? (mainText(suggestion) === text ? '' : text) : topic
  return [isolated(about ?? ''), score === null ? '' : scoreText(score)].filter(Boolean).join(' · ')
}
