/** Opens the ledger of a service: the one in its directory, or the one that it shares in a database. */
import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { monotonicMs } from '../../api/limits/rate-limit.ts'
import { openSession } from '../../ledger/lmdb/session.ts'
import type { LedgerSession } from '../../ledger/port.ts'
import { sqliteFileName } from '../../ledger/sql/sqlite/driver.ts'
import type { Values } from '../../settings.ts'

/** Settings of a service that determine its ledger. */
interface LedgerSettings extends Values<'data' | 'ledger' | 'ledgerWait' | 'host' | 'port'> {
  readonly clock: () => number
  /** Resolves when the service is to end, also while it starts. */
  readonly ended: Promise<void>
}

/**
 * Opens the ledger that the settings name; the library of a database is loaded for that only.
 * @param report is called with one line when something is lost or fails, and when it works again.
 * @throws Refusal as `openSession` and `openLeaseSession`.
 */
export async function openLedger(
  { data, ledger: uri, ledgerWait: waitMs, clock, host, port, ended }: LedgerSettings,
  report: (line: string) => void,
): Promise<LedgerSession> {
  const node = `${hostname()} ${host}:${port}`
  if (uri === null) {
    if (!existsSync(join(data, sqliteFileName))) return openSession(data, clock)
    const { openWholeSession } = await import('../../ledger/whole/whole-session.ts')
    return openWholeSession({ directory: data, node, clock, report })
  }
  const { openLeaseSession } = await import('../../ledger/leases/open-lease-session.ts')
  const waiting = { waitMs, ended, clock: monotonicMs, report }
  return openLeaseSession({
    uri,
    directory: data,
    node,
    wallClock: clock,
    ...waiting,
  })
}
