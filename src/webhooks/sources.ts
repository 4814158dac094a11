/**
 * The events that do not come from the ledger: snapshots that were announced, the watched authorities that
 * they changed, and syncs that were held back. A mark in the ledger names the last report of each source, so
 * a restart reports the events that came meanwhile, and several services of one ledger report each once.
 */
import type { Endpoint, EventDraft } from '../ledger/webhooks/records.ts'
import type { WebhookStore } from '../ledger/webhooks/store.ts'
import type { PersonChanges } from '../snapshot/changes/change.ts'
import {
  type ChangeFile,
  ChangeReader,
  rangeOfHash,
  sduHash,
} from '../snapshot/changes/change-file.ts'

/** A sync that was held back: its time, and the reason without paths. */
export interface HeldBackSync {
  readonly at: string
  readonly reason: string
}

/** Maximum number of changes of one authority in an event. */
const changesPerEventMax = 50

/**
 * Reports announcements since the last one that was reported, and their changes of watched SDUs.
 * @param files those that lead to the served snapshot, the last at the end.
 */
export async function noteAnnouncements(
  store: WebhookStore,
  files: readonly ChangeFile[],
): Promise<void> {
  const endpoints = await store.endpoints()
  if (endpoints.length === 0) return
  const reported = (await store.mark('announced')) ?? ''
  for (const file of files) {
    const { announcedAt } = file.header
    const isKnown = announcedAt <= reported
    const isOld = endpoints.every(({ createdAtMs }) => createdAtMs >= Date.parse(announcedAt))
    if (isKnown || isOld) continue
    const changed = changesOfWatched(file, endpoints)
    await store.note('announced', announcedAt, (endpoint) =>
      endpoint.createdAtMs >= Date.parse(announcedAt) ? [] : draftsOf(file, endpoint, changed),
    )
  }
}

/** Reports a sync that is held back. */
export async function noteHeldBack(
  store: WebhookStore,
  { at, reason }: HeldBackSync,
): Promise<void> {
  const draft: EventDraft = { type: 'sync.held_back', accountNumber: 0, data: { reason, at } }
  await store.note('held-back', `${at} ${reason}`, () => [draft])
}

function draftsOf(
  { header }: ChangeFile,
  endpoint: Endpoint,
  changed: ReadonlyMap<string, PersonChanges>,
): EventDraft[] {
  const { id, parent, announcedAt, people } = header
  const snapshot = { snapshot_id: id, previous_snapshot_id: parent }
  const announced: EventDraft = {
    type: 'snapshot.announced',
    accountNumber: 0,
    data: { ...snapshot, announced_at: announcedAt, changed_people: people },
  }
  const ofWatched = endpoint.sdus.flatMap((sdu): EventDraft[] => {
    const changes = changed.get(sdu)?.changes
    if (changes === undefined) return []
    // The values are left out: removed data of a person must not lie in the outbox.
    const named = changes.slice(0, changesPerEventMax).map(({ type, topic }) => ({ type, topic }))
    const data = { sdu, ...snapshot, changes: named }
    return [{ type: 'authority.changed', accountNumber: 0, data }]
  })
  return [announced, ...ofWatched]
}

/** Changes of watched authorities, by SDU; the file is opened only if an endpoint watches any authority. */
function changesOfWatched(
  file: ChangeFile,
  endpoints: readonly Endpoint[],
): ReadonlyMap<string, PersonChanges> {
  const watched = new Set(endpoints.flatMap(({ sdus }) => sdus))
  const found = new Map<string, PersonChanges>()
  if (watched.size === 0) return found
  const reader = new ChangeReader(file)
  try {
    for (const sdu of watched) {
      const { start, end } = rangeOfHash(file, sduHash(sdu))
      const person = reader.people(start, end).find((each) => each.sdu === sdu)
      if (person !== undefined) found.set(sdu, person)
    }
  } finally {
    reader.close()
  }
  return found
}
