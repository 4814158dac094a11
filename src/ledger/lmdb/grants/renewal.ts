/**
 * Renewing a key: its end and its heir in one transaction. The heir is of the same lineage, with the same terms, so
 * that a cap goes on. Unlike a rotation, a renewal may follow the end of the key, and leaves no record of
 * it, unless the lineage or another key names it: keys that are renewed every hour do not fill the ledger.
 */
import type { KeyRecord } from '../../account-records.ts'
import { renewalOf } from '../../keys/key-changes.ts'
import type { Environment } from '../environment.ts'
import { type MadeKey, putNewKey, removeKey } from '../keys.ts'
import { allKeys } from '../lineages/stored-keys.ts'
import type { Tables } from '../tables.ts'

/**
 * Puts a new key in the place of one of the same lineage, which ends now.
 * @param expiresAtMs when the new key ends, in milliseconds since the epoch.
 * @returns undefined for a key that was revoked or renewed before; nothing is changed then.
 */
export function renewKey(
  environment: Environment,
  id: string,
  expiresAtMs: number,
): MadeKey | undefined {
  return environment.write('keys', (tables) => {
    const renewal = renewalOf(id, allKeys(tables), expiresAtMs)
    if (renewal === undefined) return undefined
    const { old, heir, isNamed } = renewal
    if (isNamed) tables.keys.putSync(id, { ...old, revokedAtMs: environment.clock() })
    else removeKey(tables, id)
    return putNewKey(environment, tables, heir)
  })
}

/** The active keys of a lineage with such a beginning of their labels. */
export function activeKeysOf(tables: Tables, lineage: string, labelPrefix: string): string[] {
  const isActive = (key: KeyRecord) =>
    key.lineage === lineage && key.revokedAtMs === null && key.label?.startsWith(labelPrefix)
  return allKeys(tables)
    .filter(isActive)
    .map(({ id }) => id)
}
