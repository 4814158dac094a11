/** The footer of every view: the snapshot that answered, and the operator. */

import { shownKey } from '../../model/credentials.ts'
import { shownSnapshotId } from '../../model/session-log.ts'
import { shortId } from '../../model/wording.ts'
import { contactsOfPage } from '../../page-contacts.ts'
import { useSession, useTold } from '../../page-session.ts'

export function Footer() {
  const contacts = contactsOfPage()
  const { key, place, takeKey } = useSession()
  const snapshotId = shownSnapshotId(useTold())
  return (
    <footer class="foot muted small">
      {snapshotId === '' ? (
        <span>Authority Index</span>
      ) : (
        <span>
          Answered from snapshot <code title={snapshotId}>{shortId(snapshotId)}</code>
        </span>
      )}
      {contacts.map(({ name, address, target }) => (
        <span key={name}>
          {name}: <a href={target}>{address}</a>
        </span>
      ))}
      {key !== '' && place === 'browser' && (
        <span>
          Key <code>{shownKey(key)}</code> kept in this browser:{' '}
          <button type="button" class="plain small" onClick={() => takeKey('')}>
            forget it
          </button>
        </span>
      )}
      <span>
        <a href="/openapi.json">OpenAPI</a>
      </span>
    </footer>
  )
}
