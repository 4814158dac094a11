/**
 * `/mcp` over HTTP. It admits the callers that the API admits (same keys, same 401, same rate) and refuses web pages
 * that are not on the list.
 */

import type { Api } from '../api/api.ts'
import type { ApiReply } from '../api/exchange.ts'
import {
  type AsyncRoute,
  headerOf,
  requestHeaderOf,
  targetPathOf,
  type WireHead,
  wrongMethod,
} from '../http/async-route.ts'
import { Cors } from '../http/cors.ts'
import { limits } from '../limits.ts'
import { operations } from '../operations.ts'

interface EndpointContext {
  readonly api: Api
  readonly answer: AsyncRoute['answer']
  /** Web origins beside those of this computer that may call, as `https://host`. */
  readonly origins: readonly string[]
  /** Makes the value of `WWW-Authenticate` on a 401 of a service with sign-in; undefined for the plain `Bearer`. */
  readonly challenge?: ((hasToken: boolean, path: string) => string) | undefined
  readonly inFlightMax: number
}

const localHostnames = ['localhost', '127.0.0.1', '[::1]']

const { methods, paths } = operations.mcp

/** Request headers that the clients of all revisions send, in the official SDK for browsers too. */
const sentHeaders = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'Last-Event-ID',
  'MCP-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
  'Mcp-Session-Id',
]

const exposedHeaders = [
  'MCP-Protocol-Version',
  'Mcp-Session-Id',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-Id',
]

/** Details of a 401, which many clients show to their user if the settings lack a key. */
const withoutKey =
  'this MCP server needs an API key: add the header Authorization: Bearer <API_KEY> to it in the settings of ' +
  'your client; the operator of the service gives keys'
const withoutToken =
  'this MCP server needs a sign-in, which clients with OAuth 2.1 begin by themselves; in any other add the header ' +
  'Authorization: Bearer <API_KEY> in its settings; the operator of the service gives keys'

export function mcpEndpoint(context: EndpointContext): AsyncRoute {
  const { api, answer, origins, inFlightMax, challenge } = context
  const cors = new Cors({
    isAllowed: (origin) => isAllowed(origin, origins),
    methods: methods.join(', '),
    sent: sentHeaders.join(', '),
    exposed: exposedHeaders.join(', '),
  })
  return {
    paths,
    bodyBounds: limits.mcpBody,
    inFlightMax,
    cors: () => cors,
    admit: (head, canWait) => {
      const foreign = refuseOrigin(api, head, origins)
      if (foreign !== undefined) return { refusal: foreign }
      const key = headerOf(head, 'authorization')
      // The first message: the number of the others is known only after reading them.
      const check = { canWait, withoutKey: challenge === undefined ? withoutKey : withoutToken }
      const entered = api.checkCaller(key, 1, head.address, check)
      const { refusal } = entered
      if (refusal !== undefined) return { refusal: challenged(refusal, challenge, head) }
      // A wrong method is refused here: only a request that takes long is worth a thread.
      const isTaken = (methods as readonly string[]).includes(head.method)
      return isTaken ? entered : { ...entered, refusal: wrongMethod(api, paths[0], methods) }
    },
    answer,
  }
}

/** The challenge leads a client without a good token to the place that issues one. */
function challenged(
  reply: ApiReply,
  challenge: EndpointContext['challenge'],
  head: WireHead,
): ApiReply {
  if (challenge === undefined || reply.status !== 401) return reply
  const hasToken = requestHeaderOf(head.headers, 'authorization') !== undefined
  const value = challenge(hasToken, targetPathOf(head))
  const others = reply.headers.filter(([name]) => name !== 'WWW-Authenticate')
  return { ...reply, headers: [...others, ['WWW-Authenticate', value]] }
}

/** A page whose name is made to point here could act as its visitor otherwise (DNS rebinding). */
function refuseOrigin(api: Api, head: WireHead, origins: readonly string[]): ApiReply | undefined {
  const origin = requestHeaderOf(head.headers, 'origin')
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
