/**
 * What answers MCP messages that were let through the door: the SDK's handler, which speaks the
 * protocol revisions with and without a handshake and keeps nothing between requests.
 */
import type { McpHttpHandler } from '@modelcontextprotocol/server'
import type { AsyncRoute, RouteRequest, RouteResponse } from '../http/async-route.ts'
import { limits } from '../limits.ts'
import type { Source } from './answer-source.ts'

/** A handler; both parts are as in the route that it stands behind. */
export type McpHandler = Pick<AsyncRoute, 'prepare' | 'answer'>

/**
 * A handler on this thread. The SDK and its schemas take a quarter of a second to load, so nothing
 * waits for them that need not: `prepare` imports them, or else the first request does.
 * @param sourceOf where the tools of a caller get their answers, by the `Authorization` header.
 * @param onError called with bugs.
 */
export function newHandler(
  sourceOf: (authorization: string) => Source,
  onError: (error: unknown) => void,
): McpHandler {
  let loading: Promise<McpHttpHandler['fetch']> | undefined
  const load = () => {
    loading ??= loadSdk(sourceOf, onError)
    return loading
  }
  return {
    prepare: () => void load().catch(onError),
    answer: async (request) => answer(await load(), request),
  }
}

async function loadSdk(
  sourceOf: (authorization: string) => Source,
  onError: (error: unknown) => void,
): Promise<McpHttpHandler['fetch']> {
  const [{ createMcpHandler }, { newServer }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('./mcp-server.ts'),
  ])
  // The handler's own reports are of messages that break the protocol: whoever sent one is told.
  const { fetch } = createMcpHandler(({ requestInfo }) =>
    newServer(sourceOf(requestInfo?.headers.get('authorization') ?? ''), onError),
  )
  return fetch
}

/** The address is this host's whatever the client calls it: nothing may depend on that name. */
async function answer(
  fetch: McpHttpHandler['fetch'],
  { method, target, headers, body, signal }: RouteRequest,
): Promise<RouteResponse> {
  const message = jsonOf(body)
  if (Array.isArray(message) && message.length > limits.mcpMessagesMax) return tooManyMessages
  const head = { method, headers: headers.map(([name, value]): [string, string] => [name, value]) }
  const request = new Request(`http://localhost${target}`, { ...head, signal })
  // Beside the request: to wrap it in a stream and read it back costs more than most answers.
  const response = await fetch(request, { parsedBody: message })
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  return {
    status: response.status,
    headers: [...response.headers],
    body:
      isStream && response.body !== null
        ? response.body
        : new Uint8Array(await response.arrayBuffer()),
  }
}

/** What is answered to a batch of more messages than there may be, none of which is read. */
const tooManyMessages: RouteResponse = {
  status: 400,
  headers: [['content-type', 'application/json']],
  body: Buffer.from(
    JSON.stringify({
      jsonrpc: '2.0',
      error: { code: -32600, message: `a batch holds at most ${limits.mcpMessagesMax} messages` },
      id: null,
    }),
  ),
}

/** Undefined for what is not JSON: the handler then answers as it does to an empty body. */
function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.length).toString())
  } catch {
    return undefined
  }
}
