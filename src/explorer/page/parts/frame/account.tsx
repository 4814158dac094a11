/** The account that pays: its balance, its key in short, and the way to another key. */
import { useEffect, useState } from 'preact/hooks'
import { type KeyPlace, shownKey } from '../../model/credentials.ts'
import { usdText } from '../../model/wording.ts'
import { useSession, useTold } from '../../page-session.ts'
import { KeyForm } from '../keys/key-form.tsx'

const placeTexts: Readonly<Record<KeyPlace, string>> = {
  browser: 'Kept in this browser, also for new tabs, until you forget it.',
  tab: 'Kept in this tab until it is closed.',
  memory: 'In memory only: gone when this page is left or loaded anew.',
}

export function AccountPanel() {
  const { key, place, takeKey, visit } = useSession()
  const { balanceUsd } = useTold()
  const [isOpen, setOpen] = useState(false)
  // A visit of another place closes the panel.
  useEffect(() => setOpen(false), [visit])
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
            <div class="actions">
              <button
                type="button"
                onClick={() => takeKey(key, place === 'browser' ? 'tab' : 'browser')}
              >
                {place === 'browser' ? 'Keep it in this tab only' : 'Keep it in this browser'}
              </button>
              <button type="button" onClick={() => takeKey('')}>
                Forget the key
              </button>
            </div>
          </>
        )}
      </section>
    </div>
  )
}
