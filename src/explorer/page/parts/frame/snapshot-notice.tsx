/**
 * A notice when the index has moved on, since the page was answered or since its address was created.
 */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Visit } from '../../model/address.ts'
import { isOutdated, shownSnapshotId } from '../../model/session-log.ts'
import { shortId } from '../../model/wording.ts'
import { useSession, useTold } from '../../page-session.ts'

export function SnapshotNotice() {
  const { visit, go } = useSession()
  const told = useTold()
  const [understood, setUnderstood] = useState<Visit>()
  const { place, snapshotId: named } = visit
  // The reference does not depend on the snapshot.
  if (place.view === 'reference') return null
  if (isOutdated(told)) {
    return (
      <Notice>
        The index has moved on to snapshot <code>{shortId(told.snapshotId)}</code>: what is shown is
        from before.{' '}
        <button type="button" class="plain" onClick={() => go(place)}>
          Show it anew
        </button>
      </Notice>
    )
  }
  const shownId = shownSnapshotId(told)
  if (understood === visit || named === '' || shownId === '' || named === shownId) return null
  return (
    <Notice>
      This address was seen in snapshot <code>{shortId(named)}</code>. The index has moved on: what
      is shown is from <code>{shortId(shownId)}</code>.{' '}
      <button type="button" class="plain" onClick={() => setUnderstood(visit)}>
        Understood
      </button>
    </Notice>
  )
}

function Notice({ children }: { children: ComponentChildren }) {
  return (
    <aside class="notice" aria-label="Another snapshot">
      {children}
    </aside>
  )
}
