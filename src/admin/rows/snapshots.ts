/**
 * The operations on snapshots. Their files lie beside the ledger, so the audit log has the change before it is made,
 * and a second entry if it failed; each can be made again with the same result.
 */
import * as z from 'zod'
import { Refusal } from '../../problems.ts'
import {
  chosenSnapshot,
  findSnapshot,
  loadForAnswers,
  loadStored,
  pointersOf,
  storedSnapshots,
} from '../../snapshot/store/directory.ts'
import { isReleased, pointers, readHeldBack, releaseHeldBack } from '../../snapshot/store/states.ts'
import { orStoreRefused } from '../../snapshot/store/system-errors.ts'
import { announceStored } from '../../sync/announcing.ts'
import { withDirectoryLock } from '../../sync/directory-lock.ts'
import { listOf, local, served } from '../operation.ts'

/** A snapshot after a change of a pointer. */
const pointed = {
  snapshot_id: z.string().nullable().describe('null where nothing is pinned'),
  changed: z.boolean().describe('false when it was so before'),
}

const named = { snapshot_id: z.string() }

export const snapshotOperations = {
  listSnapshots: served({
    path: '/snapshots',
    scope: 'read',
    summary: 'List the snapshots of the directory',
    text: 'The last announced first; which is current and which is pinned.',
    input: z.strictObject({}),
    result: listOf({
      snapshot_id: z.string(),
      bytes: z.number().int(),
      published: z.string(),
      authorities: z.number().int().nullable().describe('null where it cannot be served'),
      current: z.boolean(),
      pinned: z.boolean(),
    }),
    ledger: 'unused',
    run: async ({ snapshots }) => ({
      results: storedSnapshots(snapshots).map((stored) => ({
        ...{ snapshot_id: stored.id, bytes: stored.bytes, published: stored.publishedAt },
        authorities: stored.header?.counts.authorities ?? null,
        ...{ current: stored.current, pinned: stored.pinned },
      })),
    }),
  }),
  announceSnapshot: served({
    path: '/snapshots/{snapshot_id}/announce',
    scope: 'data',
    summary: 'Announce a snapshot of the directory',
    text: 'With what changed, as a sync does. Services follow it unless they are pinned.',
    input: z.strictObject(named),
    result: z.object(pointed),
    run: async ({ books, snapshots, clock }, { snapshot_id }) => {
      const { id } = findSnapshot(snapshots, snapshot_id)
      const before = { current: pointersOf(snapshots).current ?? null }
      const what = { action: 'snapshot.announce', subject: id, before, after: { current: id } }
      return books.noted(what, async () => {
        const { announced } = await announceStored(snapshots, id, clock)
        return { snapshot_id: id, changed: announced }
      })
    },
  }),
  pinSnapshot: served({
    path: '/snapshots/{snapshot_id}/pin',
    scope: 'data',
    summary: 'Keep services on a snapshot',
    text: 'Also when another one is announced. It is verified first.',
    input: z.strictObject(named),
    result: z.object(pointed),
    ledger: 'unused',
    run: async ({ books, snapshots }, { snapshot_id }) => {
      const { id } = findSnapshot(snapshots, snapshot_id)
      const { pinned = null } = pointersOf(snapshots)
      const states = { before: { pinned }, after: { pinned: id } }
      return books.noted({ action: 'snapshot.pin', subject: id, ...states }, () =>
        withDirectoryLock(snapshots, async () => {
          // Pinning a snapshot that no service would take would hold services on the one they have by accident.
          loadForAnswers(snapshots, id)
          pointers.PINNED.write(snapshots, id)
          return { snapshot_id: id, changed: pinned !== id }
        }),
      )
    },
  }),
  unpinSnapshot: served({
    path: '/unpin',
    scope: 'data',
    summary: 'Let services follow announcements again',
    text: 'Ends a pin.',
    input: z.strictObject({}),
    result: z.object(pointed),
    ledger: 'unused',
    run: async ({ books, snapshots }) => {
      const { pinned = null } = pointersOf(snapshots)
      const states = { before: { pinned }, after: { pinned: null } }
      const what = { action: 'snapshot.unpin', subject: pinned ?? '', ...states }
      return books.noted(what, async () => ({
        snapshot_id: null,
        changed: orStoreRefused(snapshots, () => pointers.PINNED.remove(snapshots)),
      }))
    },
  }),
  getHeldBack: served({
    path: '/held-back',
    scope: 'read',
    summary: 'Show why the last sync published nothing',
    text: 'Empty when the last sync succeeded.',
    input: z.strictObject({}),
    result: z.object({
      held_back: z
        .object({ reason: z.string(), at: z.string(), source_fingerprint: z.string() })
        .nullable(),
      released: z.boolean().describe('whether the next sync of that source may publish it'),
    }),
    ledger: 'unused',
    run: async ({ snapshots }) => {
      const held = readHeldBack(snapshots)
      const released = isReleased(snapshots)
      if (held === undefined) return { held_back: null, released }
      const { reason, at, sourceFingerprint: source_fingerprint } = held
      return { held_back: { reason, at, source_fingerprint }, released }
    },
  }),
  releaseHeldBack: served({
    path: '/held-back/release',
    scope: 'data',
    summary: 'Let the change through that was held back',
    text: 'The next sync of the same source passes the comparison once, as with `--force`; a watch syncs at once.',
    input: z.strictObject({ source_fingerprint: z.string() }),
    result: z.object({ released: z.literal(true) }),
    run: ({ books, snapshots }, { source_fingerprint: source }) => {
      const states = { before: { released: isReleased(snapshots) }, after: { released: true } }
      const what = { action: 'sync.release', subject: source.slice(0, 128), ...states }
      return books.noted(what, async () => {
        if (releaseHeldBack(snapshots, source)) return { released: true as const }
        throw new Refusal('held-back', 'no sync of this source is held back (any more)')
      })
    },
  }),
  inspectSnapshot: local({
    summary: 'Show what a snapshot holds',
    text: 'Its file, its header and its sections; without `snapshot_id`, of the one that services are to serve.',
    input: z.strictObject({ snapshot_id: z.string().optional() }),
    result: z.object({ snapshot_id: z.string(), file: z.string() }),
    ledger: 'unused',
    run: async ({ snapshots }, { snapshot_id }) => {
      const { id, path, bytes, publishedAt, ...stored } = chosenSnapshot(snapshots, snapshot_id)
      // A damaged header is read again, because the error names the damage.
      const header = stored.header ?? loadStored(snapshots, id).header
      const { current, pinned } = stored
      const facts = { snapshot_id: id, file: path, bytes, published: publishedAt, current, pinned }
      return { ...facts, ...header }
    },
  }),
}
