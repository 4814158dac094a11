/** The form in which a visitor without a key enters one. */
import { firstPlace } from '../../model/credentials.ts'
import { useSession } from '../../page-session.ts'
import { KeyEntry } from './key-entry.tsx'

export function KeyForm({ onTaken }: { onTaken?: () => void }) {
  const { takeKey, place } = useSession()
  return (
    <KeyEntry
      label="API key"
      placeholder="aik_…"
      keepText="Keep it in this browser until I forget it"
      keepsFirst={place !== 'memory' || firstPlace(location.hostname) === 'browser'}
      onTyped={(key, keeps) => {
        takeKey(key, keeps ? 'browser' : 'memory')
        onTaken?.()
      }}
    >
      The first start of the service prints a key once.{' '}
      <code>authority-index key issue --account NAME</code> makes another. It is sent to this
      service only.
    </KeyEntry>
  )
}
