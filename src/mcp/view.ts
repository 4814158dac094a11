/**
 * The view inside a chat (MCP Apps, SEP-1865): one page for all tools that show people, and its data of each result.
 * It stands in `_meta`, which is not for the model, so a view costs a model nothing. A client without support of views
 * gets none; a program without the built page offers none.
 */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { McpServer } from '@modelcontextprotocol/server'
import { limits } from '../limits.ts'
import type { ToolRouteName } from '../operations.ts'
import type { MessageContext } from './answer-source.ts'

/** The address of the page among resources. */
const viewUri = 'ui://authority-index/view'
const mimeType = 'text/html;profile=mcp-app'
const extension = 'io.modelcontextprotocol/ui'
const member = 'authority-index/view'
const capabilitiesMember = 'io.modelcontextprotocol/clientCapabilities'

/** Path of the built page. */
const builtPage = fileURLToPath(new URL('./guides/view.html', import.meta.url))

/** The kind of view of each route, and the name of the argument that names its subject. */
const kinds: Partial<Record<ToolRouteName, { readonly kind: string; readonly about: string }>> = {
  search: { kind: 'people', about: 'query' },
  match: { kind: 'profiles', about: 'handles' },
  peers: { kind: 'network', about: 'handles' },
  detail: { kind: 'profiles', about: 'sdus' },
  rank: { kind: 'sources', about: 'topic' },
}

/** The fields of people in a list. */
const listFields = ['sdu', 'name', 'rank', 'country_name', 'topic', 'authority_score']

/** The fields that a view needs of the items of a route; undefined if it takes the items as they are. */
export function viewFieldsOf(route: ToolRouteName): readonly string[] | undefined {
  return route === 'search' || route === 'peers' ? listFields : undefined
}

/** The members of items that are shown. */
const shownMembers = [
  'sdu',
  'name',
  'rank',
  'country_name',
  'country',
  'topic',
  'topics',
  'bio',
  'authority_score',
  'explanation',
  'source',
]

/** Reads the page; undefined if the program was not built. */
function viewPage(path = builtPage): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

/** The page, read once. */
const page = viewPage()

/** `_meta` of the tool of a route: the address of its view; undefined without a view. */
export function viewOfTool(route: ToolRouteName): Readonly<Record<string, unknown>> | undefined {
  if (page === undefined || kinds[route] === undefined) return undefined
  return { ui: { resourceUri: viewUri } }
}

/** Gives a server the page, if it is built. The page may connect to no origin. */
export function registerView(server: McpServer): void {
  if (page === undefined) return
  const ui = { csp: { connectDomains: [], resourceDomains: [] }, prefersBorder: true }
  const config = {
    title: 'View',
    description: 'Shows results to a person: a ranked list, a network, why a rank is what it is.',
    mimeType,
    _meta: { ui },
  }
  server.registerResource('view', viewUri, config, ({ href }) => ({
    contents: [{ uri: href, mimeType, text: page, _meta: { ui } }],
  }))
}

interface Envelope {
  readonly [capabilitiesMember]?: Capabilities
}

/** The capabilities of a client that matter here. */
interface Capabilities {
  readonly extensions?: Readonly<Record<string, unknown>> | undefined
}

/**
 * Whether the client of a message may show views: the message or its handshake says so. If neither is known,
 * as with older clients over HTTP, it may.
 */
export function wantsView(context: MessageContext | undefined, server: McpServer): boolean {
  const said = (context?.mcpReq.envelope as Envelope | undefined)?.[capabilitiesMember]
  const capabilities: Capabilities | undefined = said ?? server.server.getClientCapabilities()
  return capabilities === undefined || capabilities.extensions?.[extension] !== undefined
}

type Item = Readonly<Record<string, unknown>>

/**
 * `_meta` of a result: the data of the view. Biographies and explanations of the last items, and then the last items,
 * are left out if it would be larger than `limits.mcpViewBytesMax`.
 * @param items whose texts are cleaned. @param site the address of the explorer; null if it is not known.
 */
export function viewOfResult(
  route: ToolRouteName,
  input: Readonly<Record<string, unknown>>,
  items: readonly Item[],
  site: string | null,
): Readonly<Record<string, unknown>> {
  const { kind, about } = kinds[route]!
  const frame = { kind, about: [input[about] ?? ''].flat().join(', ').slice(0, 200), site }
  const shown = items.map((item) => pick(item, shownMembers))
  let bytes = 1_000
  const kept = shown.flatMap((item) => {
    const { explanation: _, bio: __, ...brief } = item
    const fitting = [item, brief].find((each) => bytes + bytesOf(each) <= limits.mcpViewBytesMax)
    bytes += fitting === undefined ? 0 : bytesOf(fitting)
    return fitting ?? []
  })
  return { [member]: { ...frame, items: kept } }
}

function pick(item: Item, names: readonly string[]): Item {
  return Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name)))
}

function bytesOf(item: Item): number {
  return Buffer.byteLength(JSON.stringify(item)) + 1
}
