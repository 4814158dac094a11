/**
 * Outcome of the last sync, in object storage. It is a hint for operators: nothing is served by it,
 * and a sync or a mirror that cannot pass it on goes on.
 */
import type { ReadableObjects, WritableObjects } from '../../objects/object-store.ts'
import type { RetryPolicy } from '../../objects/read-with-resume.ts'
import { Refusal } from '../../problems.ts'
import {
  anyText,
  checked,
  exactly,
  nullable,
  objectOf,
  readJson,
  utcTime,
} from '../../reading/readers.ts'
import { heldBack, readHeldBack, syncedAtMs } from '../../snapshot/store/states.ts'
import { readSmall, syncKey } from './layout.ts'

interface SyncStatus {
  readonly format: 'authority-index-sync'
  readonly version: 1
  readonly succeeded_at: string | null
  readonly held_back: { readonly reason: string; readonly at: string } | null
}

const readStatus = objectOf<SyncStatus>({
  format: exactly('authority-index-sync', 'is another'),
  version: exactly(1, 'is another'),
  succeeded_at: nullable(utcTime),
  held_back: nullable(
    objectOf({
      reason: checked(anyText, ({ length }) => length <= 10_000, 'is too long'),
      at: utcTime,
    }),
  ),
})

export async function putSyncStatus(store: WritableObjects, directory: string): Promise<void> {
  const succeededAtMs = syncedAtMs.read(directory).value
  const held = readHeldBack(directory)
  const status: SyncStatus = {
    format: 'authority-index-sync',
    version: 1,
    succeeded_at: succeededAtMs === undefined ? null : new Date(succeededAtMs).toISOString(),
    held_back: held === undefined ? null : { reason: held.reason, at: held.at },
  }
  const bytes = Buffer.from(`${JSON.stringify(status, undefined, 1)}\n`)
  await store.put(syncKey, bytes, { isImmutable: false })
}

/**
 * A status that is missing, unreadable or of another format leaves the directory as it is.
 * @throws what the file system throws.
 */
export async function takeSyncStatus(
  store: ReadableObjects,
  directory: string,
  steadiness: RetryPolicy,
): Promise<void> {
  const status = await statusIn(store, steadiness)
  if (status === undefined) return
  const { succeeded_at: succeededAt, held_back: held } = status
  if (succeededAt !== null && Date.parse(succeededAt) !== syncedAtMs.read(directory).value) {
    syncedAtMs.write(directory, Date.parse(succeededAt))
  }
  const known = readHeldBack(directory)
  if (known?.reason === held?.reason && known?.at === held?.at) return
  // It is released where it was held back: here no source has its fingerprint.
  if (held === null) heldBack.remove(directory)
  else heldBack.write(directory, { ...held, sourceFingerprint: '' })
}

async function statusIn(
  store: ReadableObjects,
  steadiness: RetryPolicy,
): Promise<SyncStatus | undefined> {
  try {
    const read = await readSmall(store, syncKey, steadiness)
    return read && readJson(readStatus, read.text).value
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}
