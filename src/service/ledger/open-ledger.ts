/** Opens the ledger of a service: the one in its directory, or the one that it shares in a database. */
import { hostname } from 'node:os'
import { monotonicMs } from '../../api/limits/rate-limit.ts'
import type { LeaseSession } from '../../ledger/leases/lease-session.ts'
import { openWholeSession, type WholeSession } from '../../ledger/leases/whole-session.ts'
import type { Values } from '../../settings.ts'

interface LedgerSettings
  extends Values<'data' | 'ledger' | 'ledgerWait' | 'lowBalance' | 'host' | 'port'> {
  readonly clock: () => number
  /** Resolves when the service is to end, also while it starts. */
  readonly ended: Promise<void>
}

/**
 * @param report is called with one line when something is lost or fails, and when it works again.
 * @throws Refusal as `openWholeSession` and `openLeaseSession`.
 */
export async function openLedger(
  {
    data,
    ledger: uri,
    ledgerWait: waitMs,
    lowBalance: lowMicroUsd,
    clock,
    host,
    port,
    ended,
  }: LedgerSettings,
  report: (line: string) => void,
): Promise<WholeSession | LeaseSession> {
  const node = `${hostname()} ${host}:${port}`
  if (uri === null) {
    return openWholeSession({ directory: data, lowMicroUsd, node, clock, report })
  }
  const { openLeaseSession } = await import('../../ledger/leases/lease-session.ts')
  const waiting = { waitMs, ended, clock: monotonicMs, report }
  return openLeaseSession({
    uri,
    directory: data,
    lowMicroUsd,
    node,
    wallClock: clock,
    ...waiting,
  })
}
