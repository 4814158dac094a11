/** The form for a key, of any page: it hands on the typed key, and whether to keep it. It keeps nothing itself. */
import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'

interface Props {
  readonly label: string
  /** The beginning of such a key. */
  readonly placeholder: string
  readonly keepText: string
  /** Whether the key is kept unless the person says otherwise. */
  readonly keepsFirst: boolean
  readonly onTyped: (key: string, keeps: boolean) => void
  /** Note on the ways to get such a key. */
  readonly children: ComponentChildren
}

export function KeyEntry({ label, placeholder, keepText, keepsFirst, onTyped, children }: Props) {
  const [typed, setTyped] = useState('')
  const [keeps, setKeeps] = useState(keepsFirst)
  const id = useId()
  return (
    <form
      class="key-form"
      onSubmit={(event) => {
        event.preventDefault()
        if (typed.trim() !== '') onTyped(typed.trim(), keeps)
      }}
    >
      <label for={id}>{label}</label>
      <div class="joined">
        <input
          id={id}
          type="password"
          autocomplete="off"
          spellcheck={false}
          placeholder={placeholder}
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <button type="submit" class="main-action">
          Use it
        </button>
      </div>
      <label class="check">
        <input
          type="checkbox"
          checked={keeps}
          onChange={({ currentTarget }) => setKeeps(currentTarget.checked)}
        />
        {keepText}
      </label>
      <p class="muted small">{children}</p>
    </form>
  )
}
