/**
 * What answers MCP messages that were let through the door: the SDK's handler, which speaks the
 * protocol revisions with and without a handshake and keeps nothing between requests.
 */
import type { McpHttpHandler } from '@modelcontextprotocol/server'
import type { FetchRoute } from '../fetch-route.ts'
import type { Source } from './source.ts'

/** A handler; both parts are as in the route that it stands behind. */
export type McpHandler = Pick<FetchRoute, 'prepare' | 'fetch'>

/**
 * A handler on this thread. The SDK and its schemas take a quarter of a second to load, so nothing
 * waits for them that need not: `prepare` imports them, or else the first request does.
 * @param sourceOf where the tools of a caller get their answers, by the `Authorization` header.
 * @param onError told of bugs.
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
    fetch: async (request, body) => (await load())(request, { parsedBody: jsonOf(body) }),
  }
}

async function loadSdk(
  sourceOf: (authorization: string) => Source,
  onError: (error: unknown) => void,
): Promise<McpHttpHandler['fetch']> {
  const [{ createMcpHandler }, { newServer }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('./server.ts'),
  ])
  // The handler's own reports are of messages that break the protocol: whoever sent one is told.
  const { fetch } = createMcpHandler(({ requestInfo }) =>
    newServer(sourceOf(requestInfo?.headers.get('authorization') ?? ''), onError),
  )
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
