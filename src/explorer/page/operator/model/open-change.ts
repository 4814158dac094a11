/**
 * The change that was sent and whose answer was not seen yet. It is kept in the storage of the tab before it is sent,
 * so that a reload sends the same request under the same `Idempotency-Key`: nothing is done twice.
 */
import type { KeyStorage } from '../../model/credentials.ts'
import type { SentChange } from './admin-asking.ts'

/** A change with its words. */
export interface OpenChange extends SentChange {
  readonly title: string
  /** Id of the admin key that sends it: the same request of another key would be another change. */
  readonly keyId: string
}

/** A storage of the browser; undefined if the browser denies it. */
type Place = KeyStorage | undefined

const storedName = 'authority-index-change'

/** The change that is kept. */
export function keptChange(place: Place): OpenChange | undefined {
  try {
    const text = place?.getItem(storedName)
    return text == null ? undefined : (JSON.parse(text) as OpenChange)
  } catch {
    return undefined
  }
}

/** Keeps a change; undefined forgets it. */
export function keepChange(place: Place, change: OpenChange | undefined): void {
  try {
    if (change === undefined) place?.removeItem(storedName)
    else place?.setItem(storedName, JSON.stringify(change))
  } catch {
    // A full storage keeps nothing; the key still holds until the page is left.
  }
}

/** Visible characters that no other change has: 128 random bits. */
export function newIdempotencyKey(random: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array): string {
  const bytes = random(new Uint8Array(16))
  return `page-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
