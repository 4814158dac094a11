/**
 * The replies of operations that need no key: how the service is, what it offers, and what it has
 * counted.
 */
import type { OpenOperationName } from '../operations.ts'
import type { ApiReply, ApiRequest, HeaderPairs } from './exchange.ts'
import { type ReadyFile, readyReply } from './ready-file.ts'
import { noSniff, noStore } from './write/response-headers.ts'

/** How the service is, as `/readyz` says. */
export interface Status {
  readonly ready: boolean
  /** JSON values by name. */
  readonly facts: Readonly<Record<string, unknown>>
}

/** What the replies are made from. */
export interface OpenFacts {
  readonly status: () => Status
  /** The OpenAPI document. */
  readonly openApi: ReadyFile
  /** What was counted, as Prometheus reads it. */
  readonly metricsText: () => string
}

const json: HeaderPairs = [['Content-Type', 'application/json'], noSniff]

const replies: Readonly<
  Record<OpenOperationName, (facts: OpenFacts, request: ApiRequest) => ApiReply>
> = {
  health: () => reply(200, [...json, noStore], '{"status":"ok"}'),
  readiness: ({ status }) => {
    const { ready, facts } = status()
    return reply(ready ? 200 : 503, [...json, noStore], JSON.stringify({ ready, ...facts }))
  },
  openApi: ({ openApi }, request) => {
    const { ifNoneMatch = '' } = request
    const wanted = { ifNoneMatch, acceptEncoding: request.acceptEncoding?.() ?? '' }
    return readyReply(openApi, wanted, [['Cache-Control', 'no-cache']])
  },
  metrics: ({ metricsText }) => {
    const type = ['Content-Type', 'text/plain; version=0.0.4; charset=utf-8'] as const
    return reply(200, [type, noSniff, noStore], metricsText())
  },
}

/** The reply of an operation that needs no key. */
export function openReply(
  operation: OpenOperationName,
  facts: OpenFacts,
  request: ApiRequest,
): ApiReply {
  return replies[operation](facts, request)
}

function reply(status: number, headers: HeaderPairs, text: string): ApiReply {
  return { status, headers, body: Buffer.from(text), seconds: 0 }
}
