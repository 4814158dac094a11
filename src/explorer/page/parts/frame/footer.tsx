/** What stands below every view: which data answered. */
import { shownSnapshotId } from '../../model/session-log.ts'
import { shortId } from '../../model/wording.ts'
import { useTold } from '../../page-session.ts'

export function Footer() {
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
      <span>
        <a href="/openapi.json">OpenAPI</a>
      </span>
    </footer>
  )
}
