/**
 * Secrets that all services of a ledger share. Each is made once, by whichever service
 * comes first, and never changes.
 */
import { randomBytes } from 'node:crypto'
import { cursorKeyBytes } from '../port.ts'
import type { RunStatement } from '../sql/port.ts'

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
