/**
 * `/mcp` on the service: the door to the tools over HTTP. It lets through whom the API lets
 * through (same keys, same 401) and no web page that is not on the list; a handler does the rest.
 */

import type { Api } from '../api/api.ts'
import type { ApiReply } from '../api/exchange.ts'
import { type AsyncRoute, headerOf, type WireHead } from '../http/async-route.ts'
import { limits } from '../limits.ts'
import { operations } from '../operations.ts'
import type { McpHandler } from './handler.ts'

/** What the endpoint depends on. */
export interface EndpointContext {
  readonly api: Api
  /** What is behind the door. */
  readonly handler: McpHandler
  /** Web origins beside those of this computer that may call, as `https://host`. */
  readonly origins: readonly string[]
  /** Requests of a thread that may be answered at once. */
  readonly inFlightMax: number
  /** Called with bugs. */
  readonly onError: (error: unknown) => void
}

/** Names of this computer, as a URL spells them. */
const localHostnames = ['localhost', '127.0.0.1', '[::1]']

const {
  methods,
  paths: [path],
} = operations.mcp

/** The endpoint as a route. */
export function mcpEndpoint(context: EndpointContext): AsyncRoute {
  const { api, handler, origins, inFlightMax, onError } = context
  return {
    path,
    bodyBounds: {
      bytesMax: limits.mcpBodyBytesMax,
      piecesMax: limits.mcpBodyPiecesMax,
      secondsMax: limits.mcpBodySecondsMax,
    },
    inFlightMax,
    prepare: handler.prepare,
    admit: (head) =>
      refuseOrigin(api, head, origins) ?? refuseKey(api, head) ?? refuseMethod(api, head),
    answer: handler.answer,
    onError,
  }
}

/** Refused here and not by the handler: only what takes its time is worth a thread. */
function refuseMethod(api: Api, { method }: WireHead): ApiReply | undefined {
  if ((methods as readonly string[]).includes(method)) return undefined
  const allowed = methods.join(', ')
  const problem = { code: 'method-not-allowed', detail: `${path} answers ${allowed} only` } as const
  return api.refuse(problem, [['Allow', allowed]])
}

function refuseKey(api: Api, { headers, address }: WireHead): ApiReply | undefined {
  return api.refuseUnlessKnown(headerOf(headers, 'authorization') ?? '', address)
}

/**
 * A browser tells the page a request comes from. One that is on no list is refused, or a page
 * whose name is made to point here could speak for whoever looks at it (DNS rebinding).
 */
function refuseOrigin(
  api: Api,
  { headers }: WireHead,
  origins: readonly string[],
): ApiReply | undefined {
  const origin = headerOf(headers, 'origin')
  if (origin === undefined || isAllowed(origin, origins)) return undefined
  const detail = 'requests from this web origin are not allowed'
  return api.refuse({ code: 'forbidden-origin', detail })
}

function isAllowed(origin: string, origins: readonly string[]): boolean {
  if (origins.includes(origin)) return true
  if (!URL.canParse(origin)) return false
  const { protocol, hostname } = new URL(origin)
  return /^https?:$/.test(protocol) && localHostnames.includes(hostname)
}
