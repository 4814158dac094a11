/**
 * The OpenAPI 3.1 document of the service, made from the tables the service runs by: routes,
 * parameters, problems, limits and prices. What is not in a table stands here, once.
 */

import { usdNumber } from '../../money.ts'
import { type Prices, type RouteName, routeNames } from '../../operations.ts'
import { type ProblemCode, problems } from '../../problems.ts'
import { limits } from '../../limits.ts'
import { metricsPath } from '../../telemetry/metrics-text.ts'
import type { ApiReply } from '../api.ts'
import { type ParameterName, spellings } from '../parameters.ts'
import { noSniff } from '../response-headers.ts'
import { type Route, routes } from '../routes.ts'
import { answerName, type Json, problemSchema, reference, schemas } from './openapi-schemas.ts'

/** Where the document is served; no key is needed. */
export const openApiPath = '/openapi.json'

/** The reply that carries the document. */
export function openApiReply(prices: Prices): ApiReply {
  const headers = [
    ['Content-Type', 'application/json'],
    ['Cache-Control', 'no-cache'],
    noSniff,
  ] as const
  return { status: 200, headers, body: Buffer.from(JSON.stringify(openApiDocument(prices))) }
}

/** The document. */
export function openApiDocument(prices: Prices): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Authority Index',
      version: '1.0.0',
      summary: 'A read-only index of verified human authorities, ranked by topic.',
      description: overview,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The service that this document came from.' }],
    security: [{ apiKey: [] }],
    tags: [
      { name: 'queries', description: 'Paid for from the balance of the account.' },
      { name: 'tools', description: 'The same queries as tools of the Model Context Protocol.' },
      { name: 'operation', description: 'How the service is; no key is needed.' },
    ],
    paths: {
      ...Object.fromEntries(routes.flatMap((route) => routePaths(route, prices))),
      '/mcp': { post: mcpOperation },
      ...operationPaths,
    },
    'x-responses-elsewhere': problemResponses('elsewhere'),
    components: {
      securitySchemes: { apiKey: securityScheme },
      headers: Object.fromEntries(Object.entries(headerTexts).map(headerEntry)),
      responses: { ...namedProblems('query'), ...namedProblems('mcp') },
      schemas: schemas(routes),
    },
  }
}

const overview = [
  'Every path is served with and without a trailing slash, and every parameter in both spellings.',
  'Several values go into one parameter, separated by commas, or into the parameter repeated.',
  'Errors are problem documents (RFC 9457) that carry the members of the envelope too.',
  'Only answers with status 200 are charged. Any other path is answered with 404.',
].join(' ')

const securityScheme = {
  type: 'http',
  scheme: 'bearer',
  description: 'The API key of an account: `Authorization: Bearer <API_KEY>`.',
}

/** Where a problem can be answered: by the four queries, by `/mcp`, or beside every known path. */
type Place = 'query' | 'mcp' | 'elsewhere'

const places: Readonly<Record<ProblemCode, readonly Place[]>> = {
  'invalid-parameter': ['query'],
  'malformed-request': ['query', 'mcp'],
  unauthorized: ['query', 'mcp'],
  'insufficient-balance': ['query'],
  'forbidden-origin': ['mcp'],
  'not-found': ['elsewhere'],
  'method-not-allowed': ['query', 'mcp'],
  'payload-too-large': ['mcp'],
  'rate-limited': ['query', 'mcp'],
  'internal-error': ['query', 'mcp', 'elsewhere'],
  'no-snapshot': ['query'],
  'ledger-unavailable': ['query'],
}

/** Every response header that is not the transport's. */
const headerTexts = {
  'X-Request-Id': 'Names this request in the log.',
  'X-Snapshot-Id': 'The snapshot that answered.',
  ETag: 'Stands for the snapshot and the request; send it as If-None-Match.',
  'X-Cost-Usd': 'What this answer costs.',
  'X-Balance-Usd': 'What the account can still spend.',
  'WWW-Authenticate': 'The scheme that a key is sent with.',
  Allow: 'The method that the path answers.',
  'Retry-After': 'Seconds to wait before asking again.',
  'Cache-Control': 'Whether the answer may be kept.',
  'X-Content-Type-Options': 'Always nosniff.',
  'RateLimit-Policy': 'Requests that the account may send, and in how many seconds.',
  RateLimit: 'Requests that are left, and seconds until all are there again.',
} as const

type HeaderName = keyof typeof headerTexts

/** Only where a limit is set. */
const limitHeaders: readonly HeaderName[] = ['RateLimit-Policy', 'RateLimit']

function headerEntry([name, description]: [string, string]): [string, Json] {
  const required = !limitHeaders.includes(name as HeaderName)
  return [name, { description, required, schema: { type: 'string' } }]
}

function headers(names: readonly HeaderName[]): Json {
  return Object.fromEntries(names.map((name) => [name, reference('headers', name)]))
}

/** What the problems of a status carry beside the request id. */
const problemHeaders: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After'],
  503: ['Retry-After'],
}

/** The responses of a place that are problems, by status. */
function problemResponses(place: Place): Json {
  const codes = (Object.keys(problems) as ProblemCode[]).filter((code) =>
    places[code].includes(place),
  )
  const statuses = [...new Set(codes.map((code) => problems[code].status))]
  return Object.fromEntries(
    statuses.map((status) => {
      const ofStatus = codes.filter((code) => problems[code].status === status)
      return [String(status), problemResponse(place, status, ofStatus)]
    }),
  )
}

/** The same as components, by place and status. */
function namedProblems(place: Place): Json {
  const entries = Object.entries(problemResponses(place))
  return Object.fromEntries(entries.map(([status, response]) => [`${place}-${status}`, response]))
}

function problemReferences(place: Place): Json {
  const statuses = Object.keys(problemResponses(place))
  return Object.fromEntries(
    statuses.map((status) => [status, reference('responses', `${place}-${status}`)]),
  )
}

function problemResponse(place: Place, status: number, codes: readonly ProblemCode[]): Json {
  const always = ['X-Request-Id', 'X-Content-Type-Options', 'Cache-Control'] as const
  const limit = place === 'query' ? limitHeaders : []
  return {
    description: `${codes.map((code) => problems[code].title).join('; ')}.`,
    headers: headers([...always, ...limit, ...(problemHeaders[status] ?? [])]),
    content: { 'application/problem+json': { schema: problemSchema(codes) } },
  }
}

function jsonResponse(description: string, schema: string, names: readonly HeaderName[]): Json {
  const content = { 'application/json': { schema: reference('schemas', schema) } }
  return { description, headers: headers(['X-Content-Type-Options', ...names]), content }
}

const operations: Readonly<Record<RouteName, { id: string; summary: string; text: string }>> = {
  search: {
    id: 'searchAuthorities',
    summary: 'Search the index by topic or keyword',
    text: 'A ranked list of authorities. `rank` is the rank within the topic that was found, or the position when keywords were.',
  },
  detail: {
    id: 'getAuthorityDetail',
    summary: 'Fetch full profiles by SDU',
    text: 'Profiles in the order of the request; an SDU that is not known is absent.',
  },
  peers: {
    id: 'findPeers',
    summary: 'Find the peer network of a social media handle',
    text: 'The top authorities connected to the handle, by authority score; of several handles, one list.',
  },
  match: {
    id: 'matchHandle',
    summary: 'Find the authority that owns a handle',
    text: 'The owners of the handles in the order of the request; a handle that nobody owns is absent.',
  },
}

/** A route in both path forms. */
function routePaths(route: Route, prices: Prices): [string, Json][] {
  return [
    [route.path, { get: routeOperation(route, prices, '') }],
    [`${route.path}/`, { get: routeOperation(route, prices, 'Slash') }],
  ]
}

const answerHeaders = ['X-Request-Id', 'X-Snapshot-Id', 'ETag', ...limitHeaders] as const

function routeOperation(route: Route, prices: Prices, suffix: string): Json {
  const { id, summary, text } = operations[route.name]
  const costUsd = usdNumber(prices[route.name])
  const paid = [...answerHeaders, 'X-Cost-Usd', 'X-Balance-Usd'] as const
  const each = route.parameters[0] === 'query' ? 'a query' : 'each value that is asked for'
  return {
    operationId: `${id}${suffix}`,
    tags: ['queries'],
    summary,
    description: `${text} Costs ${costUsd} USD for ${each}.`,
    'x-price-usd': costUsd,
    parameters: [...route.parameters.flatMap(parameters), ifNoneMatch],
    responses: {
      200: jsonResponse('The answer.', answerName(route), paid),
      304: { description: 'The ETag still holds; not charged.', headers: headers(answerHeaders) },
      ...problemReferences('query'),
    },
  }
}

const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  description: 'ETags of earlier answers; when one still holds, the answer is 304 and free.',
  schema: { type: 'string' },
}

const perRequest = `1 to ${limits.valuesPerRequestMax}, separated by commas or the parameter repeated`

const parameterSchemas: Readonly<
  Record<ParameterName, { text: string; example: unknown; schema: Json }>
> = {
  query: {
    text: 'A topic, keywords or a name. Required.',
    example: 'machine learning',
    schema: { type: 'string', minLength: 1, maxLength: limits.queryCharactersMax },
  },
  limit: {
    text: `How many items at most; more than ${limits.resultsMax} is ${limits.resultsMax}.`,
    example: 3,
    schema: { type: 'integer', minimum: 1, default: limits.resultsDefault },
  },
  sdus: {
    text: `SDUs: ${perRequest}. Required in either spelling.`,
    example: ['4893387514556449885'],
    schema: several({ type: 'string', pattern: `^[0-9]{1,${limits.sduDigitsMax}}$` }),
  },
  handles: {
    text: `Handles, \`name\`, \`@name\`, \`platform:name\` or a profile address: ${perRequest}. Required in either spelling.`,
    example: ['@SenCapito'],
    schema: several({ type: 'string', minLength: 1, maxLength: limits.handleCharactersMax }),
  },
}

function several(items: Json): Json {
  return { type: 'array', minItems: 1, maxItems: limits.valuesPerRequestMax, items }
}

/** A parameter in each of its spellings; one that has two cannot be required in both. */
function parameters(name: ParameterName): Json[] {
  const { text, example, schema } = parameterSchemas[name]
  const list = schema.type === 'array' ? { style: 'form', explode: false } : {}
  const required = name === 'query'
  return spellings[name].map((spelling) => ({
    name: spelling,
    in: 'query',
    required,
    description: text,
    ...list,
    schema,
    example,
  }))
}

const rpc = { schema: reference('schemas', 'JsonRpc') }

const mcpOperation = {
  operationId: 'callMcp',
  tags: ['tools'],
  summary: 'One message of the Model Context Protocol',
  description: `Streamable HTTP; four tools, one for each of ${routeNames.join(', ')}, at the price of the query.`,
  requestBody: { required: true, content: { 'application/json': rpc } },
  responses: {
    200: {
      description: 'The answer to a request, at once or as an event stream.',
      headers: {
        ...headers(['X-Content-Type-Options']),
        'Cache-Control': { description: headerTexts['Cache-Control'], schema: { type: 'string' } },
        'X-Accel-Buffering': {
          description: 'Tells a proxy to pass events on at once.',
          schema: { type: 'string' },
        },
      },
      content: {
        'application/json': rpc,
        'text/event-stream': { schema: { type: 'string' } },
      },
    },
    202: {
      description: 'A notification was taken.',
      headers: headers(['X-Content-Type-Options']),
    },
    ...problemReferences('mcp'),
  },
}

/** Paths that need no key. */
const operationPaths = {
  '/healthz': {
    get: unkeyed('isAlive', 'Whether the process answers', {
      200: jsonResponse('It answers.', 'Health', ['Cache-Control']),
    }),
  },
  '/readyz': {
    get: unkeyed('isReady', 'Whether the service can serve, and from what', {
      200: jsonResponse('It can.', 'Readiness', ['Cache-Control']),
      503: jsonResponse('It cannot.', 'Readiness', ['Cache-Control']),
    }),
  },
  [openApiPath]: {
    get: unkeyed('getOpenApi', 'This document', {
      200: {
        description: 'OpenAPI 3.1.',
        headers: headers(['Cache-Control', 'X-Content-Type-Options']),
        content: { 'application/json': { schema: { type: 'object', additionalProperties: true } } },
      },
    }),
  },
  [metricsPath]: {
    get: unkeyed('getMetrics', 'What was counted, for Prometheus', {
      200: {
        description: 'The text exposition format, version 0.0.4.',
        headers: headers(['Cache-Control', 'X-Content-Type-Options']),
        content: { 'text/plain': { schema: { type: 'string' } } },
      },
    }),
  },
}

function unkeyed(operationId: string, summary: string, responses: Json): Json {
  return { operationId, tags: ['operation'], summary, security: [], responses }
}
