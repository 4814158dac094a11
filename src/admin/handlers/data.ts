/**
 * What the operations on snapshots and removals do. Their files lie beside the ledger, so the audit log has the change
 * before it is made, and a second entry where it failed; each can be made again with the same result.
 */
import { noted } from '../../ledger/noted/noted.ts'
import { Refusal } from '../../problems.ts'
import { directoryStore, loadForAnswers } from '../../snapshot/store/directory.ts'
import { readHeldBack } from '../../snapshot/store/held-back.ts'
import { isReleased, releaseHeldBack } from '../../snapshot/store/released.ts'
import { readRemovals } from '../../snapshot/store/removals.ts'
import { findSnapshot } from '../../snapshot/store/store.ts'
import { announceStored } from '../../sync/announcing.ts'
import { withDirectoryLock } from '../../sync/directory-lock.ts'
import { recordRemoval, removeEarlier, undoRemoval } from '../../sync/removals/forgetting.ts'
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
          // A snapshot that no service would take must not hold them on what they have by accident.
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
  listRemovals: handler(
    'listRemovals',
    async ({ snapshots, query: { sdu } }) => {
      const removals = readRemovals(snapshots)
      const id = sdu === undefined ? undefined : removals.idOf(sdu)
      return removals.entries.filter((entry) => id === undefined || entry.id === id)
    },
    (entries) => ({ results: entries.map(({ id, ...rest }) => ({ removal_id: id, ...rest })) }),
  ),
  addRemoval: handler(
    'addRemoval',
    ({ books, snapshots, clock, body: { sdu, reason, force } }) => {
      // The log names nobody. A list that is begun with this removal has no key yet, and so no id.
      const list = readRemovals(snapshots)
      const subject = list.length === 0 ? 'the first removal' : list.idOf(sdu)
      const states = { before: { removed: list.has(sdu) }, after: { removed: true } }
      const what = { action: 'removal.add', subject, details: { reason }, ...states }
      return noted(books, what, () =>
        withDirectoryLock(snapshots, async () => {
          const { known, elsewhere } = await recordRemoval({ snapshots, sdu, reason, force, clock })
          await removeEarlier(snapshots)
          return { id: readRemovals(snapshots).idOf(sdu), known, elsewhere }
        }),
      )
    },
    ({ id, known, elsewhere }) => ({ removal_id: id, known, elsewhere: [...elsewhere] }),
  ),
  undoRemoval: handler(
    'undoRemoval',
    ({ books, snapshots, clock, params: { removal_id: id } }) => {
      const states = { before: { removed: true }, after: { removed: false } }
      const what = { action: 'removal.undo', subject: id.slice(0, 64), ...states }
      return noted(books, what, async () => {
        const undone = await withDirectoryLock(snapshots, () => undoRemoval(snapshots, id, clock))
        return { id, undone }
      })
    },
    ({ id, undone }) => ({ removal_id: id, undone }),
  ),
}
