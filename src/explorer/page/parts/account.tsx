/** The account that pays: its balance, its key in short, and the way to another key. */
import { useEffect, useState } from 'preact/hooks'
import { addressOf, type Place } from '../model/address.ts'
import { shownKey } from '../model/credentials.ts'
import { usdText } from '../model/wording.ts'
import { useSession } from '../session.tsx'
import { KeyForm } from './key-form.tsx'

const placeTexts = {
  browser: 'Kept in this browser, also for new tabs, until you forget it.',
  tab: 'Kept in this tab until it is closed.',
} as const

export function AccountPanel({ place: shown }: { place: Place }) {
  const { key, place, takeKey, balanceUsd } = useSession()
  const [isOpen, setOpen] = useState(false)
  // Another place closes the panel.
  useEffect(() => setOpen(false), [addressOf(shown)])
  const label = key === '' ? 'No key' : balanceUsd === undefined ? 'Key set' : usdText(balanceUsd)
  return (
    <div class="account">
      <button
        type="button"
        class="balance"
        aria-expanded={isOpen}
        aria-controls="account-panel"
        onClick={() => setOpen(!isOpen)}
      >
        {key !== '' && balanceUsd !== undefined && <span class="muted">Balance </span>}
        <span class="number">{label}</span>
      </button>
      <section id="account-panel" class="panel account-panel" aria-label="Account" hidden={!isOpen}>
        {key === '' ? (
          <KeyForm onTaken={() => setOpen(false)} />
        ) : (
          <>
            <p>
              Key <code>{shownKey(key)}</code>
              <br />
              <span class="muted">{placeTexts[place]}</span>
            </p>
            <button type="button" onClick={() => takeKey('', place)}>
              Forget the key
            </button>
          </>
        )}
      </section>
    </div>
  )
}
