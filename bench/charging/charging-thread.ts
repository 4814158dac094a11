/**
 * One HTTP server of the charging bench: the answers in one of the three manners, in a
 * thread of its own.
 */
import { workerData } from 'node:worker_threads'
import { activate } from '../../src/api/active-snapshot.ts'
import { listen } from '../../src/http/server.ts'
import { type SharedBalances, ThreadBalances } from '../../src/ledger/live/balances.ts'
import { Keyring, type KeyTable } from '../../src/ledger/live/keyring.ts'
import { Reservations } from '../../src/ledger/live/reservations.ts'
import type { Prices } from '../../src/operations.ts'
import type { Snapshot } from '../../src/snapshot/file.ts'
import { serveUntilTold } from '../../test/support/processes/worker-server.ts'
import { apiOf, type Manner } from './charged-api.ts'

/** What the thread is started with. */
export interface ChargingStart {
  readonly manner: Manner
  readonly snapshot: Snapshot
  readonly balances: SharedBalances
  /** Its place among those that share the balances. */
  readonly place: number
  readonly keyTable: KeyTable
  readonly prices: Prices
}

const { manner, snapshot, balances, place, keyTable, prices } = workerData as ChargingStart
const keyring = new Keyring(Date.now)
keyring.replace(keyTable)
const reservations = new Reservations(keyring, new ThreadBalances(balances, place), prices)
const served = activate(snapshot)
const answerers = { api: apiOf(manner, served, reservations) }
serveUntilTold(await listen(answerers, '127.0.0.1', 0))
