/**
 * One HTTP server of the guard bench: the API as in the service, bare, counted, or
 * counted and limited, in a thread of its own.
 */

import { randomFillSync } from 'node:crypto'
import { workerData } from 'node:worker_threads'
import { activate } from '../../src/api/active-snapshot.ts'
import { Api } from '../../src/api/api.ts'
import { createSharedLimits, RateLimit, threadClockMs } from '../../src/api/limits/rate-limit.ts'
import { RequestIds } from '../../src/api/pipeline/request-ids.ts'
import { listen } from '../../src/http/server.ts'
import { createSharedBalances, ThreadBalances } from '../../src/ledger/live/balances.ts'
import { Keyring, type KeyTable } from '../../src/ledger/live/keyring.ts'
import { Reservations } from '../../src/ledger/live/reservations.ts'
import { defaultPrices } from '../../src/operations.ts'
import type { Snapshot } from '../../src/snapshot/file.ts'
import { createSharedMetrics, ThreadMetrics } from '../../src/telemetry/metrics.ts'
import { serveUntilTold } from '../../test/support/processes/worker-server.ts'

/** What the server has beside what answers. */
export type GuardManner = 'bare' | 'counted' | 'limited'

/** What the thread is started with. */
export interface GuardStart {
  readonly manner: GuardManner
  readonly snapshot: Snapshot
  /** One key, of the account in slot 0. */
  readonly keyTable: KeyTable
}

const prices = { ...defaultPrices, search: 1, detail: 1, peers: 1, match: 1 }
/** Above what one thread can answer, so that every request is counted and none refused. */
const limit = { rateLimit: 1_000_000, rateBurst: 1_000_000, failedKeyLimit: 0 }

const { manner, snapshot, keyTable } = workerData as GuardStart
const keyring = new Keyring(Date.now)
keyring.replace(keyTable)
const balances = new ThreadBalances(createSharedBalances(1), 0)
balances.credit(0, Number.MAX_SAFE_INTEGER)
const metrics = manner === 'bare' ? undefined : new ThreadMetrics(createSharedMetrics(1), 0)
const served = activate(snapshot)
const context = {
  served: () => served,
  reservations: new Reservations(keyring, balances, prices, (route, queries) =>
    metrics?.charged(route, queries),
  ),
  rateLimit: manner === 'limited' ? new RateLimit(createSharedLimits(1), limit) : undefined,
  clock: threadClockMs(),
  ids: new RequestIds(randomFillSync),
}
const onError = (error: unknown) => {
  throw error
}
const answerers = { api: new Api({ ...context, onError }) }
const watch = metrics === undefined ? {} : { metrics, connectionsMax: 10_000 }
serveUntilTold(await listen(answerers, '127.0.0.1', 0, watch))
