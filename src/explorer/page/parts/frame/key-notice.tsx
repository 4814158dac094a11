/** The questions about the key: its replacement by another, and its storage in the browser. */
import { useState } from 'preact/hooks'
import { shownKey } from '../../model/credentials.ts'
import { useSession } from '../../page-session.ts'

export function KeyNotice() {
  const { key, place, link, takeKey, dismissLink } = useSession()
  const [isLeft, setLeft] = useState(false)
  if (link.kind === 'other') {
    return (
      <aside class="notice" aria-label="Another key">
        <p>
          This link brings another key, <code>{shownKey(link.key)}</code>. You use{' '}
          <code>{shownKey(key)}</code>. Take it only if you trust where the link came from: its
          account then pays, and its owner sees how much.
        </p>
        <div class="actions">
          <button type="button" class="main-action" onClick={dismissLink}>
            Keep my key
          </button>
          <button type="button" onClick={() => takeKey(link.key, place)}>
            Use the other key
          </button>
        </div>
      </aside>
    )
  }
  if (key === '' || place !== 'memory' || isLeft) return null
  return (
    <aside class="notice" aria-label="Where the key is kept">
      <p>The key is in memory only: a reload or another tab asks for it again.</p>
      <div class="actions">
        <button type="button" onClick={() => takeKey(key, 'browser')}>
          Keep it in this browser
        </button>
        <button type="button" onClick={() => takeKey(key, 'tab')}>
          Keep it in this tab
        </button>
        <button type="button" class="plain" onClick={() => setLeft(true)}>
          Not now
        </button>
      </div>
    </aside>
  )
}
