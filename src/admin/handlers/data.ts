/**
 * The handlers of the operations on snapshots. Their files lie beside the ledger, so the audit log has the change
 * before it is made, and a second entry if it failed; each can be made again with the same result.
 */
import { noted } from '../../ledger/noted.ts'
import { Refusal } from '../../problems.ts'
import { directoryStore, loadForAnswers } from '../../snapshot/store/directory.ts'
import { readHeldBack } from '../../snapshot/store/held-back.ts'
import { isReleased, releaseHeldBack } from '../../snapshot/store/released.ts'
import { findSnapshot } from '../../snapshot/store/store.ts'
import { announceStored } from '../../sync/announcing.ts'
import { withDirectoryLock } from '../../sync/directory-lock.ts'
import { handler } from '../handler.ts'

/** The handlers by the names of the operations. */
export const dataHandlers = {
  listSnapshots: handler(
    'listSnapshots',
    ({ snapshots }) => directoryStore(snapshots).list(),
    (stored) => ({
      results: stored.map(({ id, bytes, publishedAt, header, current, pinned }) => ({
        ...{ snapshot_id: id, bytes, published: publishedAt, current, pinned },
        authorities: header?.counts.authorities ?? null,
      })),
    }),
  ),
  announceSnapshot: handler(
    'announceSnapshot',
    async ({ books, snapshots, clock, params }) => {
      const store = directoryStore(snapshots)
      const { id } = await findSnapshot(store, params.snapshot_id)
      const before = { current: (await store.pointers()).current ?? null }
      const what = { action: 'snapshot.announce', subject: id, before, after: { current: id } }
      return noted(books, what, () => announceStored(snapshots, id, clock))
    },
    ({ id, announced }) => ({ snapshot_id: id, changed: announced }),
  ),
  pinSnapshot: handler(
    'pinSnapshot',
    async ({ books, snapshots, params }) => {
      const store = directoryStore(snapshots)
      const { id } = await findSnapshot(store, params.snapshot_id)
      const { pinned = null } = await store.pointers()
      const what = {
        action: 'snapshot.pin',
        subject: id,
        before: { pinned },
        after: { pinned: id },
      }
      return noted(books, what, () =>
        withDirectoryLock(snapshots, async () => {
          // Pinning a snapshot that no service would take would hold services on the one they have by accident.
          loadForAnswers(snapshots, id)
          await store.pin(id)
          return { id, changed: pinned !== id }
        }),
      )
    },
    ({ id, changed }) => ({ snapshot_id: id, changed }),
  ),
  unpinSnapshot: handler(
    'unpinSnapshot',
    async ({ books, snapshots }) => {
      const store = directoryStore(snapshots)
      const { pinned = null } = await store.pointers()
      const states = { before: { pinned }, after: { pinned: null } }
      const what = { action: 'snapshot.unpin', subject: pinned ?? '', ...states }
      return noted(books, what, async () => ({ changed: await store.unpin() }))
    },
    ({ changed }) => ({ snapshot_id: null, changed }),
  ),
  getHeldBack: handler(
    'getHeldBack',
    async ({ snapshots }) => {
      return { heldBack: readHeldBack(snapshots), released: isReleased(snapshots) }
    },
    ({ heldBack, released }) => ({
      held_back: heldBack
        ? {
            reason: heldBack.reason,
            at: heldBack.at,
            source_fingerprint: heldBack.sourceFingerprint,
          }
        : null,
      released,
    }),
  ),
  releaseHeldBack: handler(
    'releaseHeldBack',
    ({ books, snapshots, body: { source_fingerprint: source } }) => {
      const states = { before: { released: isReleased(snapshots) }, after: { released: true } }
      const what = { action: 'sync.release', subject: source.slice(0, 128), ...states }
      return noted(books, what, async () => {
        if (releaseHeldBack(snapshots, source)) return {}
        throw new Refusal('held-back', 'no sync of this source is held back (any more)')
      })
    },
    () => ({ released: true as const }),
  ),
}
