/**
 * Renewing a key: its end and its heir in one transaction. The heir is of the same lineage, with the same terms and
 * parent, so that a cap goes on. Unlike a rotation, a renewal may follow the end of the key, and leaves no record of
 * it, unless the lineage or another key names it: keys that are renewed every hour do not fill the ledger.
 */
import type { KeyRecord } from '../../account-records.ts'
import { renewalOf } from '../../keys/key-changes.ts'
import { lineagesOf } from '../../lineages.ts'
import type { Environment } from '../environment.ts'
import { type MadeKey, putNewKey, removeKey } from '../keys.ts'
import { allKeys } from '../lineages/stored-keys.ts'
import type { Tables } from '../tables.ts'

/**
 * Puts a new key in the place of one of the same lineage, which ends now.
 * @param expiresAtMs when the new key ends, in milliseconds since the epoch.
 * @returns undefined for a key that was revoked or renewed before, and for one whose parent has ended; nothing is
 * changed then.
 */
export function renewKey(
  environment: Environment,
  id: string,
  expiresAtMs: number,
): MadeKey | undefined {
  return environment.write('keys', (tables) => {
    const nowMs = environment.clock()
    const renewal = renewalOf(id, allKeys(tables), expiresAtMs, nowMs)
    if (renewal === undefined) return undefined
    const { old, heir, isNamed } = renewal
    if (isNamed) tables.keys.putSync(id, { ...old, revokedAtMs: nowMs })
    else removeKey(tables, id)
    return putNewKey(environment, tables, heir)
  })
}

/** The active keys of a lineage with such a beginning of their labels. */
export function activeKeysOf(tables: Tables, lineage: string, labelPrefix: string): string[] {
  const keys = allKeys(tables)
  const lineages = lineagesOf(keys)
  const isActive = ({ id, label, revokedAtMs }: KeyRecord) =>
    lineages.get(id) === lineage && revokedAtMs === null && label?.startsWith(labelPrefix)
  return keys.filter(isActive).map(({ id }) => id)
}
