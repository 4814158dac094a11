/** Says so when an address was seen in another snapshot than the one that answers now. */
import type { Visit } from '../../model/address.ts'
import { shortId } from '../../model/wording.ts'
import { useSession } from '../../page-session.ts'

export function SnapshotNotice({ opened }: { opened: Visit }) {
  const { snapshotId, go, visit } = useSession()
  const { snapshotId: named } = opened
  if (named === '' || snapshotId === '' || named === snapshotId) return null
  return (
    <aside class="notice" aria-label="Another snapshot">
      This address was seen in snapshot <code>{shortId(named)}</code>. The index has moved on: what
      is shown is from <code>{shortId(snapshotId)}</code>.{' '}
      <button type="button" class="plain" onClick={() => go(visit.place, true)}>
        Understood
      </button>
    </aside>
  )
}
