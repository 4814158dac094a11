/** A field with suggestions for the typed text (ARIA, combobox with a list). */
import { useEffect, useId, useRef } from 'preact/hooks'
import type { Offer } from '../../model/suggesting.ts'
import { Trouble } from '../states.tsx'
import { type ComboboxOptions, useCombobox } from './combobox.ts'
import { optionId, SuggestionList } from './suggestion-list.tsx'

interface Props extends ComboboxOptions {
  readonly label: string
  readonly isLabelSeen?: boolean
  readonly placeholder: string
  readonly hasShortcut?: boolean
  /** Whether it takes the focus when it appears. */
  readonly isFirstFocus?: boolean
}

export function SuggestionField(props: Props) {
  const { label, isLabelSeen = false, placeholder, onSubmit, hasShortcut = false } = props
  const input = useRef<HTMLInputElement>(null)
  const onAccept: Props['onAccept'] = (suggestion) => {
    input.current?.blur()
    props.onAccept(suggestion)
  }
  // The focus leaves the field, so that Tab goes on to the results; the key `/` brings it back.
  const onSubmitted: Props['onSubmit'] =
    onSubmit &&
    ((typed) => {
      input.current?.blur()
      onSubmit(typed)
    })
  const { text, offer, isOpen, index, type, close, submit, accept, onKeyDown, again } = useCombobox(
    { ...props, onAccept, ...(onSubmitted && { onSubmit: onSubmitted }) },
  )
  const id = useId()
  const listId = `${id}-list`
  useFieldKey(input, hasShortcut)
  useEffect(() => {
    if (props.isFirstFocus) input.current?.focus()
  }, [])
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
          aria-controls={listId}
          aria-activedescendant={isOpen && index >= 0 ? optionId(listId, index) : undefined}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          placeholder={placeholder}
          value={text}
          onInput={({ currentTarget }) => type(currentTarget.value)}
          onKeyDown={onKeyDown}
          onBlur={close}
        />
        {hasShortcut && <kbd title="The key that leads here">/</kbd>}
        {onSubmit !== undefined && (
          <button type="button" class="main-action" onClick={submit}>
            Search
          </button>
        )}
      </div>
      <SuggestionList id={listId} isOpen={isOpen} offer={offer} index={index} onAccept={accept} />
      {/* What is not offered can be searched for, but not chosen. */}
      {onSubmit === undefined && <NothingOffered offer={offer} again={again} />}
    </div>
  )
}

function NothingOffered({ offer, again }: { offer: Offer; again: () => void }) {
  const { typed, suggestions, trouble } = offer
  if (trouble !== undefined) return <Trouble asked={trouble} again={again} />
  if (typed === '' || suggestions.length > 0) return null
  return <p class="muted small">Nothing is offered for {typed}.</p>
}

/** The key `/` moves the focus to the field, unless the person is typing. */
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
