/** The form in which a visitor without a key enters one. */
import { useId, useState } from 'preact/hooks'
import { firstPlace } from '../model/credentials.ts'
import { useSession } from '../session.tsx'

export function KeyForm({ onTaken }: { onTaken?: () => void }) {
  const { takeKey } = useSession()
  const [typed, setTyped] = useState('')
  const [keeps, setKeeps] = useState(() => firstPlace(location.hostname) === 'browser')
  const id = useId()
  return (
    <form
      class="key-form"
      onSubmit={(event) => {
        event.preventDefault()
        if (typed.trim() === '') return
        takeKey(typed.trim(), keeps ? 'browser' : 'tab')
        onTaken?.()
      }}
    >
      <label for={id}>API key</label>
      <div class="joined">
        <input
          id={id}
          type="password"
          autocomplete="off"
          spellcheck={false}
          placeholder="aik_…"
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
        Keep it in this browser until I forget it
      </label>
      <p class="muted small">
        The first start of the service prints a key once.{' '}
        <code>authority-index key issue --account NAME</code> makes another. It is sent to this
        service only.
      </p>
    </form>
  )
}
