/**
 * What the first service of an empty ledger makes, once: the account `default` with its key. The key is made anew
 * until it was shown.
 */
import type { RunStatement } from '../sql/port.ts'
import { insertAccount, noteChange } from './account-rows.ts'
import { insertKey, type KeyOrder } from './key-rows.ts'

const firstKeyOrder: KeyOrder = { account: 'default' }

/**
 * When there is no account at all; its key anew while that was never shown. Services that start
 * together wait here for each other.
 * @param showMsMax time for which the key may wait to be shown, ms: another service that made it may be showing it.
 * @returns the text of the key, which is nowhere else; undefined when there was an account.
 */
export async function createFirstAccount(
  query: RunStatement,
  showMsMax: number,
  openingMicroUsd?: number,
): Promise<string | undefined> {
  // As every change of keys does: so one that reads a key and writes it has the last of it.
  await query('select n from audit_head where id = 1 for update')
  const [need] = await query<{ empty: boolean | number; unshown: string | null }>(
    `select not exists (select 1 from account) as empty,
      (select min(id) from api_key where unshown and revoked_ms is null
       and created_ms <= now_ms() - ${showMsMax}) as unshown`,
  )
  if (!need!.empty && need!.unshown === null) return undefined
  if (need!.empty) await insertAccount(query, firstKeyOrder.account, openingMicroUsd)
  else {
    await query(
      `update api_key set revoked_ms = now_ms(), unshown = false, changed = $1
       where unshown and revoked_ms is null`,
      [await noteChange(query)],
    )
  }
  const { text, record } = await insertKey(query, firstKeyOrder)
  await query('update api_key set unshown = true where id = $1', [record.id])
  return text
}

export function noteKeyShown(query: RunStatement): Promise<unknown> {
  return query('update api_key set unshown = false where unshown')
}
