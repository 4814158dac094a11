/** What the first service of a ledger makes, once: the account `default` with its key, and the secret that all services share. */
import { randomBytes } from 'node:crypto'
import type { RunStatement } from '../sql/port.ts'
import { insertAccount, noteChange } from './account-rows.ts'
import type { RandomBytes } from './key.ts'
import { firstKeyOrder } from './key-changes.ts'
import { insertKey } from './key-rows.ts'
import { cursorKeyBytes } from './port.ts'

/** How the first account is made. */
interface FirstAccount {
  readonly openingMicroUsd: number | undefined
  /** Time for which its key may wait to be shown, ms: another service that made it may be showing it. */
  readonly showMsMax: number
}

/**
 * Makes the account `default` with a key where there is no account; its key anew where that was not
 * shown in time. Services that start together wait here for each other.
 * @returns the text of the key; undefined when there was nothing to make.
 */
export async function insertFirstAccount(
  query: RunStatement,
  random: RandomBytes,
  { openingMicroUsd, showMsMax }: FirstAccount,
): Promise<string | undefined> {
  const [need] = await query<{ empty: boolean | number; unshown: string | null }>(
    `select not exists (select 1 from account) as empty,
      (select min(id) from api_key where unshown and revoked_ms is null
       and created_ms <= now_ms() - ${showMsMax}) as unshown`,
  )
  if (!need!.empty && need!.unshown === null) return undefined
  await noteChange(query, 'accounts')
  const isEmpty = (await query('select 1 from account limit 1')).length === 0
  if (!isEmpty && need!.unshown === null) return undefined
  if (isEmpty) await insertAccount(query, firstKeyOrder.account, openingMicroUsd)
  else await revokeUnshown(query)
  const { text, record } = await insertKey(query, firstKeyOrder, random)
  await query('update api_key set unshown = true where id = $1', [record.id])
  return text
}

async function revokeUnshown(query: RunStatement): Promise<void> {
  await query(
    `update api_key set revoked_ms = now_ms(), unshown = false, changed = $1
     where unshown and revoked_ms is null`,
    [await noteChange(query, 'keys')],
  )
}

/** The key of the first account was shown: it is made no more. */
export async function markShown(query: RunStatement): Promise<void> {
  await query('update api_key set unshown = false where unshown')
}

/** The key that cursors are written with: made where there is none. */
export async function cursorKey(query: RunStatement): Promise<Uint8Array> {
  const made = randomBytes(cursorKeyBytes).toString('hex')
  await query(
    "insert into service_secret (name, value) values ('cursors', $1) on conflict (name) do nothing",
    [made],
  )
  const [row] = await query<{ value: string }>(
    "select value from service_secret where name = 'cursors'",
  )
  return Buffer.from(row!.value, 'hex')
}
