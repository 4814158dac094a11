/**
 * The log: one JSON line on stderr for each event that matters. Every event is in the table with
 * its level. No line holds a key, and none holds the values of a query.
 */
import { type DestinationStream, pino } from 'pino'
import { type ApiReply, type ApiRequest, headersOf, type OnReply } from '../api/exchange.ts'
import type { LogLevel } from '../settings.ts'

/** Every event that is logged, with its level; alerts and searches go by these names. */
export const logEvents = {
  started: 'info',
  stopped: 'info',
  'snapshot-served': 'info',
  'snapshot-refused': 'warn',
  'snapshot-fallback': 'warn',
  'snapshot-watch': 'warn',
  'sync-held-back': 'warn',
  sync: 'info',
  'sync-failed': 'error',
  mirror: 'info',
  'mirror-failing': 'warn',
  'history-broken': 'warn',
  ledger: 'warn',
  'ledger-imbalance': 'error',
  'data-rights': 'warn',
  explorer: 'info',
  'first-key': 'info',
  output: 'warn',
  'service-manager': 'warn',
  'thread-died': 'error',
  'internal-error': 'error',
  'log-lost': 'warn',
  access: 'info',
} as const satisfies Record<string, Exclude<LogLevel, 'silent'>>

export type LogEvent = keyof typeof logEvents

export type Log = (
  event: LogEvent,
  message: string,
  facts?: Readonly<Record<string, unknown>>,
) => void

/** @param clock milliseconds since the epoch. */
export function newLog(level: LogLevel, clock: () => number, destination: DestinationStream): Log {
  const logger = pino(
    {
      level,
      base: null,
      messageKey: 'message',
      formatters: { level: (label) => ({ level: label }) },
      timestamp: () => `,"time":"${new Date(clock()).toISOString()}"`,
    },
    destination,
  )
  return (event, message, facts) => logger[logEvents[event]]({ event, ...facts }, message)
}

export function logError(log: Log, error: unknown, requestId: string): void {
  const message = error instanceof Error ? error.message : String(error)
  const stack = error instanceof Error ? error.stack : undefined
  log('internal-error', message, { request_id: requestId, stack })
}

type Names = ReadonlySet<string>

/** The access log's facts of one reply: the path, the names of the parameters, no values. */
export function accessFacts(request: ApiRequest, reply: ApiReply, published: Names) {
  const requestId = headersOf(reply).find(([name]) => name === 'X-Request-Id')?.[1]
  return {
    method: request.method.slice(0, 16),
    address: request.address?.(),
    path: request.path.slice(0, 100).replaceAll(keyLike, 'aik_*'),
    parameters: parameterNames(request.query, published),
    status: reply.status,
    bytes: reply.body.length,
    duration_ms: Math.round(reply.seconds * 1e6) / 1000,
    request_id: requestId,
  }
}

const namesMax = 10
/** A key that was put into a path. */
const keyLike = /aik_[^/]*/g

/** A name that is none of ours may be a value in the wrong place, so it is not written. */
function parameterNames(query: string, published: Names): string[] {
  const names = query
    .split('&', namesMax)
    .map((pair) => pair.split('=', 1)[0]!)
    .filter((name) => name !== '')
  return names.map((name) => (published.has(name) ? name : '?'))
}

/**
 * The access log: a share of the replies, chosen at random.
 * @param published the names of parameters that may be logged.
 * @returns undefined when nothing is to be logged, so that nothing is paid for it.
 */
export function accessLog(
  log: Log,
  sample: number,
  published: Names,
  random: () => number,
): OnReply | undefined {
  if (sample === 0) return undefined
  return (request, reply) => {
    if (random() >= sample) return
    log('access', 'answered', accessFacts(request, reply, published))
  }
}
