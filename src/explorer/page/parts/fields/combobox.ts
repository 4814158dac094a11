/**
 * The state of a field with suggestions: its text, the suggestions, the selection, and the effect of each
 * key (ARIA, combobox pattern).
 */
import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks'
import type { AnswerEnvelope, Suggestion } from '../../model/answers.ts'
import { type Choosing, closed, effectOf, opened } from '../../model/choosing.ts'
import { suggestionsQuery } from '../../model/requests.ts'
import { noOffer, Suggesting } from '../../model/suggesting.ts'
import { countText } from '../../model/wording.ts'
import { useSession } from '../../page-session.ts'

/** Options of a combobox. */
interface ComboboxOptions {
  /** Initial text; whenever it changes, it replaces the text of the field. */
  readonly typed: string
  readonly onAccept: (suggestion: Suggestion) => void
  /** Takes the typed text. */
  readonly onSubmit: (text: string) => void
}

export function useCombobox({ typed, onAccept, onSubmit }: ComboboxOptions) {
  const [text, setText] = useState(typed)
  const [choosing, setChoosing] = useState<Choosing>(closed)
  const { offer, suggest } = useOffer()
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
    suggest(value)
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

/** The suggestions for the text that was typed last. */
function useOffer() {
  const { ask, seen, key } = useSession()
  const [offer, setOffer] = useState(noOffer)
  const suggesting = useMemo(
    () =>
      new Suggesting({
        ask: (typed, signal) => ask<AnswerEnvelope<Suggestion>>(suggestionsQuery(typed), signal),
        seen: (typed) => seen<AnswerEnvelope<Suggestion>>(suggestionsQuery(typed)),
        onOffer: setOffer,
      }),
    [ask, seen],
  )
  // An answer for another key, or for a field that is gone, is dropped.
  useEffect(() => () => suggesting.want(''), [suggesting])
  const suggest = (text: string) => suggesting.want(key === '' ? '' : text)
  return { offer, suggest }
}

function useCountAnnouncement(suggestions: readonly Suggestion[], isOpen: boolean): void {
  const { announce } = useSession()
  useEffect(() => {
    if (!isOpen) return
    announce(`${countText(suggestions.length, 'suggestion', 'suggestions')}, use the arrow keys`)
  }, [suggestions, isOpen, announce])
}
