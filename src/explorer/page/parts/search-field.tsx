/**
 * The search field (ARIA, combobox with a list): a suggestion leads to its place at once, a typed text is searched for.
 */
import { useEffect, useId, useRef } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { addressOf, placeOfSuggestion, searchFor } from '../model/address.ts'
import { useCombobox } from './combobox.ts'
import { optionId, SuggestionList } from './suggestion-list.tsx'

interface Props {
  readonly typed: string
  readonly isLarge?: boolean
}

export function SearchField({ typed, isLarge = false }: Props) {
  const { route } = useLocation()
  const input = useRef<HTMLInputElement>(null)
  // The focus leaves the field, so that Tab goes on to the results; the key `/` brings it back.
  const leave = () => input.current?.blur()
  const { text, offer, isOpen, index, type, close, submit, accept, onKeyDown } = useCombobox({
    typed,
    onAccept: (suggestion) => {
      leave()
      route(addressOf(placeOfSuggestion(suggestion)))
    },
    onSubmit: (query) => {
      leave()
      route(addressOf(searchFor(query)))
    },
  })
  const id = useId()
  const listId = `${id}-list`
  useFieldKey(input)
  return (
    <search class={`search-field ${isLarge ? 'large' : ''}`}>
      <div class="suggestion-field">
        <label class="unseen" for={id}>
          Search people, topics and handles
        </label>
        <div class="joined">
          <input
            ref={input}
            id={id}
            type="text"
            role="combobox"
            aria-keyshortcuts="/"
            aria-autocomplete="list"
            aria-expanded={isOpen}
            aria-controls={listId}
            aria-activedescendant={isOpen && index >= 0 ? optionId(listId, index) : undefined}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            placeholder="A topic, a name, a handle or a question ( / )"
            value={text}
            onInput={({ currentTarget }) => type(currentTarget.value)}
            onKeyDown={onKeyDown}
            onBlur={close}
          />
          <button type="button" class="main-action" onClick={submit}>
            Search
          </button>
        </div>
        <SuggestionList id={listId} isOpen={isOpen} offer={offer} index={index} onAccept={accept} />
      </div>
    </search>
  )
}

/** The key `/` moves the focus to the field, unless the person is typing. */
function useFieldKey(input: { readonly current: HTMLInputElement | null }): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? '')
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return
      event.preventDefault()
      input.current?.focus()
      input.current?.select()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [input])
}
