/** The account that pays: its balance, its key in short, and the way to another key. */
import { useState } from 'preact/hooks'
import { shownKey } from '../../model/credentials.ts'
import { usdText } from '../../model/wording.ts'
import { useSession, useTold } from '../../page-session.ts'
import { KeyForm } from '../key-form.tsx'

export function AccountPanel() {
  const { key, isKept, takeKey } = useSession()
  const { balanceUsd } = useTold()
  const [isOpen, setOpen] = useState(false)
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
              <span class="muted">
                {isKept
                  ? 'Kept in this tab until it is closed.'
                  : 'In memory only: gone when this page is left or loaded anew.'}
              </span>
            </p>
            <div class="actions">
              <button type="button" onClick={() => takeKey(key, !isKept)}>
                {isKept ? 'Do not keep it' : 'Keep it in this tab'}
              </button>
              <button type="button" onClick={() => takeKey('', false)}>
                Forget the key
              </button>
            </div>
          </>
        )}
      </section>
    </div>
  )
}
