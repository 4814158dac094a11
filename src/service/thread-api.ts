/**
 * The parts of a thread that answers requests and sells answers: its log, its place in the shared balances and counters,
 * the keys that it knows and the limits. A serving thread and the control thread have the same.
 */
import { randomFillSync } from 'node:crypto'
import { type ActiveSnapshot, activate } from '../api/active-snapshot.ts'
import type { ApiContext } from '../api/api.ts'
import {
  addressLimitsOf,
  monotonicMs,
  monotonicNs,
  rateLimitsOf,
  threadClockMs,
} from '../api/limits/rate-limit.ts'
import { RequestIds } from '../api/pipeline/request-ids.ts'
import { parameterSpellings } from '../api/schemas/inputs.ts'
import { behindLookMs, ThreadBalances } from '../ledger/live/balances.ts'
import { Keyring } from '../ledger/live/keyring.ts'
import { PaidQuestions } from '../ledger/live/paid-questions.ts'
import { Reservations } from '../ledger/live/reservations.ts'
import { accessLog, logError, newLog } from '../telemetry/log.ts'
import { ThreadMetrics } from '../telemetry/metrics.ts'
import { StandardError } from '../telemetry/standard-error.ts'
import type { ServedSnapshot, ThreadStart } from './protocol.ts'

const delayIntervalMs = 1_000

export type ThreadApiStart = Omit<ThreadStart, 'site' | 'tls' | 'openApi'>

export type ThreadApi = ReturnType<typeof newThreadApi>

/** Takes the place of a thread; what a thread that died there had reserved is released. */
export function newThreadApi(
  start: ThreadApiStart,
  seekKey: (hash: string) => void,
  served: () => ActiveSnapshot | undefined,
) {
  const { settings, place } = start
  const log = newLog(settings.logLevel, Date.now, new StandardError(Date.now))
  const onError = (error: unknown, requestId: string) => logError(log, error, requestId)
  const metrics = new ThreadMetrics(start.metrics, place)
  const balances = new ThreadBalances(start.balances, place)
  balances.releaseLeftOver()
  const questions = new PaidQuestions(start.questions, place, monotonicMs)
  questions.releaseLeftOver()
  const keyring = new Keyring(() => balances.ledgerMs(monotonicMs()), seekKey)
  watchEventLoop(metrics, () => balances.lookAtCommits(monotonicMs()))
  const { connections, ...addressLimits } = addressLimitsOf(start.limits, settings, monotonicNs)
  const onCharged = metrics.charged.bind(metrics)
  const context: ApiContext = {
    served,
    reservations: new Reservations(keyring, balances, settings.price, onCharged, questions),
    ...rateLimitsOf(start.limits, settings),
    ...addressLimits,
    clock: threadClockMs(),
    ids: new RequestIds(randomFillSync),
    onRefusal: (refusal) => metrics.count(refusal),
    onError,
    onReply: accessLog(log, settings.accessLogSample, parameterSpellings, Math.random),
  }
  return {
    ...{ keyring, balances, metrics, connections, context, onError },
    activated: ({ header, sections, texts, ...more }: ServedSnapshot) => {
      const ignoresUnknown = settings.unknownParameters === 'ignore'
      const options = { ...more, cursorKey: start.cursorKey, ignoresUnknown }
      return activate({ header, sections, texts }, options)
    },
    /** Counts looks into the cache of answers from now on. */
    countFinds: ({ cache }: ActiveSnapshot) => {
      cache.onFind = (isHit) => metrics.count(isHit ? 'cache_hits_total' : 'cache_misses_total')
    },
  }
}

/**
 * Looks whenever commits may be behind, and shows every second by how much the latest of these looks was late: the
 * longest wait of the event loop, less the part of it before a look was due.
 */
function watchEventLoop(metrics: ThreadMetrics, lookAtCommits: () => void): void {
  let latestMs = 0
  let dueMs = monotonicMs() + behindLookMs
  setInterval(() => {
    const nowMs = monotonicMs()
    latestMs = Math.max(latestMs, nowMs - dueMs)
    dueMs = nowMs + behindLookMs
    lookAtCommits()
  }, behindLookMs)
  setInterval(() => {
    metrics.set('event_loop_delay_seconds', latestMs / 1_000)
    latestMs = 0
  }, delayIntervalMs).unref()
}
