/**
 * The API in this process behind doors of several kinds: without a key; with a key and a charge; with
 * the limit of its account as well; with metrics as well. What a door costs is the difference.
 */
import { randomFillSync } from 'node:crypto'
import { type ActiveSnapshot, activate } from '../../src/api/active-snapshot.ts'
import { Api } from '../../src/api/api.ts'
import { createSharedLimits, RateLimit, threadClockMs } from '../../src/api/limits/rate-limit.ts'
import { RequestIds } from '../../src/api/pipeline/request-ids.ts'
import { madeOf } from '../../src/engine/derived-indexes.ts'
import { keyHash, newKeyText } from '../../src/ledger/key.ts'
import { createSharedBalances, ThreadBalances } from '../../src/ledger/live/balances.ts'
import { Keyring } from '../../src/ledger/live/keyring.ts'
import { Reservations } from '../../src/ledger/live/reservations.ts'
import { operationAt } from '../../src/operation-paths.ts'
import { byRoute, isRoute } from '../../src/operations.ts'
import type { Snapshot } from '../../src/snapshot/file.ts'
import { createSharedMetrics, ThreadMetrics } from '../../src/telemetry/metrics.ts'

/** The doors, each with what the ones before it have. */
export type Door = 'open' | 'charged' | 'limited' | 'counted'

const nothing: Uint8Array = new Uint8Array(0)

/** Above what one thread can answer, so that every request is counted and none is refused. */
const limit = { rateLimit: 1_000_000_000, rateBurst: 1_000_000_000, failedKeyLimit: 0 }

/** A target in its parts, as the wire hands them over. */
export interface CutTarget {
  readonly path: string
  readonly query: string
  /** JSON of a POST; absent for a GET. */
  readonly body?: Uint8Array
}

/** Cuts a target at its question mark. */
export function cutTarget(target: string): CutTarget {
  const [path = '', query = ''] = target.split('?')
  return { path, query }
}

/** Sends a request; throws for any status but 200. */
export type Ask = (target: CutTarget) => void

type Doors = Readonly<Record<Door, Ask>>

/** The doors of a snapshot that is made ready here: a bundle of this file has all of the service's code in it. */
export function doorsOf(snapshot: Snapshot): Doors {
  return doors(activate(snapshot, madeOf(snapshot)))
}

/** What asks through each door. It throws for any status but 200. */
export function doors(served: ActiveSnapshot): Doors {
  return {
    open: door(served, 'open'),
    charged: door(served, 'charged'),
    limited: door(served, 'limited'),
    counted: door(served, 'counted'),
  }
}

function door(served: ActiveSnapshot, kind: Door): Ask {
  const metrics = kind === 'counted' ? new ThreadMetrics(createSharedMetrics(1), 0) : undefined
  const isLimited = kind === 'limited' || kind === 'counted'
  const { authorization, reservations } = rich(metrics)
  const api = new Api({
    served: () => served,
    clock: threadClockMs(),
    ids: new RequestIds(randomFillSync),
    ...(kind !== 'open' && { reservations }),
    ...(isLimited && { rateLimit: new RateLimit(createSharedLimits(1), limit) }),
    onError: (error) => {
      throw error
    },
  })
  // As on the wire, one request for all of a method.
  const get = { method: 'GET', path: '', query: '', authorization }
  const contentType = 'application/json'
  const post = { ...get, method: 'POST', body: nothing, contentType }
  return ({ path, query, body }) => {
    const request = body === undefined ? get : post
    request.path = path
    request.query = query
    if (body !== undefined) post.body = body
    const reply = api.answer(request)
    api.written(reply)
    if (reply.status !== 200) {
      const text = Buffer.from(reply.body).toString()
      throw new Error(`${path}?${query} was answered with ${reply.status}: ${text}`)
    }
    const route = operationAt(path)
    if (route !== undefined && isRoute(route)) metrics?.answered(route, 200, reply.seconds)
  }
}

/** 2,000 USD: with a price of a millionth, enough for any bench, and an amount that an account may have. */
const balanceMicroUsd = 2_000_000_000

/** A key of an account that can pay for any bench. */
function rich(metrics: ThreadMetrics | undefined) {
  const key = newKeyText((count) => randomFillSync(new Uint8Array(count)))
  const keyring = new Keyring(Date.now)
  const owner = { accountSlot: 0, keyId: 'bench', line: 0, purses: [0] }
  const authorization = `Bearer ${key}`
  void keyring.seek(authorization)
  const entry = { hash: keyHash(key), ...owner, expiresAtMs: Infinity }
  keyring.take({ changed: [], keys: [entry], bad: [] })
  const balances = new ThreadBalances(createSharedBalances(1), 0)
  balances.credit(0, balanceMicroUsd)
  const prices = byRoute(() => 1)
  const reservations = new Reservations(keyring, balances, prices, (route, queries) =>
    metrics?.charged(route, queries),
  )
  return { authorization, reservations }
}
