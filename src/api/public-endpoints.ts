/** The replies of the public endpoints, which need no key: health, readiness, OpenAPI and metrics. */
import type { OpenOperationName } from '../operations.ts'
import type { ApiReply, ApiRequest, HeaderPairs } from './exchange.ts'
import { noSniff, noStore } from './pipeline/response-headers.ts'
import { type ReadyFile, readyReply } from './ready-file.ts'

/** State of the service, as `/readyz` reports it. */
export interface Status {
  readonly ready: boolean
  readonly facts: Readonly<Record<string, unknown>>
}

export interface PublicFacts {
  readonly status: () => Status
  readonly openApi: ReadyFile
  readonly metricsText: () => string
}

const json: HeaderPairs = [['Content-Type', 'application/json'], noSniff]

export const publicReplies: Readonly<
  Record<OpenOperationName, (facts: PublicFacts, request: ApiRequest) => ApiReply>
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

function reply(status: number, headers: HeaderPairs, text: string): ApiReply {
  return { status, headers, body: Buffer.from(text), seconds: 0 }
}
