/**
 * A field that offers something while somebody types (ARIA, combobox with a list). One request is on
 * its way at a time: what was typed meanwhile is asked for when it is back. So nobody who types fast
 * asks more often than the service answers.
 */
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { Envelope, Suggestion } from '../../model/answers.ts'
import { type Choosing, closed, effectOf, opened } from '../../model/choosing.ts'
import type { ApiQuery } from '../../model/requests.ts'
import { countText, scoreText } from '../../model/wording.ts'
import { useSession } from '../../page-session.ts'

interface Props {
  readonly label: string
  readonly isLabelSeen?: boolean
  readonly placeholder: string
  /** What stands in it at first, and whenever that is another. */
  readonly typed: string
  /** What is asked for what was typed. */
  readonly queryOf: (typed: string) => ApiQuery
  readonly onAccept: (suggestion: Suggestion) => void
  /** Takes what was typed; absent where only what is offered can be taken. */
  readonly onSubmit?: (text: string) => void
  readonly hasShortcut?: boolean
}

export function SuggestionField(props: Props) {
  const { label, isLabelSeen = false, placeholder, typed, onSubmit } = props
  const { announce } = useSession()
  const [text, setText] = useState(typed)
  const [choosing, setChoosing] = useState<Choosing>(closed)
  const { suggestions, suggest } = useSuggestions(props.queryOf)
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  useEffect(() => setText(typed), [typed])
  useFieldKey(input, props.hasShortcut === true)
  const isOpen = choosing.isOpen && suggestions.length > 0
  useEffect(() => {
    if (!isOpen) return
    announce(`${countText(suggestions.length, 'suggestion', 'suggestions')}, use the arrow keys`)
  }, [suggestions, isOpen, announce])

  const submit = () => {
    setChoosing(closed)
    if (text.trim() !== '') onSubmit?.(text.trim())
  }
  const accept = (suggestion: Suggestion) => {
    setChoosing(closed)
    setText('')
    input.current?.blur()
    props.onAccept(suggestion)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const effect = effectOf(event.key, choosing, suggestions.length)
    if (effect.kind === 'none') return
    event.preventDefault()
    if (effect.kind === 'choose') setChoosing(effect.choosing)
    else if (effect.kind === 'accept') accept(suggestions[effect.index]!)
    else if (effect.kind === 'submit') submit()
    else setText('')
  }
  const chosen = isOpen && choosing.index >= 0 ? `${id}-${choosing.index}` : undefined
  return (
    <div class="suggestion-field">
      <label class={isLabelSeen ? '' : 'unseen'} for={id}>
        {label}
      </label>
      <div class="joined">
        <input
          ref={input}
          id={id}
          type="text"
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={isOpen}
          aria-controls={`${id}-list`}
          aria-activedescendant={chosen}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          placeholder={placeholder}
          value={text}
          onInput={({ currentTarget: { value } }) => {
            setText(value)
            setChoosing(opened)
            suggest(value)
          }}
          onKeyDown={onKeyDown}
          onBlur={() => setChoosing(closed)}
        />
        {props.hasShortcut === true && <kbd title="The key that leads here">/</kbd>}
        {onSubmit !== undefined && (
          <button type="button" class="main-action" onClick={submit}>
            Search
          </button>
        )}
      </div>
      <SuggestionList
        id={id}
        isOpen={isOpen}
        suggestions={suggestions}
        index={choosing.index}
        onAccept={accept}
      />
    </div>
  )
}

interface ListProps {
  readonly id: string
  readonly isOpen: boolean
  readonly suggestions: readonly Suggestion[]
  readonly index: number
  readonly onAccept: (suggestion: Suggestion) => void
}

const kindTexts = { topic: 'Topic', person: 'Person', handle: 'Handle' } as const

function SuggestionList({ id, isOpen, suggestions, index, onAccept }: ListProps) {
  return (
    <div
      id={`${id}-list`}
      class="suggestions"
      role="listbox"
      aria-label="Suggestions"
      hidden={!isOpen}
    >
      {suggestions.map((suggestion, at) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field
        <div
          key={`${suggestion.kind} ${suggestion.text} ${suggestion.sdu}`}
          id={`${id}-${at}`}
          role="option"
          tabIndex={-1}
          aria-selected={at === index}
          class={`suggestion kind-${suggestion.kind}`}
          // Before the field loses the focus, and the list goes.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onAccept(suggestion)}
        >
          <span class="kind">{kindTexts[suggestion.kind]}</span>
          <span class="what">{suggestion.text}</span>
          <span class="about muted">{aboutText(suggestion)}</span>
        </div>
      ))}
    </div>
  )
}

function aboutText({ kind, name, topic, authorities, authority_score: score }: Suggestion): string {
  if (kind === 'topic')
    return authorities === null ? '' : countText(authorities, 'person', 'people')
  const about = kind === 'handle' ? name : topic
  return [about, score === null ? '' : scoreText(score)].filter(Boolean).join(' · ')
}

/** What is offered for what was asked for last. */
function useSuggestions(queryOf: Props['queryOf']) {
  const { ask, key } = useSession()
  const [suggestions, setSuggestions] = useState<readonly Suggestion[]>([])
  const state = useRef({ wanted: '', isAsking: false })
  const suggest = (typed: string) => {
    state.current.wanted = typed.trim()
    if (key !== '' && !state.current.isAsking) void askOn()
  }
  const askOn = async () => {
    state.current.isAsking = true
    for (let asked: string | undefined; asked !== state.current.wanted; ) {
      asked = state.current.wanted
      setSuggestions(asked === '' ? [] : await askFor(asked))
    }
    state.current.isAsking = false
  }
  const askFor = async (typed: string) => {
    const outcome = await ask<Envelope<Suggestion>>(queryOf(typed))
    return outcome.kind === 'answer' ? outcome.json.results : []
  }
  return { suggestions, suggest }
}

/** The key `/` goes to the field from wherever nobody types. */
function useFieldKey(input: { readonly current: HTMLInputElement | null }, isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return
    const onKey = (event: KeyboardEvent) => {
      const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? '')
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return
      event.preventDefault()
      input.current?.focus()
      input.current?.select()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [input, isOn])
}
