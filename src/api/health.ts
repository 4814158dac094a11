/**
 * How the service is: `/healthz` says that the process answers, `/readyz` whether it can serve and
 * from what. Neither needs a key.
 */

import type { Status } from '../service/protocol.ts'
import type { ApiReply } from './api.ts'
import { noSniff, noStore } from './response-headers.ts'

/** The reply for a health path, or undefined for any other path. */
export function healthOf(path: string, status: Status): ApiReply | undefined {
  if (path === '/healthz') return json(200, { status: 'ok' })
  if (path !== '/readyz') return undefined
  return json(status.ready ? 200 : 503, { ready: status.ready, ...status.facts })
}

function json(status: number, value: unknown): ApiReply {
  const headers = [['Content-Type', 'application/json'], noSniff, noStore] as const
  return { status, headers, body: Buffer.from(JSON.stringify(value)) }
}
