/**
 * The host of a view inside a chat, reached by messages between windows (MCP Apps, SEP-1865 of 2026-01-26: JSON-RPC
 * 2.0 over `postMessage`). The view takes messages from its parent window only. It reports its size and requests links;
 * it never writes into the chat and never calls a tool, so no text of a record reaches the model by this way.
 */

/** Surroundings of the view as the host reports them: only the members that the view uses. */
export interface HostContext {
  readonly theme?: 'light' | 'dark'
  readonly containerDimensions?: { readonly height?: number; readonly maxHeight?: number }
}

/** Result of a tool. */
export interface ToolResult {
  readonly content?: readonly { readonly type: string; readonly text?: string }[]
  readonly structuredContent?: Readonly<Record<string, unknown>>
  readonly isError?: boolean
  readonly _meta?: Readonly<Record<string, unknown>>
}

/** Receiver of the host's notifications while the view is open. */
interface HostListener {
  readonly onContext: (context: HostContext) => void
  readonly onResult: (result: ToolResult) => void
  readonly onCancelled: () => void
}

interface Message {
  readonly jsonrpc?: unknown
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: unknown
  readonly result?: unknown
}

const protocolVersion = '2026-01-26'
const initializeId = 1

/** Opens a link outside of the chat, if the host agrees. */
export type OpenLink = (url: string) => void

/** Begins to speak with the host; returns how links are opened. */
export function connectHost(version: string, listener: HostListener): OpenLink {
  let lastId = initializeId
  const send = (message: object) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*')
  addEventListener('message', ({ source, data }: MessageEvent<Message>) => {
    if (source !== parent || data?.jsonrpc !== '2.0') return
    if (data.id === initializeId && data.method === undefined) {
      begin(data.result, listener, send)
    } else if (data.id !== undefined && data.method !== undefined) {
      send({ id: data.id, ...answerTo(data.method) })
    } else hear(data, listener)
  })
  const appInfo = { name: 'authority-index', title: 'Authority Index', version }
  const params = {
    protocolVersion,
    appInfo,
    appCapabilities: { availableDisplayModes: ['inline'] },
  }
  send({ id: initializeId, method: 'ui/initialize', params })
  return (url) => {
    lastId += 1
    send({ id: lastId, method: 'ui/open-link', params: { url } })
  }
}

/** The host has answered the first message: from now on it may say something. */
function begin(result: unknown, listener: HostListener, send: (message: object) => void): void {
  const { hostContext } = (result ?? {}) as { readonly hostContext?: HostContext }
  listener.onContext(hostContext ?? {})
  send({ method: 'ui/notifications/initialized', params: {} })
  const root = document.documentElement
  const tell = () => {
    const params = { width: root.scrollWidth, height: Math.ceil(document.body.offsetHeight) }
    send({ method: 'ui/notifications/size-changed', params })
  }
  new ResizeObserver(tell).observe(document.body)
}

/** The two requests of a host: whether the view lives, and that it is over. */
function answerTo(method: unknown): object {
  if (method === 'ping' || method === 'ui/resource-teardown') return { result: {} }
  return { error: { code: -32_601, message: 'the view does not know this method' } }
}

function hear({ method, params }: Message, listener: HostListener): void {
  const said = (params ?? {}) as object
  if (method === 'ui/notifications/tool-result') listener.onResult(said)
  else if (method === 'ui/notifications/host-context-changed') listener.onContext(said)
  else if (method === 'ui/notifications/tool-cancelled') listener.onCancelled()
}
