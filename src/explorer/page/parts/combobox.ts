/**
 * The state of a field with suggestions: its text, the suggestions, the selection, and the effect of each
 * key (ARIA, combobox pattern).
 */
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import type { Schemas } from '../../../client/client.ts'
import { type Choosing, closed, effectOf, opened } from '../model/choosing.ts'
import { askSuggestions } from '../model/questions.ts'
import { countText } from '../model/wording.ts'
import { announce, useSession } from '../session.tsx'

type Suggestion = Schemas['Suggestion']

export interface Offer {
  readonly typed: string
  readonly suggestions: readonly Suggestion[]
}

const noOffer: Offer = { typed: '', suggestions: [] }

interface ComboboxOptions {
  /** Initial text; whenever it changes, it replaces the text of the field. */
  readonly typed: string
  readonly onAccept: (suggestion: Suggestion) => void
  readonly onSubmit: (text: string) => void
}

export function useCombobox({ typed, onAccept, onSubmit }: ComboboxOptions) {
  const [text, setText] = useState(typed)
  const [choosing, setChoosing] = useState<Choosing>(closed)
  const [wanted, setWanted] = useState('')
  const offer = useOffer(wanted)
  const { suggestions } = offer
  const isOpen = choosing.isOpen && suggestions.length > 0
  useEffect(() => setText(typed), [typed])
  // A choice holds for one list only. It is reset before the new list is seen, so that no later choice is lost.
  useLayoutEffect(() => setChoosing((before) => (before.isOpen ? opened : closed)), [suggestions])
  useCountAnnouncement(suggestions, isOpen)

  const close = () => setChoosing(closed)
  const type = (value: string) => {
    setText(value)
    setChoosing(opened)
    setWanted(value.trim())
  }
  const submit = () => {
    close()
    if (text.trim() !== '') onSubmit(text.trim())
  }
  const accept = (suggestion: Suggestion) => {
    type('')
    close()
    onAccept(suggestion)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const effect = effectOf(event.key, choosing, suggestions.length)
    if (effect.kind === 'none') return
    event.preventDefault()
    if (effect.kind === 'choose') setChoosing(effect.choosing)
    else if (effect.kind === 'accept') accept(suggestions[effect.index]!)
    else if (effect.kind === 'submit') submit()
    else type('')
  }
  return { text, offer, isOpen, index: choosing.index, type, close, submit, accept, onKeyDown }
}

/** The suggestions for the text that was typed last; until they are there, those for an earlier one. */
function useOffer(typed: string): Offer {
  const { client } = useSession()
  const [offer, setOffer] = useState(noOffer)
  useEffect(() => {
    if (typed === '' || client === undefined) return setOffer(noOffer)
    const connection = new AbortController()
    askSuggestions(client, typed, { signal: connection.signal }).then(
      (suggestions) => setOffer({ typed, suggestions }),
      // The text can still be searched for, and that says what is wrong.
      () => {},
    )
    return () => connection.abort()
  }, [client, typed])
  return offer
}

function useCountAnnouncement(suggestions: readonly Suggestion[], isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return
    announce(`${countText(suggestions.length, 'suggestion', 'suggestions')}, use the arrow keys`)
  }, [suggestions, isOpen])
}
