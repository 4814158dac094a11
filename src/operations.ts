/**
 * Every operation of the service, once: its name, methods, paths, price, tool and words.
 * `api/schemas/inputs.ts` has the input of each.
 * Routing, OpenAPI, MCP tools, prices and their settings, and the tables of the API guide
 * are made from this table. It imports no room, so that every room may read it.
 */
import type { OpenOperation, Operation, Route, ToolWords } from './operation.ts'

export const operations = {
  search: {
    methods: ['GET'],
    paths: ['/api/v1/index', '/api/v1/index/'],
    scope: 'account',
    id: 'searchAuthorities',
    summary: 'Search the index by topic or keyword',
    text: 'A ranked list of authorities. `rank` is the rank within the topic where one topic was understood, else the position. `X-Search-Way` says how the text was understood.',
    price: { defaultMicroUsd: 1_000, each: 'request', help: 'price of a search query' },
    item: 'summary',
    requestIdInBody: true,
    saysWay: true,
    about: 'people',
    pages: 'asked',
    tool: {
      name: 'search_authorities',
      title: 'Search authorities',
      description:
        'Verified human authorities (experts) on a topic, best first, or people by name: SDU (their id), ' +
        'name, rank in the topic, country, core topic. For a social media account use match_handle, ' +
        'for biographies get_authority_detail.',
      explainUnasked: 'query',
      format: 'concise',
    },
  },
  detail: {
    methods: ['GET', 'POST'],
    paths: ['/api/v1/detail', '/api/v1/detail/'],
    scope: 'account',
    id: 'getAuthorityDetail',
    summary: 'Fetch full profiles by SDU',
    text: 'Profiles in the order of the request; an SDU that is not known is absent.',
    price: { defaultMicroUsd: 1_000, each: 'value', help: 'price of each SDU of a detail query' },
    item: 'profile',
    requestIdInBody: false,
    saysWay: false,
    about: 'people',
    tool: {
      name: 'get_authority_detail',
      title: 'Get authority profiles',
      description:
        'Full profiles by SDU, all in one call: biography, country, topics, authority score (0 to 100), ' +
        'verified handles with followers, website.',
      format: 'detailed',
    },
  },
  peers: {
    methods: ['GET'],
    paths: ['/api/v1/peers', '/api/v1/peers/'],
    scope: 'account',
    id: 'findPeers',
    summary: 'Find the peer network of a social media handle',
    text: 'The top authorities connected to the handle, by authority score; of several handles, one list.',
    price: { defaultMicroUsd: 1_000, each: 'value', help: 'price of each handle of a peers query' },
    item: 'summary',
    requestIdInBody: false,
    saysWay: false,
    about: 'people',
    pages: 'asked',
    tool: {
      name: 'find_peers',
      title: 'Find peers of a handle',
      description:
        'The network around a social media handle: the top authorities connected with it, by authority ' +
        'score. The handle may be of anybody; several answer one list.',
      format: 'concise',
    },
  },
  match: {
    methods: ['GET', 'POST'],
    paths: ['/api/v1/match', '/api/v1/match/'],
    scope: 'account',
    id: 'matchHandle',
    summary: 'Find the authority that owns a handle',
    text: 'The owners of the handles in the order of the request; a handle without an owner is absent.',
    price: { defaultMicroUsd: 1_000, each: 'value', help: 'price of each handle of a match query' },
    item: 'match',
    requestIdInBody: true,
    saysWay: false,
    about: 'people',
    tool: {
      name: 'match_handle',
      title: 'Match handles to authorities',
      description:
        'Whether social media handles belong to verified authorities, all in one call, and who they ' +
        'are: SDU, name, core topic and rank in it, country. For a name use search_authorities.',
      format: 'concise',
    },
  },
  rank: {
    methods: ['POST'],
    paths: ['/api/v1/rank', '/api/v1/rank/'],
    scope: 'account',
    id: 'rankSources',
    summary: 'Rank sources by the authority of who published them',
    text: 'The sources of the request, best authority first: with a `topic` its members by their rank in it, then other known authors by authority score, then sources without a known author, in the order of the request. `index` is the place in the request, from 0.',
    price: { defaultMicroUsd: 1_000, each: 'value', help: 'price of each source that is ranked' },
    item: 'source',
    requestIdInBody: true,
    saysWay: false,
    about: 'people',
    tool: {
      name: 'rank_sources',
      title: 'Rank sources by authority',
      description:
        'Orders sources (articles, posts, videos, repositories, accounts) by the authority of their ' +
        'authors, all in one call. Sources without a known author come last: that is no judgement.',
      format: 'concise',
    },
  },
  autocomplete: {
    methods: ['GET'],
    paths: ['/api/v1/autocomplete', '/api/v1/autocomplete/'],
    scope: 'account',
    id: 'autocomplete',
    summary: 'Suggest topics, people and handles for what is being typed',
    text: 'The last word of the `query` is the beginning of a word of a topic, of a name, or of a handle; the words before it are whole. Topics first, the largest first; then people, best authority first; then handles, by the authority of their owners. With `@` or a platform and `:` in front, handles only.',
    price: { defaultMicroUsd: 0, each: 'request', help: 'price of suggestions for what is typed' },
    item: 'suggestion',
    requestIdInBody: false,
    saysWay: false,
    about: 'people',
    freeWith: 'search',
  },
  topics: {
    methods: ['GET'],
    paths: ['/api/v1/topics', '/api/v1/topics/'],
    scope: 'account',
    id: 'listTopics',
    summary: 'List the topics',
    text: 'The largest first. With a `query` those that it suggests.',
    price: { defaultMicroUsd: 0, each: 'request', help: 'price of a page of the list of topics' },
    item: 'topic',
    requestIdInBody: false,
    saysWay: false,
    about: 'people',
    pages: 'always',
  },
  snapshots: {
    methods: ['GET'],
    paths: ['/api/v1/snapshots', '/api/v1/snapshots/'],
    scope: 'account',
    id: 'listSnapshots',
    summary: 'List the snapshots that were announced',
    text: 'The last first, back to where the changes go.',
    price: {
      defaultMicroUsd: 0,
      each: 'request',
      help: 'price of a page of the list of snapshots',
    },
    item: 'snapshot',
    requestIdInBody: false,
    saysWay: false,
    about: 'changes',
    pages: 'always',
  },
  snapshot: {
    methods: ['GET'],
    paths: ['/api/v1/snapshots/{id}', '/api/v1/snapshots/{id}/'],
    scope: 'account',
    id: 'getSnapshot',
    summary: 'Fetch what is known of one snapshot',
    text: 'One item: counts, recipe, digest, how steady the orders are, and how to cite it.',
    price: { defaultMicroUsd: 0, each: 'request', help: 'price of the page of a snapshot' },
    item: 'snapshotPage',
    requestIdInBody: false,
    saysWay: false,
    about: 'changes',
  },
  changes: {
    methods: ['GET'],
    paths: ['/api/v1/changes', '/api/v1/changes/'],
    scope: 'account',
    id: 'listChanges',
    summary: 'List what changed since a snapshot',
    text: 'In their order: who applies them one after the other to a copy has the snapshot that is served. A page may be short or empty; the last has no `next_cursor`.',
    price: { defaultMicroUsd: 1_000, each: 'request', help: 'price of a page of changes' },
    item: 'change',
    requestIdInBody: false,
    saysWay: false,
    about: 'changes',
    pages: 'always',
    tool: {
      name: 'list_changes',
      title: 'List what changed',
      description:
        'Changes of the index, person by person. Without `since`: those of the newest snapshot.',
      optional: ['since'],
    },
  },
  history: {
    methods: ['GET'],
    paths: ['/api/v1/history', '/api/v1/history/'],
    scope: 'account',
    id: 'getHistory',
    summary: 'Fetch how ranks and scores of people came to be',
    text: 'Person by person, the last first: one item for each snapshot that changed anything, and what is oldest known.',
    price: { defaultMicroUsd: 1_000, each: 'request', help: 'price of a page of a history' },
    item: 'moment',
    requestIdInBody: false,
    saysWay: false,
    about: 'changes',
    pages: 'always',
    tool: {
      name: 'get_history',
      title: 'Get the history of ranks',
      description:
        'History of ranks and authority scores of people, by SDU: snapshot by snapshot, latest first.',
    },
  },
  mcp: {
    methods: ['POST'],
    paths: ['/mcp', '/mcp/'],
    scope: 'account',
    id: 'callMcp',
    summary: 'One message of the Model Context Protocol',
    text: 'Streamable HTTP; one tool for each query, at the price of the query.',
  },
  account: {
    methods: ['GET'],
    paths: ['/api/v1/account', '/api/v1/account/'],
    scope: 'account',
    id: 'getAccount',
    summary: 'See the account of your key',
    text: 'One item: what can be spent, the key that asks and what restricts it, limits, what was sold today and this month by UTC, and prices. Free.',
  },
  health: {
    methods: ['GET', 'HEAD'],
    paths: ['/healthz'],
    scope: 'open',
    id: 'isAlive',
    summary: 'Whether the process answers',
    text: 'Always 200: the process is alive.',
    replies: { 200: { text: 'It answers.', type: 'application/json', schema: 'Health' } },
  },
  readiness: {
    methods: ['GET', 'HEAD'],
    paths: ['/readyz'],
    scope: 'open',
    id: 'isReady',
    summary: 'Whether the service can serve, and from what',
    text: '200 when it can, 503 when it cannot.',
    replies: {
      200: { text: 'It can.', type: 'application/json', schema: 'Readiness' },
      503: { text: 'It cannot.', type: 'application/json', schema: 'Readiness' },
    },
  },
  openApi: {
    methods: ['GET', 'HEAD'],
    paths: ['/openapi.json'],
    scope: 'open',
    id: 'getOpenApi',
    summary: 'The description of the service',
    text: 'OpenAPI 3.1, made from the tables that the service runs by.',
    replies: { 200: { text: 'OpenAPI 3.1.', type: 'application/json', isReady: true } },
  },
  metrics: {
    methods: ['GET', 'HEAD'],
    paths: ['/metrics'],
    scope: 'open',
    id: 'getMetrics',
    summary: 'The metrics, for Prometheus',
    text: 'The text exposition format, version 0.0.4.',
    isLimited: true,
    replies: { 200: { text: 'One metric a line.', type: 'text/plain' } },
  },
} as const satisfies Readonly<Record<string, Operation | OpenOperation | Route>>

export type OperationName = keyof typeof operations

export type RouteName = {
  [N in OperationName]: (typeof operations)[N] extends Route ? N : never
}[OperationName]

type AskedBy<M extends string> = {
  [N in RouteName]: M extends (typeof operations)[N]['methods'][number] ? N : never
}[RouteName]

export type GetRouteName = AskedBy<'GET'>

export type PostRouteName = AskedBy<'POST'>

export type ToolRouteName = {
  [N in RouteName]: (typeof operations)[N] extends { readonly tool: ToolWords } ? N : never
}[RouteName]

export type OpenOperationName = {
  [N in OperationName]: (typeof operations)[N]['scope'] extends 'open' ? N : never
}[OperationName]

export const operationNames = Object.keys(operations) as OperationName[]

/** The routes in the order of the table: the position of one is its column in shared memory. */
export const routeNames = operationNames.filter(
  (name): name is RouteName => 'price' in operations[name],
)

export const toolNames = routeNames.filter(
  (name): name is ToolRouteName => 'tool' in operations[name],
)

export const getRouteNames = routeNames.filter((name): name is GetRouteName =>
  isAnswered(name, 'GET'),
)

export const postRouteNames = routeNames.filter((name): name is PostRouteName =>
  isAnswered(name, 'POST'),
)

export function isAnswered(name: OperationName, method: string): boolean {
  const methods: readonly string[] = operations[name].methods
  return methods.includes(method)
}

/** Price of one query in micro-USD, by route. A batch is one query for each value. */
export type Prices = Readonly<Record<RouteName, number>>

export const defaultPrices: Prices = byRoute((route) => operations[route].price.defaultMicroUsd)

export function byRoute<T>(pick: (route: RouteName) => T): Readonly<Record<RouteName, T>> {
  return Object.fromEntries(routeNames.map((route) => [route, pick(route)])) as Record<RouteName, T>
}

export const openNames = operationNames.filter(
  (name): name is OpenOperationName => operations[name].scope === 'open',
)

export function isRoute(name: OperationName): name is RouteName {
  return 'price' in operations[name]
}
