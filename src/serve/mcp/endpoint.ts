/**
 * `/mcp` on the service: the door to the tools over HTTP. It lets through whom the API lets
 * through (same keys, same 401) and no web page that is not on the list; everything behind it is
 * the SDK's handler, which speaks the protocol revisions with and without a handshake and keeps
 * nothing between requests.
 */
import type { McpHttpHandler } from '@modelcontextprotocol/server'
import { limits } from '../../settings.ts'
import type { Api, ApiReply } from '../api.ts'
import type { FetchRoute } from '../fetch-route.ts'
import type { Served } from '../served.ts'
import { localSource, TopicList } from './local.ts'

/** What the endpoint depends on. */
export interface EndpointContext {
  readonly api: Api
  /** What is served at the moment. */
  readonly served: () => Served | undefined
  /** Web origins beside those of this computer that may call, as `https://host`. */
  readonly origins: readonly string[]
  /** Told of bugs. */
  readonly onError: (error: unknown) => void
}

/** Names of this computer, as a URL spells them. */
const localHostnames = ['localhost', '127.0.0.1', '[::1]']

/**
 * The endpoint as a route. The SDK and its schemas take a quarter of a second to load, so no start
 * waits for them: `prepare` imports them, or else the first request does.
 */
export function mcpEndpoint({ api, served, origins, onError }: EndpointContext): FetchRoute {
  const topics = new TopicList(() => served()?.catalog)
  let loading: Promise<McpHttpHandler['fetch']> | undefined
  const load = () => {
    loading ??= loadHandler(api, topics, onError)
    return loading
  }
  return {
    path: '/mcp',
    bodyBytesMax: limits.mcpBodyBytesMax,
    prepare: () => void load().catch(onError),
    admit: (headers, address) =>
      refuseOrigin(api, headers.get('origin'), origins) ?? refuseKey(api, headers, address),
    fetch: async (request, body) => (await load())(request, { parsedBody: jsonOf(body) }),
    onError,
  }
}

async function loadHandler(api: Api, topics: TopicList, onError: (error: unknown) => void) {
  const [{ createMcpHandler }, { newServer }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('./server.ts'),
  ])
  // The handler's own reports are of messages that break the protocol: whoever sent one is told.
  const { fetch } = createMcpHandler(({ requestInfo }) => {
    const authorization = requestInfo?.headers.get('authorization') ?? ''
    return newServer(localSource(api, topics, authorization), onError)
  })
  return fetch
}

/** Undefined for what is not JSON: the handler then answers as it does to an empty body. */
function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.length).toString())
  } catch {
    return undefined
  }
}

function refuseKey(api: Api, headers: Headers, address: string): ApiReply | undefined {
  return api.refuseUnlessKnown(headers.get('authorization') ?? '', address)
}

/**
 * A browser tells the page a request comes from. One that is on no list is refused, or a page
 * whose name is made to point here could speak for whoever looks at it (DNS rebinding).
 */
function refuseOrigin(
  api: Api,
  origin: string | null,
  origins: readonly string[],
): ApiReply | undefined {
  if (origin === null || isAllowed(origin, origins)) return undefined
  const detail = 'requests from this web origin are not allowed'
  return api.refuse({ code: 'forbidden-origin', detail })
}

function isAllowed(origin: string, origins: readonly string[]): boolean {
  if (origins.includes(origin)) return true
  if (!URL.canParse(origin)) return false
  const { protocol, hostname } = new URL(origin)
  return /^https?:$/.test(protocol) && localHostnames.includes(hostname)
}
